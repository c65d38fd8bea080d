import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FrameLocator } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Api } from "./support/api.ts";
import { canRun, Window } from "./support/window.ts";

const template = readFileSync(
  fileURLToPath(new URL("../../packages/cli/templates/inbound-polling.app.json", import.meta.url)),
  "utf8",
);
const short = '"[.items[] | {display: .name, value: .id}]"';
const long = JSON.stringify(
  '[.items[] | select(.archived != true and .name != null) | {display: "\\(.name) (\\(.count))", value: .id}] | sort_by(.display)',
);

/** “Edit jq”: a program in a tab of its own, its output beside it, and the way back. */
describe.skipIf(!canRun)("jq in its own tab", () => {
  let window: Window;
  let api: Api;
  beforeAll(async () => {
    api = await Api.start(() => [
      200,
      {
        items: [
          { id: 21, name: "Live", count: 4 },
          { id: 22, name: "Gone", archived: true },
        ],
      },
    ]);
    window = await Window.open({
      "crm.apprun.json": JSON.stringify({ contexts: [{ name: "sandbox", base_url: `${api.url}/v1` }] }),
      "crm.app.json": template.replace(short, () => long),
      "crm.samples/get-lists.json": JSON.stringify({
        request: { method: "GET", url: "/lists" },
        response: {
          status: 200,
          body: {
            items: [
              { id: 7, name: "News", count: 3 },
              { id: 9, name: "Ads", count: 1 },
            ],
          },
        },
      }),
    });
    await window.openFile("crm.app.json");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(async () => {
    await window?.close();
    api?.stop();
  });

  test("the lens opens it unescaped and laid out, with what it gives on a sample", async () => {
    const { page } = window;
    await window.pressLens("Edit jq", "sort_by", page.locator(".tab", { hasText: "options 2.jq" }));
    await page.locator(".view-line", { hasText: "| sort_by(.display)" }).waitFor();
    const panel = window.panel();
    await panel.locator("pre.first", { hasText: "Ads (1)" }).waitFor();
    await window.screenshot("71-jq");
    expect(await panel.locator("option").allInnerTexts()).toEqual([
      "Sample: get-lists.json",
      expect.stringMatching(/^Made up/),
    ]);
  });

  test("the output follows each key, mistakes are marked, and members of what comes in complete", async () => {
    const { page } = window;
    await page.keyboard.press("Control+1");
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" | map(.");
    const rows = page.locator(".suggest-widget .monaco-list-row .label-name");
    await rows.filter({ hasText: "display" }).first().waitFor();
    await window.screenshot("72-jq-completion");
    await page.keyboard.press("Escape");
    await page.keyboard.type("value)");
    await window
      .panel()
      .locator("pre.first", { hasText: /^\[\s*9,\s*7\s*\]$/ })
      .waitFor();
    await page.keyboard.type(" | lenght");
    await page.locator(".squiggly-error").first().waitFor({ state: "attached" });
    await window.panel().locator(".failure").first().waitFor();
    await window.screenshot("73-jq-mistake");
    for (let left = " | lenght".length; left > 0; left--) await page.keyboard.press("Backspace");
    await window.panel().locator(".failure").waitFor({ state: "detached" });
  });

  test("an endless program is ended", async () => {
    const { page } = window;
    await page.keyboard.type(" | [range(1e12)]");
    const panel = window.panel();
    await panel
      .locator(".failure, .state", { hasText: /too much|too long|Ended/ })
      .first()
      .waitFor({ timeout: 60_000 });
    await window.screenshot("74-jq-endless");
    for (let left = " | [range(1e12)]".length; left > 0; left--) await page.keyboard.press("Backspace");
    await panel.locator("pre.first", { hasText: /^\[\s*9,\s*7\s*\]$/ }).waitFor();
  });

  test("saving writes one string into the config, and its undo takes it back", async () => {
    const { page } = window;
    await page.keyboard.press("Control+s");
    await page.locator(".tab.dirty", { hasText: "options 2.jq" }).waitFor({ state: "detached" });
    await page.locator(".tab.dirty", { hasText: "crm.app.json" }).waitFor({ state: "detached" });
    await page.locator(".tab", { hasText: "crm.app.json" }).click();
    await window.goBehind("map(.value)");
    expect(await window.text()).toContain("sort_by(.display) | map(.value)");
    await window.screenshot("75-jq-saved");
    await window.theme("dark");
    await page.locator(".tab", { hasText: "options 2.jq" }).click();
    await window.screenshot("76-jq-dark");
    await window.theme("light");
    await page.locator(".tab", { hasText: "crm.app.json" }).click();
    await window.focusEditor();
    await page.keyboard.press("Control+z");
    await page.locator(".tab", { hasText: "options 2.jq" }).click();
    await page.locator(".view-line", { hasText: "map(.value)" }).waitFor({ state: "detached" });
    await page.locator(".view-line", { hasText: "| sort_by(.display)" }).waitFor();
  });

  test("after a run it shows what the program gives on that run's input", async () => {
    const { page } = window;
    await page.locator(".tab", { hasText: "crm.app.json" }).click();
    const choice = page.locator(".quick-input-list .monaco-list-row", { hasText: "Enter tokens" });
    await window.pressLens("Run pipe to here", "sort_by", choice);
    await choice.click();
    for (const [prompt, typed] of [
      ["Access token", "a-token"],
      ["Refresh token", ""],
    ] as const) {
      await page.locator(".quick-input-message", { hasText: prompt }).waitFor();
      await page.keyboard.type(typed);
      await page.keyboard.press("Enter");
    }
    await expect.poll(() => api.requests.length, { timeout: 60_000 }).toBe(1);
    await page.locator(".tab", { hasText: "options 2.jq" }).click();
    const output = await panelWith(window, "select");
    await output.locator("option", { hasText: "Last run" }).waitFor({ state: "attached" });
    await output.locator("select").selectOption({ label: "Last run" });
    await output.locator("pre.first", { hasText: "Live (4)" }).waitFor();
    expect(await output.locator("pre.first").innerText()).not.toContain("Gone");
    await window.screenshot("77-jq-last-run");
    window.write(".vscode/settings.json", '{"workbench.colorTheme": "Default High Contrast"}');
    await page.locator(".monaco-workbench.hc-black").waitFor();
    await window.screenshot("78-jq-contrast");
  });
});

/** The one of our panels that has an element: the results of the run are another. */
async function panelWith({ page }: Window, selector: string): Promise<FrameLocator> {
  const inner = (index: number) =>
    page.frameLocator(`iframe.webview.ready >> nth=${index}`).frameLocator("iframe#active-frame");
  for (const end = Date.now() + 30_000; Date.now() < end; await page.waitForTimeout(200)) {
    const count = await page.locator("iframe.webview.ready").count();
    for (let index = 0; index < count; index++)
      if ((await inner(index).locator(selector).count()) > 0) return inner(index);
  }
  throw new Error(`No panel has ${selector}.`);
}
