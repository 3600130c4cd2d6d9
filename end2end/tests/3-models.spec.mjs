// Servers, keys, Hugging Face and pulls, against the scripted counterparts of servers.mjs. The steps depend on each other.
import { expect, test } from "@playwright/test";
import { complaints, fitsAPhone, isAccessible, open } from "./support.mjs";

test.describe.configure({ mode: "serial" });

const at = (name) => `http://127.0.0.1:${process.env[`BENCHLOOP_TEST_${name}`]}`;
const asked = async (page) => (await page.request.get(`${at("HUB")}/asked`)).json();

test("nothing is asked of Hugging Face before the user searches", async ({ page }) => {
  await open(page, "/models");
  await expect(page.getByRole("heading", { name: "Find on Hugging Face" })).toBeVisible();
  expect(await asked(page)).toEqual([]);
});

test("a server is added, recognised with its evidence, and its model shown", async ({ page }) => {
  const found = complaints(page);
  await open(page, "/models");
  await page.getByLabel("Other server").fill(at("OLLAMA"));
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const row = page.locator("table.servers tr", { hasText: at("OLLAMA") });
  await expect(row).toContainText("Ollama");
  await expect(row).toContainText("Recognised by");
  const card = page.locator("article.card", { hasText: "wren:2b" });
  await expect(card).toContainText("Q4_K_M · 2.1B · wren · Ollama");
  await expect(card).toContainText("1.5 GB");
  await expect(card.getByRole("link", { name: "Benchmark wren:2b" })).toHaveAttribute("href", /model=wren%3A2b/);
  expect(found).toEqual([]);
});

test("a refused address stays in its field, with the reason", async ({ page }) => {
  await open(page, "/models");
  await page.getByLabel("Other server").fill("ftp://x");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.locator("#url-why")).toContainText("http");
  await expect(page.getByLabel("Other server")).toHaveValue("ftp://x");
});

test("a server that wants a key gets one, and the key is never rendered", async ({ page }) => {
  await open(page, "/models");
  await page.getByLabel("Other server").fill(at("KEYED"));
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const row = page.locator("table.servers tr", { hasText: at("KEYED") });
  await expect(row).toContainText("needs a key");
  const field = row.getByLabel(/^API key for/);
  await expect(field).toHaveAttribute("type", "password");
  await field.fill("sk-nightjar-42");
  await row.getByRole("button", { name: "Save key" }).click();
  await expect(row).toContainText("reachable");
  await expect(page.locator("article.card", { hasText: "nightjar-7b" })).toBeVisible();
  const html = await (await page.request.get("/models")).text();
  expect(html).not.toContain("sk-nightjar-42");
  expect(html).toContain("nightjar-7b");
});

test("a model is asked what it can do, and the card says it with evidence", async ({ page }) => {
  test.setTimeout(150_000);
  const found = complaints(page);
  const asked = [];
  page.on("request", (request) => request.url().includes("/fn/card") && asked.push(request.method()));
  await open(page, "/models");
  const card = page.locator("article.card", { hasText: "demo-steady" });
  await card.getByText("Details").click();
  expect(asked, "nothing is asked before the button is pressed").toEqual([]);
  const button = card.getByRole("button", { name: "Check what it can do: demo-steady" });
  await button.click();
  await expect(card.getByRole("status")).toContainText("Looking at demo-steady: about ten short questions, up to 90 s");
  await card.getByRole("button", { name: "Cancel" }).click();
  await expect(card.getByRole("status")).toBeEmpty();
  await button.click();
  await expect(card.getByRole("status")).toContainText("stands in the way of a run", { timeout: 120_000 });
  await expect(card.locator(".found dl > div")).toHaveCount(18);
  const streams = card.locator(".found dl > div", { hasText: "Streaming" });
  await expect(streams).toContainText("yes");
  await expect(streams).toContainText("chunks");
  await expect(card.locator(".found time")).toBeVisible();
  expect(asked).toEqual(["POST", "POST"]);
  await isAccessible(page);
  await fitsAPhone(page);
  expect(found).toEqual([]);
});

test("a model that cannot answer says why, and what to do", async ({ page }) => {
  await open(page, "/models");
  const card = page.locator("article.card", { hasText: "wren:2b" });
  await card.getByText("Details").click();
  await card.getByRole("button", { name: "Check what it can do: wren:2b" }).click();
  await expect(card.getByRole("status")).toContainText("No run can start", { timeout: 30_000 });
  await expect(card.getByRole("status")).toContainText("What to do: ");
  await expect(card.locator(".found dl > div").first()).toContainText("no");
  await isAccessible(page);
});

test("without script the check is a command", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/models");
  const card = page.locator("article.card", { hasText: "wren:2b" });
  await card.getByText("Details").click();
  await expect(card.getByRole("button", { name: "Check what it can do: wren:2b" })).toBeDisabled();
  await expect(card.locator("pre")).toContainText(`benchloop probe --endpoint '${at("OLLAMA")}' --model 'wren:2b'`);
  await context.close();
});

