// Starts the release server itself, on a free port, with an empty home and its built-in demo server, and beside it the
// scripted hub and model servers of servers.mjs.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const binary = join(resolve(root, process.env.CARGO_TARGET_DIR ?? "target"), "release", "benchloop");

// this file is read by every worker: what is chosen once travels in the environment
const freePort = () => execFileSync(process.execPath, ["-e",
  "const s=require('net').createServer();s.listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})"]).toString().trim();
process.env.BENCHLOOP_TEST_PORT ??= freePort();
process.env.BENCHLOOP_TEST_HOME ??= mkdtempSync(join(tmpdir(), "benchloop-end2end-"));
for (const name of ["HUB", "OLLAMA", "KEYED"]) process.env[`BENCHLOOP_TEST_${name}`] ??= freePort();
const { BENCHLOOP_TEST_HUB: hub, BENCHLOOP_TEST_OLLAMA: ollama, BENCHLOOP_TEST_KEYED: keyed } = process.env;
const origin = `http://127.0.0.1:${process.env.BENCHLOOP_TEST_PORT}`;

const chromium = process.env.CHROMIUM || "/usr/bin/chromium";

export default defineConfig({
  testDir: "tests",
  timeout: 60_000,
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"]],
  use: {
    baseURL: origin,
    launchOptions: {
      executablePath: existsSync(chromium) ? chromium : undefined,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync"],
    },
  },
  webServer: [
    {
      command: `"${process.execPath}" servers.mjs ${hub} ${ollama} ${keyed}`,
      url: `http://127.0.0.1:${hub}/asked`,
      stdout: "ignore",
      stderr: "pipe",
    },
    {
      command: `"${binary}" serve --addr 127.0.0.1:${process.env.BENCHLOOP_TEST_PORT}`,
      url: origin,
      env: { ...process.env, BENCHLOOP_HOME: process.env.BENCHLOOP_TEST_HOME, HF_ENDPOINT: `http://127.0.0.1:${hub}` },
      gracefulShutdown: { signal: "SIGTERM", timeout: 5000 },
      stdout: "ignore",
      stderr: "pipe",
    },
  ],
});
