// Puts the built parts and the public files into the site, each beside its .br and .gz form, and leaves alone what did
// not change. Removes what is no longer there. Fails when the WebAssembly grows over its budget.
//
//   node scripts/pack.mjs SITE PARTS PUBLIC
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [site, parts, pub] = process.argv.slice(2);
const BUDGET = 560_000; // bytes of benchloop.wasm after brotli

const walk = (folder) => !existsSync(folder) ? [] : readdirSync(folder, { withFileTypes: true })
  .flatMap((entry) => entry.isDirectory() ? walk(join(folder, entry.name)) : [join(folder, entry.name)]);

const wanted = new Map(["benchloop.js", "benchloop.wasm", "benchloop.css"].map((name) => [`pkg/${name}`, join(parts, name)]));
for (const file of walk(pub)) wanted.set(relative(pub, file), file);

const brotli = (data) => brotliCompressSync(data, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: data.length },
});

let listChanged = false;
for (const [name, source] of wanted) {
  const to = join(site, name);
  const data = readFileSync(source);
  const forms = [to, `${to}.br`, `${to}.gz`];
  if (!forms.every(existsSync)) listChanged = true;
  else if (readFileSync(to).equals(data)) continue;
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, data);
  writeFileSync(`${to}.br`, brotli(data));
  writeFileSync(`${to}.gz`, gzipSync(data, { level: 9 }));
}
for (const file of walk(site)) {
  const name = relative(site, file).replace(/\.(br|gz)$/, "");
  if (!wanted.has(name)) { rmSync(file); listChanged = true; }
}
// the binary embeds the files it found when assets.rs was compiled: a new list needs a new look
if (listChanged) { const now = new Date(); utimesSync("src/server/assets.rs", now, now); }

const size = (name) => statSync(join(site, "pkg", name)).size;
const kb = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
console.log(`site: benchloop.wasm ${kb(size("benchloop.wasm"))}, ${kb(size("benchloop.wasm.br"))} as brotli; ` +
  `style ${kb(size("benchloop.css.br"))}`);
if (size("benchloop.wasm.br") > BUDGET) {
  console.error(`site: benchloop.wasm takes ${kb(size("benchloop.wasm.br"))} as brotli; the budget is ${kb(BUDGET)}. ` +
    "Look for a new dependency in `cargo tree --features hydrate --target wasm32-unknown-unknown`.");
  process.exit(1);
}
