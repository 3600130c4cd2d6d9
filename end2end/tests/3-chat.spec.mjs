// A chat: streaming, stop, two models, figures, reload; and answers that try to be more than text.
import { createServer } from "node:http";
import { expect, test } from "@playwright/test";
import { complaints, fitsAPhone, isAccessible, open } from "./support.mjs";

const message = (page) => page.getByRole("textbox", { name: "Message" });
const replies = (page) => page.locator("article.reply");
const done = (page, place) => expect(replies(page).nth(place).locator("dl.figs")).toBeVisible({ timeout: 20_000 });

/** Opens a chat with a demo model whose answers are short. */
async function chat(page, model, tokens) {
  await open(page, "/models");
  await page.getByRole("link", { name: `Chat with ${model}` }).click();
  await expect(page).toHaveURL(/\/chat\?endpoint=/);
  await expect(page.getByRole("combobox", { name: "Model", exact: true })).toHaveValue(new RegExp(` ${model}$`));
  await page.getByText("System prompt and sampling").click();
  await page.getByLabel("Most tokens").fill(String(tokens));
}

/** A model server that says one text in pieces and remembers what it was asked. */
async function saying(text, { gap = 5 } = {}) {
  const asked = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (data) => { body += data; });
    request.on("end", async () => {
      asked.push(JSON.parse(body));
      response.writeHead(200, { "content-type": "text/event-stream" });
      const say = (value) => response.write(`data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`);
      for (const piece of text.match(/[\s\S]{1,9}/g)) {
        say({ choices: [{ delta: { content: piece } }] });
        await new Promise((next) => setTimeout(next, gap));
      }
      say({ choices: [{ delta: {}, finish_reason: "stop" }] });
      say({ choices: [], usage: { prompt_tokens: 12, completion_tokens: Math.ceil(text.length / 9) } });
      say("[DONE]");
      response.end();
    });
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const endpoint = `http://127.0.0.1:${server.address().port}`;
  return { address: `/chat?endpoint=${encodeURIComponent(endpoint)}&model=own&provider=openai_compat`, asked, server };
}

test("an answer is written before our eyes and ends with its figures", async ({ page }) => {
  const found = complaints(page);
  await chat(page, "demo-thinker", 120);
  await message(page).fill("First line");
  await message(page).press("Shift+Enter");
  await message(page).pressSequentially("second line");
  await message(page).press("Enter");
  await expect(page.locator(".prompt p")).toHaveText("First line\nsecond line");
  await expect(replies(page).locator("header")).toContainText("answering", { timeout: 10_000 });
  await done(page, 0);
  for (const name of ["First token", "First of answer", "Decode", "Tokens out", "Total"]) {
    await expect(replies(page).locator("dl.figs > div", { hasText: name }).first().locator("dd")).toHaveText(/\d/);
  }
  await expect(replies(page).locator("header")).toContainText("truncated, length");
  await expect(replies(page).locator("details.thought .think")).toBeHidden();
  await replies(page).getByText(/^Thought, \d+ characters/).click();
  await expect(replies(page).locator("details.thought .think")).toContainText("First I look at what is asked");
  await isAccessible(page);
  await fitsAPhone(page);
  expect(found).toEqual([]);
});

test("a reload keeps the conversation, and clearing forgets it", async ({ page }) => {
  await chat(page, "demo-hasty", 20);
  await message(page).fill("Remember me");
  await message(page).press("Enter");
  await done(page, 0);
  const figures = await replies(page).locator("dl.figs").innerText();
  await page.reload();
  await page.locator("html[data-hydrated]").waitFor();
  await expect(page.locator(".prompt p")).toHaveText("Remember me");
  expect(await replies(page).locator("dl.figs").innerText()).toBe(figures);
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page.getByRole("heading", { name: "Nothing asked yet" })).toBeVisible();
  await expect(message(page)).toBeFocused();
  await page.reload();
  await expect(page.locator(".prompt")).toHaveCount(0);
});

test("stop ends the answer here and on the server", async ({ page }) => {
  const found = complaints(page);
  const long = await saying("word ".repeat(4000), { gap: 20 });
  let closed = false;
  long.server.on("request", (_, response) => response.on("close", () => { closed = !response.writableEnded; }));
  await open(page, long.address);
  await message(page).fill("Talk");
  await message(page).press("Enter");
  await expect(replies(page).locator(".md")).toContainText("word word");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(replies(page).locator("header")).toContainText("stopped");
  await expect.poll(() => closed, { timeout: 5000 }).toBe(true);
  await expect(message(page)).toBeFocused();
  await expect(replies(page)).toContainText("Stopped, so nothing was measured");
  expect(found).toEqual([]);
  long.server.closeAllConnections();
  long.server.close();
});

