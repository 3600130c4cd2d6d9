# Sourced by the other scripts and the Makefile: PATH and toolchain. Changes nothing on disk.
export PATH="$HOME/.cargo/bin:$PWD/scripts/tools/node_modules/.bin:$PATH"
export BENCHLOOP_TOOLCHAIN_FILE="${XDG_CACHE_HOME:-$HOME/.cache}/benchloop/toolchain"
# Written by setup.sh where rustup could not fetch the WebAssembly target.
if [ -z "${RUSTUP_TOOLCHAIN:-}" ] && [ -s "$BENCHLOOP_TOOLCHAIN_FILE" ] && rustup toolchain list 2>/dev/null | grep -q "^$(cat "$BENCHLOOP_TOOLCHAIN_FILE")"; then
  RUSTUP_TOOLCHAIN=$(cat "$BENCHLOOP_TOOLCHAIN_FILE")
  export RUSTUP_TOOLCHAIN
fi

# Prints the browser for the page tests, or nothing.
find_chromium() {
  if [ -n "${CHROMIUM:-}" ]; then echo "$CHROMIUM"; return; fi
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" 2>/dev/null; then return; fi
  done
  ls -d "$HOME"/.cache/ms-playwright/chromium-*/chrome-linux*/chrome 2>/dev/null | tail -n 1
}
