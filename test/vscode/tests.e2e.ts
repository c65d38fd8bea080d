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
    cases[1] = { ...cases[1], expect: { account_id: "another" }, expectError: undefined };
    window = await Window.open({
      "forms.app.json": example("forms.app.json"),
      "forms.apptest.json": JSON.stringify({ ...tests, cases }, undefined, 2),
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
    await window.command("Test: Run All Tests");
    const failed = page.locator(
      ".test-explorer .codicon-testing-failed-icon, .test-explorer .codicon-testing-error-icon",
    );
    await failed.first().waitFor({ timeout: 30_000 });
    await rows.first().click();
    await page.keyboard.press("ArrowRight");
    await rows.nth(2).waitFor();
    await window.screenshot("31-tests");
    expect(await page.locator(".test-explorer .codicon-testing-passed-icon").count()).toBe(2);
    const explorer = await page.locator(".test-explorer").innerText();
    expect(explorer).toMatch(/2\/3/);
  });
});
