import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canRun, Window } from "./support/window.ts";

const example = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../examples/forms/${name}`, import.meta.url)), "utf8");

describe.skipIf(!canRun)("the test explorer", () => {
  let window: Window;
  beforeAll(async () => {
    const tests = JSON.parse(example("forms.apptest.json"));
    const cases = tests.cases.slice(0, 3);
    // One whose run fails, and one that gives something else.
    cases[1] = { ...cases[1], expect: { account_id: "another" }, expectError: undefined };
    cases[2] = { ...cases[2], expect: { account_id: "another" } };
    window = await Window.open({
      "forms.app.json": example("forms.app.json"),
      "forms.apptest.json": JSON.stringify({ ...tests, cases }, undefined, 2),
      "half.apptest.json": '{"config": "forms.app.json", "cases": [',
    });
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(() => window?.close());

  test("lists the cases, runs them, and says which fails and why", async () => {
    const { page } = window;
    await window.theme("light");
    await page.locator(".activitybar .codicon-test-view-icon").click();
    const rows = page.locator(".test-explorer .monaco-list-row");
    await rows.filter({ hasText: "forms.apptest.json" }).first().waitFor();
    await page.locator(".test-explorer", { hasText: "This isn't JSON" }).waitFor();
    await window.command("Test: Run All Tests");
    await page.locator(".test-explorer", { hasText: /1\/4/ }).waitFor();
    await window.command("Test Results: Focus on Test Results View");
    const results = page.locator(".test-output-peek-tree .monaco-list-row");
    await results.filter({ hasText: "half.apptest.json" }).waitFor();
    await rows.filter({ hasText: "forms.apptest.json" }).click();
    await page.keyboard.press("ArrowRight");
    const passed = page.locator(".test-explorer .codicon-testing-passed-icon");
    await passed.first().waitFor();
    await window.screenshot("31-tests");
    expect(await passed.count()).toBe(1);

    await results.filter({ hasText: "the account of a coupon workflow" }).click();
    const sides = page.locator(".part.panel .monaco-diff-editor");
    await sides.waitFor();
    await window.screenshot("32-test-diff");
    expect(await sides.locator(".original .view-lines").innerText()).toContain("another");
    expect(await sides.locator(".modified .view-lines").innerText()).toContain("4711");

    // A run that failed shows where in the config.
    await results.filter({ hasText: "without a space there is no account" }).click();
    await page.locator(".part.panel .view-line", { hasText: "spaces[0]" }).first().waitFor();
    await window.screenshot("33-test-failure");
  });

  test("shows which commands ran, beside their lines", async () => {
    const { page } = window;
    await window.command("Test: Run All Tests with Coverage");
    const config = page.getByRole("treeitem").filter({ hasText: /forms\.app\.json.*%/s });
    await config.waitFor();
    await config.dblclick();
    await page.locator(".tab.active", { hasText: "forms.app.json" }).waitFor();
    // Only lines in view have their marks.
    await window.goBehind('"describe_connection"');
    await page.locator(".coverage-deco-gutter.coverage-deco-hit").first().waitFor();
    await window.screenshot("34-test-coverage");
    await window.goBehind('"form_fields"');
    await page.locator(".coverage-deco-gutter.coverage-deco-miss").first().waitFor();
    // Two of three cases run something: a share between nothing and all.
    expect(Number.parseFloat(/[\d.]+(?=%)/.exec(await config.innerText())?.[0] ?? "")).toBeGreaterThan(0);
  });
});
