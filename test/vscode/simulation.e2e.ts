import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { unnamed } from "./support/unnamed.ts";
import { canRun, Window } from "./support/window.ts";

const polling = new URL("../../packages/simulate/test/polling/", import.meta.url);
const right = readFileSync(new URL("right.app.json", polling), "utf8");
const mistakes = JSON.parse(readFileSync(new URL("mistakes.json", polling), "utf8")) as readonly {
  readonly name: string;
  readonly edits: readonly (readonly [string, string])[];
}[];

/** The right app with one of its mistakes. */
function broken(name: string): string {
  const { edits } = mistakes.find((each) => each.name === name)!;
  return edits.reduce((text, [from, to]) => text.replace(from, () => to), right);
}

describe.skipIf(!canRun)("an app against a simulated service", () => {
  let window: Window;
  beforeAll(async () => {
    window = await Window.open({
      "right.app.json": right,
      "shop.app.json": broken("pages by number over a list that moves"),
    });
    await window.openFile("shop.app.json");
    await window.theme("light");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(() => window?.close());

  const verdict = (text: RegExp) =>
    window.panel().getByRole("status").filter({ hasText: text }).waitFor({ timeout: 90_000 });

  test("the lens above an intake brings the story of a record that is lost", async () => {
    const { page } = window;
    await window.pressLens("Simulate", '"name": "customers"', window.panel().getByRole("status"));
    await verdict(/in which a law breaks/);
    const failure = window.panel().getByRole("article").filter({ hasText: "everything-arrives" }).first();
    expect(await failure.getByLabel("Story").innerText()).toMatch(/never arrives/);
    expect(await failure.innerText()).toContain("Cure: ");
    expect(unnamed(await window.panel().locator("main").ariaSnapshot())).toEqual([]);
    await window.screenshot("81-simulation-light");

    await failure.getByRole("button", { name: "Go to the place" }).click();
    const line = page.locator(".editor-instance .monaco-editor.focused .view-line", { hasText: "page" });
    await line.first().waitFor();
    expect((await window.problems(1)).join()).toMatch(/never arrived/);
  });

  test("it looks as well in the dark and in high contrast", async () => {
    await window.theme("dark");
    await window.screenshot("82-simulation-dark");
    window.write(".vscode/settings.json", '{"workbench.colorTheme": "Default High Contrast"}');
    await window.page.locator(".monaco-workbench.hc-black").waitFor();
    await window.screenshot("83-simulation-contrast");
    window.write(".vscode/settings.json", "{}");
    await window.page.locator(".monaco-workbench.hc-black").waitFor({ state: "detached" });
    await window.theme("light");
  });

  test("what was found becomes a test case", async () => {
    const failure = window.panel().getByRole("article").filter({ hasText: "everything-arrives" }).first();
    await failure.getByRole("button", { name: "Save as test case" }).click();
    // It may be called otherwise.
    await window.page.locator(".quick-input-widget input").waitFor();
    await window.page.keyboard.press("Enter");
    const file = join(window.folder, "shop.apptest.json");
    await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true);
    await window.page.locator(".tab.active", { hasText: "shop.apptest.json" }).waitFor();
    const [only] = JSON.parse(readFileSync(file, "utf8")).cases;
    expect(only.world.hypotheses).toMatchObject({ paging: "live" });
  });

  test("it can be stopped, and tells that the config has changed since", async () => {
    const { page } = window;
    await page.locator(".tab", { hasText: "shop.app.json" }).first().click();
    await window.goBehind('"label": "');
    await page.keyboard.type("New ");
    await verdict(/the config has changed since/);
    await window.panel().getByRole("button", { name: "Simulate again" }).click();
    await window.panel().getByRole("button", { name: "Stop" }).click();
    await window.panel().getByRole("alert").filter({ hasText: "Stopped." }).waitFor();
  });

  test("the explorer's menu simulates a whole app, and a right one breaks no law", async () => {
    const file = window.page.locator(".explorer-folders-view .monaco-list-row", {
      hasText: "right.app.json",
    });
    await window.chooseInMenu(file, "Simulate the Service");
    await verdict(/right\.app\.json: no law broke/);
    expect(await window.panel().locator("main").innerText()).toContain("The service is taken for this");
    await window.screenshot("84-simulation-right");
  });
});

test.skipIf(!canRun)(
  "an app with a world file is simulated when it is saved, and what breaks in any case is a problem",
  async () => {
    const window = await Window.open({
      "still.app.json": broken("the watermark stands still"),
      "still.world.json": '{ "intakes": {} }',
    });
    try {
      await window.openFile("still.app.json");
      await window.goBehind('"label": "');
      await window.page.keyboard.type("New ");
      await window.page.keyboard.press("Control+s");
      const rows = window.page.locator(".markers-panel .monaco-list-row");
      await window.command("Problems: Focus on Problems View");
      await rows.filter({ hasText: "brought all 3 records again" }).waitFor();
      await window.screenshot("85-simulation-on-save");
    } finally {
      await window.close();
    }
  },
);
