import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { unnamed } from "./support/unnamed.ts";
import { canRun, Window } from "./support/window.ts";

const example = readFileSync(
  fileURLToPath(new URL("../../examples/crm/crm.app.json", import.meta.url)),
  "utf8",
);

describe.skipIf(!canRun)("the graph of an app", () => {
  let window: Window;
  beforeAll(async () => {
    window = await Window.open({ "crm.app.json": example });
    await window.openFile("crm.app.json");
    await window.theme("light");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(() => window?.close());

  test("stands beside the config, and a click goes to the source", async () => {
    const { page } = window;
    const size = page.viewportSize()!;
    await page.setViewportSize({ ...size, width: 760 });
    await window.command("configc: Show the Graph of the App");
    const panel = window.panel();
    await panel.locator("svg[role=group]").waitFor();
    // However narrow the panel is, there is something to see.
    const first = panel.locator(".card[data-pointer]").first();
    await expect
      .poll(() =>
        first.evaluate((card) => {
          const { left, top } = card.getBoundingClientRect();
          const { clientWidth, clientHeight } = card.ownerDocument.documentElement;
          return left >= 0 && left < clientWidth && top >= 0 && top < clientHeight;
        }),
      )
      .toBe(true);
    await page.setViewportSize(size);
    await window.screenshot("21-graph-light");
    const intake = panel.locator(".card.intake[data-pointer]").first();
    const title = await intake.locator("> text").first().textContent();
    await intake.focus();
    expect(unnamed(await panel.locator("main").ariaSnapshot())).toEqual([]);
    await page.keyboard.press(" ");
    const line = page.locator(".editor-instance .view-line", { hasText: `"name": "${title}"` });
    await line.first().waitFor();
  });

  test("follows the theme and what is typed", async () => {
    await window.theme("dark");
    await window.page.locator(".tab", { hasText: "crm.app.json" }).first().click();
    await window.goBehind('"name": "change.');
    await window.page.keyboard.type("won-");
    const card = window.panel().locator(".card.intake", { hasText: "change.won-deal" });
    await card.waitFor();
    await window.screenshot("22-graph-dark");
    expect(await card.count()).toBe(1);
  });
});
