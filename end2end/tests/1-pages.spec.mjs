import { expect, test } from "@playwright/test";
import { complaints, fitsAPhone, isAccessible, open } from "./support.mjs";

const pages = [
  ["/", "Models"],
  ["/models", "Models"],
  ["/benchmark", "Run a benchmark"],
  ["/leaderboard", "Leaderboard"],
  ["/leaderboard?source=demo&sort=tok_s", "Demo leaderboard"],
  ["/chat", "Chat"],
  ["/method", "How we measure"],
];

for (const [path, heading] of pages) {
  test(`${path} comes alive without a complaint`, async ({ page }) => {
    const found = complaints(page);
    await open(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    expect(found).toEqual([]);
  });

  test(`${path} is accessible and fits a phone`, async ({ page }) => {
    await open(page, path);
    await isAccessible(page);
    await fitsAPhone(page);
  });

  test(`${path} is whole without script`, async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    await expect(page.locator("[aria-busy]")).toHaveCount(0);
    await context.close();
  });
}

test("what is not there says so, with status 404", async ({ page }) => {
  for (const path of ["/nosuch", "/runs/nosuch"]) {
    const answer = await open(page, path);
    expect(answer.status(), path).toBe(404);
    await expect(page.locator("main .state")).toBeVisible();
  }
  expect((await page.request.get("/api/nosuch")).status()).toBe(404);
});

test("pages carry the policy and the frame of safe headers", async ({ page }) => {
  const headers = (await page.request.get("/leaderboard")).headers();
  expect(headers["content-security-policy"]).toMatch(/script-src 'self' 'nonce-[^']+' 'wasm-unsafe-eval'/);
  expect(headers["x-content-type-options"]).toBe("nosniff");
});

test("files are compressed, revalidated and never sent twice", async ({ request }) => {
  const first = await request.get("/pkg/benchloop.wasm", { headers: { "accept-encoding": "br" } });
  expect(first.headers()["content-encoding"]).toBe("br");
  expect(first.headers()["cache-control"]).toBe("no-cache");
  const again = await request.get("/pkg/benchloop.wasm", {
    headers: { "accept-encoding": "br", "if-none-match": first.headers().etag },
  });
  expect(again.status()).toBe(304);
});

test("a foreign page is refused on calls, for every method", async ({ request }) => {
  for (const path of ["/fn/servers", "/fn/chat", "/live/runs/x", "/api/nosuch"]) {
    for (const method of ["GET", "POST"]) {
      const answer = await request.fetch(path, { method, headers: { "sec-fetch-site": "cross-site" } });
      expect(answer.status(), `${method} ${path}`).toBe(403);
    }
  }
});

test("the theme button outlives a reload", async ({ page }) => {
  await open(page, "/method");
  await page.getByRole("button", { name: /^Theme/ }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
});

test("a refused plan keeps its values and names the field, with script", async ({ page }) => {
  await open(page, "/benchmark?model=some-model&endpoint=http://127.0.0.1:9");
  await page.getByLabel(/of each task/).fill("0");
  await page.getByRole("button", { name: "Run" }).click();
  await expect(page.locator("#why-trials")).toContainText("no whole number from 1 to 9");
  await expect(page.getByLabel(/of each task/)).toHaveValue("0");
});

test("a refused plan keeps its values and names the field, without script", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/benchmark?model=some-model&endpoint=http://127.0.0.1:9");
  await page.getByLabel(/of each task/).fill("0");
  await page.getByRole("button", { name: "Run" }).click();
  await expect(page).toHaveURL(/\/benchmark\?/);
  await expect(page.locator("#why-trials")).toContainText("no whole number from 1 to 9");
  await expect(page.getByLabel(/of each task/)).toHaveValue("0");
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("some-model");
  await context.close();
});