test("typing searches after a pause, the address holds it, pages go on and back", async ({ page }) => {
  const found = complaints(page);
  await open(page, "/models");
  const before = (await asked(page)).length;
  await page.getByRole("searchbox", { name: "Search" }).pressSequentially("lark", { delay: 40 });
  const table = page.locator("table.hub");
  await expect(table.locator("tbody tr")).toHaveCount(20);
  await expect(page).toHaveURL(/hf=lark/);
  expect((await asked(page)).length - before, "one question for four letters").toBe(1);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(table).toContainText("Lark-21B-GGUF");
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("Page 3, the last")).toBeVisible();
  await expect(table.locator("tbody tr")).toHaveCount(5);
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(table).toContainText("Lark-21B-GGUF");
  expect(found).toEqual([]);
});

test("a repository opens to its files, parts summed, each with an estimate", async ({ page }) => {
  const found = complaints(page);
  await open(page, "/models?hf=lark");
  await page.getByRole("link", { name: "Lark-1B-GGUF", exact: true }).click();
  await expect(page).toHaveURL(/repo=ateliers%2FLark-1B-GGUF/);
  const files = page.locator("table.files tbody tr");
  await expect(files).toHaveCount(3);
  await expect(files.nth(2)).toContainText("2 parts");
  await expect(files.nth(2)).toContainText("70.0");
  await expect(files.nth(2)).toContainText("does not fit");
  await expect(files.nth(0).getByRole("img")).toHaveAttribute("aria-label", /× 1.1 = /);
  await page.getByText("How this is estimated").click();
  await expect(page.locator(".repo")).toContainText("Not known: the model's shape");
  await isAccessible(page);
  await fitsAPhone(page);
  expect(found).toEqual([]);
});

test("gated, missing and a hub in trouble are said in words", async ({ page }) => {
  await open(page, "/models?repo=ateliers/Lark-2B-GGUF");
  await expect(page.locator(".repo")).toContainText("gated");
  await open(page, "/models?repo=no/such");
  await expect(page.locator("#hub")).toContainText("no such repository, or it is private");
  await open(page, "/models?hf=broken");
  await expect(page.locator("#hub")).toContainText("503: The hub is being repaired");
  await expect(page.getByRole("heading", { name: "Servers" })).toBeVisible();
});

test("a pull shows progress, outlives a reload, is cancelled and goes on", async ({ page }) => {
  const found = complaints(page);
  await open(page, "/models");
  await page.getByLabel("Name").fill("slow-lark");
  await page.getByRole("button", { name: "Pull", exact: true }).click();
  const bar = page.getByRole("progressbar", { name: "Pulling slow-lark" });
  await expect.poll(async () => Number(await bar.getAttribute("value"))).toBeGreaterThan(1);
  await page.reload();
  await page.locator("html[data-hydrated]").waitFor();
  const before = Number(await bar.getAttribute("value"));
  expect(before).toBeGreaterThan(1);
  await expect.poll(async () => Number(await bar.getAttribute("value"))).toBeGreaterThan(before);
  await expect(page.locator(".pull")).toContainText("MB/s");
  await isAccessible(page);
  await page.getByRole("button", { name: "Cancel pulling slow-lark" }).click();
  await expect(page.locator(".pull")).toContainText("cancelled");
  await expect(page.getByRole("button", { name: "Go on pulling slow-lark" })).toBeVisible();
  await page.getByRole("button", { name: "Take slow-lark off the list" }).click();
  await expect(page.locator(".pull")).toHaveCount(0);
  expect(found).toEqual([]);
});

test("a full disk is named with what to do, and can be tried again", async ({ page }) => {
  await open(page, "/models");
  await page.getByLabel("Name").fill("full-lark");
  await page.getByRole("button", { name: "Pull", exact: true }).click();
  await expect(page.locator(".pull")).toContainText("no space left on device", { timeout: 15_000 });
  await expect(page.locator(".pull")).toContainText("Free space there");
  await expect(page.getByRole("button", { name: "Try again pulling full-lark" })).toBeVisible();
  await page.getByRole("button", { name: "Take full-lark off the list" }).click();
});

test("a file is pulled from Hugging Face and then offered", async ({ page }) => {
  const found = complaints(page);
  await open(page, "/models?repo=ateliers/Lark-1B-GGUF");
  await page.getByRole("button", { name: "Pull Q4_K_M of ateliers/Lark-1B-GGUF" }).click();
  await expect(page.locator(".pull")).toContainText("pulled", { timeout: 15_000 });
  await expect(page.locator("article.card", { hasText: "hf.co/ateliers/Lark-1B-GGUF:Q4_K_M" })).toBeVisible();
  await isAccessible(page);
  await fitsAPhone(page);
  expect(found).toEqual([]);
});

test("without script a search, a pull and its cancel work by forms", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/models");
  await page.getByRole("searchbox", { name: "Search" }).fill("lark-3");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.locator("table.hub tbody tr").first()).toContainText("Lark-3B-GGUF");
  await page.getByLabel("Name").fill("slow-finch");
  await page.getByRole("button", { name: "Pull", exact: true }).click();
  await expect(page).toHaveURL(/hf=lark(-|%2D)3/);
  await expect(page.locator(".pull").first()).toContainText("slow-finch");
  await page.getByRole("button", { name: "Cancel pulling slow-finch" }).click();
  await expect(page.locator(".pull").first()).toContainText("cancelled");
  await context.close();
});

test("what was added is removed", async ({ page }) => {
  await open(page, "/models");
  for (const name of ["OLLAMA", "KEYED"]) {
    await page.getByRole("button", { name: `Remove ${at(name)}` }).click();
    await expect(page.locator("table.servers tr", { hasText: at(name) })).toHaveCount(0);
  }
});
