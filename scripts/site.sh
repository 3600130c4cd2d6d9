#!/usr/bin/env bash
# Builds the release site and the server that embeds it: WebAssembly, style and public files into target/site, each
# with its .br and .gz form, then the binary. The site always lies in ./target/site, wherever CARGO_TARGET_DIR points.
# Quick when nothing changed.
#
#   scripts/site.sh             site and server
#   scripts/site.sh --site      the site only
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh

only_site=
case ${1:-} in
  '') ;;
  --site) only_site=1 ;;
  *) sed -n '2,7p' "$0"; exit 2 ;;
esac

target=${CARGO_TARGET_DIR:-target}
site=target/site
made=$target/site-parts # what is compared before it is copied, so that unchanged files keep their dates

echo "site: pages for the browser"
cargo build --quiet --lib --profile wasm-release --target wasm32-unknown-unknown --features hydrate
wasm=$target/wasm32-unknown-unknown/wasm-release/benchloop.wasm
mkdir -p "$made" "$site/pkg"
if [ ! -f "$made/benchloop.wasm" ] || [ "$wasm" -nt "$made/benchloop.wasm" ] || [ Cargo.lock -nt "$made/benchloop.wasm" ]; then
  wasm-bindgen --target web --no-typescript --remove-name-section --remove-producers-section --out-name benchloop --out-dir "$made" "$wasm"
  # few inlined functions: repeated code packs better than merged code
  wasm-opt -Oz --one-caller-inline-max-function-size=5 "$made/benchloop_bg.wasm" -o "$made/benchloop.wasm" \
    --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
    --enable-reference-types --enable-multivalue
  rm "$made/benchloop_bg.wasm"
fi

echo "site: style, public files, compression"
cat style/tokens.css style/base.css style/parts.css style/pages.css >"$made/benchloop.css"
node scripts/pack.mjs "$site" "$made" public

if [ -z "$only_site" ]; then
  echo "site: server"
  cargo build --quiet --release --bin benchloop --features ssr
fi
