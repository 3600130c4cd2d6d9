// One demo run from the form to the leaderboard. The steps depend on each other.
import { expect, test } from "@playwright/test";
import { complaints, fitsAPhone, isAccessible, open } from "./support.mjs";

test.describe.configure({ mode: "serial" });

let address;

test("a demo model is picked and its run goes on before our eyes", async ({ page }) => {
  const found = complaints(page);
  await open(page, "/models");
  await page.locator("article.card", { hasText: "demo" }).first().getByRole("link", { name: /^Benchmark/ }).click();
  await expect(page).toHaveURL(/\/benchmark\?/);
  await page.getByRole("button", { name: "Run" }).click();
  await page.waitForURL(/\/runs\/[^?]+$/);
  address = new URL(page.url()).pathname;

  const bar = page.getByRole("progressbar", { name: "Overall progress" });
  await bar.waitFor();
  const before = Number(await bar.getAttribute("value"));
  await expect.poll(async () => Number(await bar.getAttribute("value")), { timeout: 30_000 }).toBeGreaterThan(before);
  expect(found).toEqual([]);
});

test("a reload in the middle loses nothing and follows on", async ({ page }) => {
  test.setTimeout(240_000);
  const found = complaints(page);
  await open(page, address);
  const bar = page.getByRole("progressbar", { name: "Overall progress" });
  if (await bar.isVisible()) {
    const before = Number(await bar.getAttribute("value"));
    expect(before).toBeGreaterThan(0);
    await page.reload();
    await page.locator("html[data-hydrated]").waitFor();
    if (await bar.isVisible()) expect(Number(await bar.getAttribute("value"))).toBeGreaterThanOrEqual(before);
  }
  await expect(page.locator("main .badge", { hasText: "completed" })).toBeVisible({ timeout: 200_000 });
  await expect(page.locator("dl.scores")).toBeVisible();
  expect(found).toEqual([]);
});

test("the result says what it is, and each row opens to its transcript", async ({ page }) => {
  const found = complaints(page);
  await open(page, address);
  await expect(page.locator("main")).toContainText("Demo: scripted answers; the figures measure nothing real.");
  await expect(page.locator("dl.scores .score")).toHaveCount(6);
  await page.locator("#tasks").getByRole("link", { name: /^failed/ }).click();
  await expect(page).toHaveURL(/verdict=failed/);
  await page.locator("#tasks").getByRole("link", { name: "all verdicts" }).click();
  await page.locator("#tasks tbody a.name").last().click();
  await expect(page.locator("tr.open .turns")).toBeVisible();
  await expect(page.locator("tr.open")).toContainText("Verdict");
  expect(found).toEqual([]);
});

test("what was found before the first task is folded away, with evidence", async ({ page }) => {
  await open(page, address);
  const preflight = page.locator("#preflight");
  await expect(preflight.locator(".found")).toBeHidden();
  await preflight.locator("summary").click();
  await expect(preflight).toContainText("Loads and answers");
  await expect(preflight).toContainText("protocol");
  await isAccessible(page);
  await fitsAPhone(page);
});

test("the result is accessible, fits a phone and is whole without script", async ({ page, browser }) => {
  await open(page, address);
  await isAccessible(page);
  await fitsAPhone(page);

  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(address);
  await plain.locator("#tasks tbody a.name").first().click();
  await expect(plain.locator("tr.open .turns")).toBeVisible();
  await plain.getByRole("link", { name: "Show run.json" }).click();
  await expect(plain.locator("#raw pre")).toContainText('"run_id"');
  await context.close();
});

test("the run stands on the demo board and not on the main one", async ({ page }) => {
  await open(page, "/leaderboard?source=demo");
  await expect(page.locator(`table.lb a[href="${address}"]`)).toBeVisible();
  await isAccessible(page);
  await fitsAPhone(page);
  await page.goto("/leaderboard");
  await expect(page.locator(`a[href="${address}"]`)).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "No ranked run yet" })).toBeVisible();
});

test("a run can start without the preflight check", async ({ page }) => {
  test.setTimeout(150_000);
  await open(page, "/models");
  await page.locator("article.card", { hasText: "demo-hasty" }).getByRole("link", { name: /^Benchmark/ }).click();
  await expect(page).toHaveURL(/\/benchmark\?/);
  for (const suite of await page.locator('input[name="form[suites][]"]:enabled').all()) await suite.uncheck();
  await page.getByRole("checkbox", { name: /^Instructions/ }).check();
  await page.getByText("Budgets, clocks, preflight").click();
  const box = page.getByRole("checkbox", { name: "Start without the preflight check" });
  await expect(box).not.toBeChecked();
  await box.check();
  await page.getByRole("button", { name: "Run" }).click();
  await page.waitForURL(/\/runs\/[^?]+$/);
  await expect(page.locator("main .badge", { hasText: "completed" })).toBeVisible({ timeout: 120_000 });
  await expect(page.locator("#machine")).toContainText("Preflightleft out");
  await expect(page.locator("#preflight")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Run again" })).toHaveAttribute("href", /skip_preflight=yes/);
});

test("without script a run is started, watched and cancelled", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/models");
  await page.locator("article.card", { hasText: "demo" }).first().getByRole("link", { name: /^Benchmark/ }).click();
  await page.getByRole("radio", { name: /^standard/ }).check();
  await page.getByRole("button", { name: "Run" }).click();
  await expect(page).toHaveURL(/\/runs\//);
  await expect(page.locator("noscript, meta[http-equiv=refresh]").first()).toBeAttached();
  await page.getByRole("button", { name: "Cancel run" }).click();
  await expect(page.locator("main .badge", { hasText: "cancelled" })).toBeVisible({ timeout: 30_000 });
  await context.close();
});
