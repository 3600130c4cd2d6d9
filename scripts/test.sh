#!/usr/bin/env bash
# Everything that must hold, in the order in which it fails fastest: format, lints, walls, tests, the release site, the
# pages in a browser. `scripts/setup.sh --test` brings what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh

step() { printf '\n== %s\n' "$*"; }
wasm=(--lib --target wasm32-unknown-unknown --features hydrate)

step "format"
cargo fmt --check

step "lints: native, pages on the server, pages in the browser"
cargo clippy --quiet --all-targets --features native -- -D warnings
cargo clippy --quiet --all-targets --features ssr -- -D warnings
cargo clippy --quiet "${wasm[@]}" -- -D warnings

step "walls: the domain alone, the engine without pages, the pages without the engine, no aws-lc"
cargo check --quiet --lib --no-default-features
cargo check --quiet --features native
cargo check --quiet "${wasm[@]}"
if cargo tree --quiet --features ssr -i aws-lc-sys >/dev/null 2>&1; then
  echo "aws-lc-sys is in the dependency tree: it compiles C for minutes; find what turned it on with" >&2
  echo "    cargo tree --features ssr -i aws-lc-sys" >&2
  exit 1
fi

# A test that waits for ever must say so long before CI gives up; compiling has no limit.
step "tests: native"
cargo test --features native --no-run
timeout 30m cargo test --features native
step "tests: with pages"
cargo test --features ssr --lib --test site --no-run
timeout 15m cargo test --features ssr --lib --test site

step "release site and server"
scripts/site.sh

step "pages in a browser"
CHROMIUM=$(find_chromium)
export CHROMIUM
(cd end2end && timeout 20m npx playwright test)

step "all passed"
