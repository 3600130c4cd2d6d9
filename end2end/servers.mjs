// Scripted counterparts for the page tests: a hub (search, details, file trees) and an Ollama that can pull. Started by
// the configuration; each listens on the port given on the command line.
//
//   node servers.mjs HUB_PORT OLLAMA_PORT KEYED_PORT
import { createServer } from "node:http";

const [hubPort, ollamaPort, keyedPort] = process.argv.slice(2).map(Number);

const json = (response, status, body, headers = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
};

// 45 repositories, found by a part of their name, 20 a page
const repositories = Array.from({ length: 45 }, (_, n) => ({
  id: `ateliers/Lark-${n + 1}B-GGUF`, downloads: 90_000 - n * 1000, likes: 400 - n, pipeline_tag: "text-generation",
  tags: ["gguf", "text-generation", "license:apache-2.0"], createdAt: "2026-03-01T10:00:00.000Z",
  lastModified: "2026-10-05T10:00:00.000Z", gated: n === 1 ? "manual" : false,
}));
const trees = {
  "ateliers/Lark-1B-GGUF": [
    { type: "file", path: "README.md", size: 2000 },
    { type: "file", path: "Lark-1B-Q4_K_M.gguf", size: 130, lfs: { size: 800_000_000 } },
    { type: "file", path: "Lark-1B-Q8_0.gguf", size: 130, lfs: { size: 1_300_000_000 } },
    { type: "directory", path: "BF16", size: 0 },
    { type: "file", path: "BF16/Lark-1B-BF16-00001-of-00002.gguf", size: 130, lfs: { size: 40_000_000_000 } },
    { type: "file", path: "BF16/Lark-1B-BF16-00002-of-00002.gguf", size: 130, lfs: { size: 30_000_000_000 } },
  ],
};
export const asked = [];

createServer((request, response) => {
  const url = new URL(request.url, "http://hub");
  const repo = url.pathname.match(/^\/api\/models\/([^/]+\/[^/]+)(\/tree\/main)?$/);
  if (url.pathname === "/asked") return json(response, 200, asked);
  asked.push(request.url);
  if (url.pathname === "/api/models") {
    const text = (url.searchParams.get("search") ?? "").toLowerCase();
    if (text === "broken") return json(response, 503, { error: "The hub is being repaired" });
    const found = repositories.filter(({ id }) => id.toLowerCase().includes(text));
    const at = Number(url.searchParams.get("cursor") ?? 0);
    const limit = Number(url.searchParams.get("limit"));
    url.searchParams.set("cursor", at + limit);
    const more = at + limit < found.length;
    return json(response, 200, found.slice(at, at + limit), more ? { link: `<${url.pathname}${url.search}>; rel="next"` } : {});
  }
  const known = repo && repositories.find(({ id }) => id === repo[1]);
  if (!known) return json(response, 401, { error: "Repository not found" }, { "x-error-code": "RepoNotFound" });
  if (repo[2] && known.gated) return json(response, 403, { error: "gated" }, { "x-error-code": "GatedRepo" });
  if (repo[2]) return json(response, 200, trees[known.id] ?? []);
  json(response, 200, { ...known, cardData: { license: "apache-2.0" }, gguf: { total: 1_200_000_000, architecture: "lark", context_length: 32768 } });
}).listen(hubPort, "127.0.0.1");

// An Ollama: one model at the start; `slow` models take their time, `full` ones find no room
const models = new Map([["wren:2b", { size: 1_500_000_000 }]]);
const entry = (name, { size }) => ({
  name, model: name, size, digest: `sha256:${name}`,
  details: { family: "wren", format: "gguf", parameter_size: "2.1B", quantization_level: "Q4_K_M" },
});

createServer(async (request, response) => {
  const body = await new Promise((done) => {
    let text = "";
    request.on("data", (data) => { text += data; }).on("end", () => done(text ? JSON.parse(text) : {}));
  });
  const path = new URL(request.url, "http://ollama").pathname;
  if (path === "/api/version") return json(response, 200, { version: "0.12.3" });
  if (path === "/api/tags") return json(response, 200, { models: [...models].map(([name, model]) => entry(name, model)) });
  if (path === "/api/ps") return json(response, 200, { models: [{ ...entry("wren:2b", models.get("wren:2b")), context_length: 8192, size_vram: 0 }] });
  if (path === "/api/show" && models.has(body.model)) {
    return json(response, 200, {
      details: entry(body.model, models.get(body.model)).details, capabilities: ["completion", "tools"],
      model_info: { "wren.context_length": 32768, "general.architecture": "wren" }, template: "{{ .Prompt }}",
    });
  }
  if (path !== "/api/pull") return json(response, 404, { error: "not found" });
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  const write = (line) => response.write(`${JSON.stringify(line)}\n`);
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const total = 800_000_000;
  const step = body.model.includes("slow") ? total / 200 : total / 10;
  write({ status: "pulling manifest" });
  for (let completed = 0; completed <= total && !response.destroyed; completed += step) {
    write({ status: "pulling aaaa", digest: "sha256:aaaa", total, completed });
    await pause(150);
    if (body.model.includes("full") && completed > total / 4) {
      write({ error: "write /root/.ollama/models/blobs/sha256-aaaa-partial: no space left on device" });
      return response.end();
    }
  }
  write({ status: "verifying sha256 digest" });
  await pause(100);
  models.set(body.model.includes(":") ? body.model : `${body.model}:latest`, { size: total });
  write({ status: "success" });
  response.end();
}).listen(ollamaPort, "127.0.0.1");

// A server that wants a key
createServer((request, response) => {
  if (request.headers.authorization !== "Bearer sk-nightjar-42") return json(response, 401, { error: { message: "an API key is needed" } });
  if (request.url === "/v1/models") return json(response, 200, { object: "list", data: [{ id: "nightjar-7b", object: "model", owned_by: "vllm", max_model_len: 16384 }] });
  json(response, 404, { error: "not found" });
}).listen(keyedPort, "127.0.0.1");
