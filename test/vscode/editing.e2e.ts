import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { appWith } from "../bench/generate.ts";
import { canRun, Window } from "./support/window.ts";

const template = readFileSync(
  fileURLToPath(new URL("../../packages/cli/templates/outbound.app.json", import.meta.url)),
  "utf8",
);

describe.skipIf(!canRun)("writing a config", () => {
  let window: Window;
  beforeAll(async () => {
    window = await Window.open({ "crm.app.json": template, "large.app.json": appWith(20) });
    await window.openFile("crm.app.json");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(() => window?.close());

  test("what stands there is coloured, and steps have their lens and their type", async () => {
    const { page } = window;
    await page.locator(".codelens-decoration", { hasText: "Run step" }).first().waitFor();
    await page.locator(".monaco-workbench .statusbar-item", { hasText: "Integration app config" }).waitFor();
    await window.screenshot("01-opened");
    expect(await page.locator(".squiggly-error").count()).toBe(0);
  });

  test("a mistake is marked where it is, listed, and mended by its fix", async () => {
    const { page } = window;
    await window.goBehind('"!http"');
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Backspace");
    await page.locator(".squiggly-error").first().waitFor({ state: "attached" });
    const [problem] = await window.problems(1);
    expect(problem).toContain("!htt");
    expect(problem).toContain("!http");
    await window.screenshot("02-mistake");
    await window.goBehind('"!htt"');
    await page.keyboard.press("ArrowLeft");
    const fix = await window.quickFix("!http");
    await window.screenshot("03-fix");
    await fix.click();
    await page.locator(".squiggly-error").waitFor({ state: "detached" });
    expect(await window.text()).toContain('"!http"');
  });

  test("fields are completed inside an expansion", async () => {
    const { page } = window;
    await window.goBehind('"path": "/lists/${custom_data');
    await page.keyboard.press("Control+Shift+ArrowRight");
    await page.keyboard.type(".");
    const rows = page.locator(".suggest-widget .monaco-list-row");
    await rows.first().waitFor();
    await window.screenshot("04-completion");
    const labels = await rows.locator(".label-name").allInnerTexts();
    expect(labels).toEqual(expect.arrayContaining(["list", "note"]));
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
  });

  test("a field is renamed where it is declared and wherever it is used", async () => {
    const { page } = window;
    await window.goBehind('"id": "lis');
    await page.keyboard.press("F2");
    const input = page.locator(".rename-box input");
    await input.waitFor();
    await input.fill("audience");
    await window.screenshot("05-rename");
    await page.keyboard.press("Enter");
    await page.locator(".view-line", { hasText: '"id": "audience"' }).waitFor();
    await window.goBehind("${custom_data.audience.value}");
    expect(await window.text()).toContain("/lists/${custom_data.audience.value}/subscribers");
  });

  test("hovering tells what a command does", async () => {
    const { page } = window;
    await window.goBehind('"!htt');
    const hover = page.locator(".monaco-hover:visible").first();
    // One that is shown while the window is busy may be gone before it is read.
    const said = async (): Promise<string> => {
      await page.keyboard.press("Control+k");
      await page.keyboard.press("Control+i");
      return await hover.innerText({ timeout: 5_000 }).catch(() => "");
    };
    await expect.poll(said, { timeout: 60_000 }).toMatch(/!http/);
    await window.screenshot("06-hover");
  });

  test("in a document of 3,600 lines lenses stand where one goes to", async () => {
    const { page } = window;
    const lens = (title: string) =>
      page.locator(".codelens-decoration a:visible", { hasText: title }).first();
    await window.openFile("large.app.json");
    await lens("20 references").waitFor();
    await page.keyboard.press("Control+End");
    await page
      .locator(".line-numbers", { hasText: /^3[56]\d\d$/ })
      .first()
      .waitFor();
    await lens("Run step").waitFor();
    await page.keyboard.press("Control+Home");
    await lens("20 references").waitFor();
  });
});
