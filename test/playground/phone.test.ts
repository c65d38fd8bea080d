import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { secondTry } from "../suite-config.ts";
import { launchChromium, noChromium, PAGE_PATIENCE, type servePages } from "../support/chromium.ts";
import { servedPlayground } from "./support/served.ts";

const screen = { width: 390, height: 844 };
/** CSS pixels that a thumb hits: WCAG 2.2, 2.5.5 “Target Size (Enhanced)”. */
const TARGET = 44;
const tabs = ["source", "types", "run", "simulate", "graph", "jq"];
const screenshots = fileURLToPath(new URL("./screenshots/", import.meta.url));

describe.skipIf(noChromium !== undefined)(noChromium ?? "the playground on a phone", secondTry, () => {
  let browser: Browser;
  let pages: Awaited<ReturnType<typeof servePages>>;
  let page: Page;

  beforeAll(async () => {
    [browser, pages] = await Promise.all([launchChromium(), servedPlayground()]);
    const context = await browser.newContext({
      viewport: screen,
      hasTouch: true,
      isMobile: true,
      serviceWorkers: "block",
    });
    page = await context.newPage();
    page.setDefaultTimeout(PAGE_PATIENCE);
    await page.goto(`${pages.url}/#example=broken`);
    await page.locator("#problems .problem").nth(8).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  test.each(tabs)("the tab %s is one screen, nothing wider, and targets are large enough", async (tab) => {
    await page.tap(`#tab-${tab}`);
    const shown = tab === "source" ? page.locator("#source") : page.locator(`#panel-${tab}`);
    await shown.waitFor();
    // Its contents are made in a worker.
    if (tab === "types") await shown.locator(".type").first().waitFor();
    if (tab === "graph") await shown.locator("svg .card").first().waitFor();
    for (const other of tabs.filter((each) => each !== tab))
      expect(await page.locator(other === "source" ? "#source" : `#panel-${other}`).isVisible()).toBe(false);
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      mkdirSync(screenshots, { recursive: true });
      await page.screenshot({ path: `${screenshots}phone-${tab}-${theme}.png` });
    }
    expect(await page.evaluate<string[]>(`${tooWide}(${screen.width})`)).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollHeight")).toBeLessThanOrEqual(
      screen.height,
    );
    expect(await page.evaluate<string[]>(`${tooSmall}(${TARGET})`)).toEqual([]);
  });

  test("what a run tells fits as well", async () => {
    await page.goto("about:blank");
    await page.goto(`${pages.url}/#example=forms`);
    await page.tap("#tab-run");
    const run = page.locator("#panel-run");
    await run.getByRole("button", { name: "Run", exact: true }).tap();
    await run.locator(".trace summary").first().waitFor();
    await page.screenshot({ path: `${screenshots}phone-run-trace.png` });
    expect(await page.evaluate<string[]>(`${tooSmall}(${TARGET})`)).toEqual([]);
    expect(await page.evaluate<string[]>(`${tooWide}(${screen.width})`)).toEqual([]);
  });

  test("what one goes to is shown where it is written", async () => {
    await page.tap("#tab-types");
    await page.locator("#panel-types .outline button, #panel-types button.key").first().tap();
    await page.locator("#source #editor").waitFor();
    expect(await page.locator("#tab-source").getAttribute("aria-selected")).toBe("true");
  });

  test("turned to a wide window, the editor stands beside a panel again", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.locator("#panel-types").waitFor();
    expect(await page.locator("#source").isVisible()).toBe(true);
    expect(await page.locator("#tab-source").isVisible()).toBe(false);
    await page.setViewportSize(screen);
    await page.locator("#panel-types").waitFor({ state: "hidden" });
    expect(await page.locator("#source").isVisible()).toBe(true);
  });

  test("a sentence says what it is, and its link leads to a page that fits as well", async () => {
    await page.getByRole("link", { name: "What is configc?" }).tap();
    await page.getByRole("heading", { name: "What is configc?" }).waitFor();
    expect(await page.evaluate<string[]>(`${tooWide}(${screen.width})`)).toEqual([]);
    await page.screenshot({ path: `${screenshots}phone-about.png` });
    await page.getByRole("link", { name: "Open the playground" }).tap();
    await page.locator("#editor .cm-content").waitFor();
  });
});

/** Elements that reach beyond the screen, but for what scrolls within an element that doesn't. */
const tooWide = `(function (width) {
  const scrolls = (element) => {
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement)
      if (/auto|scroll|hidden/.test(getComputedStyle(at).overflowX)) return true;
    return false;
  };
  const wide = [...document.querySelectorAll("body *")].filter((element) => {
    const { left, right, width: own } = element.getBoundingClientRect();
    return own > 1 && (right > width + 0.5 || left < -0.5) && !scrolls(element);
  });
  const page = document.documentElement.scrollWidth > width ? ["the page"] : [];
  return [...page, ...wide.map(({ outerHTML }) => outerHTML.slice(0, 120))];
})`;

/** What can be pressed and is smaller than a thumb, the link within a sentence too. */
const tooSmall = `(function (least) {
  return [...document.querySelectorAll("button, a, select, summary, [role=tab]")]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width < least - 0.1 || height < least - 0.1;
    })
    .map((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width.toFixed(0) + "×" + height.toFixed(0) + " " + element.outerHTML.slice(0, 100);
    });
})`;
