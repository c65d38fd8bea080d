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

  test("closes a card and all of them, by the mouse and by the keyboard", async () => {
    const { page } = window;
    const panel = window.panel();
    const rows = panel.locator(".card g[data-pointer]");
    const all = await rows.count();
    const intake = panel.locator(".card.intake").first();
    const own = await intake.locator("g[data-pointer]").count();
    expect(own).toBeGreaterThan(0);
    await intake.locator(".fold").click();
    await expect.poll(() => rows.count()).toBe(all - own);
    const folded = panel.locator(".fold[aria-expanded=false]");
    expect(await folded.count()).toBe(1);
    await folded.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => rows.count()).toBe(all);
    await panel.getByRole("button", { name: "Collapse all" }).click();
    await expect
      .poll(() => panel.locator(".card.workflow g[data-pointer], .card.intake g[data-pointer]").count())
      .toBe(0);
    expect(unnamed(await panel.locator("main").ariaSnapshot())).toEqual([]);
    await window.screenshot("23-graph-closed");
    await panel.getByRole("button", { name: "Expand all" }).click();
    await expect.poll(() => rows.count()).toBe(all);
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