test("two models answer one prompt, one after the other on one machine", async ({ page }) => {
  const found = complaints(page);
  await chat(page, "demo-steady", 60);
  await page.getByRole("button", { name: "Ask a second model too" }).click();
  await page.getByLabel("Second model", { exact: true }).selectOption({ label: "demo-hasty" });
  await expect(page.locator("main")).toContainText("they are asked one after the other");
  await message(page).fill("Which of you is faster?");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(replies(page).nth(1).locator("header")).toContainText("waits for its turn");
  await done(page, 1);
  await done(page, 0);
  await expect(replies(page).nth(0).getByRole("heading")).toHaveText("demo-steady");
  await expect(replies(page).nth(1).getByRole("heading")).toHaveText("demo-hasty");
  await page.getByRole("button", { name: "Ask again" }).click();
  await expect(replies(page)).toHaveCount(2);
  await done(page, 1);
  await isAccessible(page);
  await fitsAPhone(page);
  expect(found).toEqual([]);
});

test("an answer is text, whatever it holds, and what was said before is told again", async ({ page }) => {
  const found = complaints(page);
  const answer = "# Title ü 𝄞\n\n<script>document.body.dataset.hacked = 1</script> <img src=x onerror=\"document.body.dataset.hacked=1\">\n\n" +
    "[bad](javascript:document.body.dataset.hacked=1) and [good](https://bank.example@evil.example/x)\n\n" +
    "| a | b |\n|---|--:|\n| 1 | 2 |\n\n- one\n  - two\n\n> said\n\n```js\nconst a = \"<b>\";\n```\n\n**bold** `code`";
  const own = await saying(answer);
  await open(page, own.address);
  await page.getByText("System prompt and sampling").click();
  await page.getByLabel("System prompt", { exact: true }).fill("Be plain.");
  await page.getByLabel("Temperature").fill("0.3");
  await message(page).fill("Show off");
  await message(page).press("Enter");
  await done(page, 0);
  const md = replies(page).locator(".md");
  await expect(md.locator("script, img, iframe, style")).toHaveCount(0);
  await expect(md).toContainText("<script>document.body.dataset.hacked = 1</script>");
  await expect(md).toContainText("[bad](javascript:document.body.dataset.hacked=1)");
  await expect(md.locator("h3")).toHaveText("Title ü 𝄞");
  await expect(md.locator("a")).toHaveCount(1);
  await expect(md.locator("a")).toHaveAttribute("rel", /noopener/);
  await expect(md).toContainText("good (evil.example)");
  await expect(md.locator("td").nth(1)).toHaveText("2");
  await expect(md.locator("ul ul li")).toHaveText("two");
  await expect(md.locator("pre")).toHaveText("const a = \"<b>\";");
  await expect(md.locator("strong")).toHaveText("bold");
  expect(await page.evaluate(() => document.body.dataset.hacked)).toBeUndefined();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await md.getByRole("button", { name: "Copy" }).click();
  await expect(md.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("const a = \"<b>\";");
  await isAccessible(page);

  await message(page).fill("And again");
  await message(page).press("Enter");
  await done(page, 1);
  expect(own.asked[1].messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  expect(own.asked[1].messages[2].content).toBe(answer);
  expect(own.asked[1].temperature).toBe(0.3);
  expect(found).toEqual([]);
  own.server.close();
});

test("a server that is gone is said, and a setting that is no number is not sent", async ({ page }) => {
  await open(page, "/chat?endpoint=http%3A%2F%2F127.0.0.1%3A9&model=gone");
  await message(page).fill("Hello?");
  await message(page).press("Enter");
  await expect(replies(page)).toContainText("Could not chat with the server at http://127.0.0.1:9: nothing is listening.");
  await page.getByText("System prompt and sampling").click();
  await page.getByLabel("Seed").fill("x");
  await page.getByRole("button", { name: "Ask again" }).click();
  await expect(replies(page)).toContainText("Could not send the seed: “x” is no such number.");
});

test("beside a measured run a chat is refused unless it is wanted all the same", async ({ page }) => {
  await open(page, "/models");
  await page.locator("article.card", { hasText: "demo-steady" }).getByRole("link", { name: /^Benchmark/ }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.waitForURL(/\/runs\/[^?]+$/);
  const run = page.url();
  await chat(page, "demo-hasty", 20);
  await message(page).fill("Now?");
  await message(page).press("Enter");
  await expect(replies(page)).toContainText("a call now would disturb its figures");
  await page.getByRole("button", { name: "Chat anyway" }).click();
  await done(page, 0);
  await page.goto(run);
  await page.getByRole("button", { name: "Cancel run" }).click();
  await expect(page.locator("main .badge", { hasText: "cancelled" })).toBeVisible({ timeout: 30_000 });
});

test("without script the page says that it needs it", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/chat");
  await expect(page.locator("noscript p")).toBeVisible();
  await expect(page.locator("noscript p")).toContainText("Chat needs JavaScript");
  await context.close();
});
