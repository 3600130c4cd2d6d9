// What every page must hold, as functions that the specs share.
import AxeBuilder from "@axe-core/playwright";
import { expect } from "@playwright/test";

/** Collects what the console and the page complain about. */
export function complaints(page) {
  const found = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) found.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => found.push(`page error: ${error.message}`));
  return found;
}

/** Opens a page and waits until the script has taken it over. */
export async function open(page, path) {
  const answer = await page.goto(path);
  await page.locator("html[data-hydrated]").waitFor();
  return answer;
}

/** No rule of WCAG 2 A and AA is broken, in light and in dark. */
export async function isAccessible(page) {
  for (const colorScheme of ["light", "dark"]) {
    // without motion, so that no colour is caught half-way
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]).analyze();
    const words = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${colorScheme} ${id}: ${node.html}\n  ${node.failureSummary}`));
    expect(words, words.join("\n")).toEqual([]);
  }
}

/** On a phone nothing but tables and code scrolls sideways. */
export async function fitsAPhone(page) {
  await page.setViewportSize({ width: 390, height: 844 });
  const { content, width } = await page.evaluate(() => ({ content: document.documentElement.scrollWidth, width: innerWidth }));
  expect(content, "the page scrolls sideways at 390 px").toBeLessThanOrEqual(width);
}
