import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Api } from "./support/api.ts";
import { canRun, Window } from "./support/window.ts";

const template = readFileSync(
  fileURLToPath(new URL("../../packages/cli/templates/outbound.app.json", import.meta.url)),
  "utf8",
);
const base = "https://api.example.com/v1";
const recorded = [
  { request: { url: `${base}/me` }, response: { body: { id: 7, name: "Acme Inc." } } },
  { request: { url: `${base}/lists` }, response: { body: { items: [{ id: 7, name: "News" }] } } },
];

describe.skipIf(!canRun)("the setup preview", () => {
  let window: Window;
  let api: Api;
  beforeAll(async () => {
    api = await Api.start(() => [200, {}]);
    window = await Window.open({
      "crm.app.json": template,
      "crm.apptest.json": JSON.stringify({
        config: "crm.app.json",
        cases: [{ name: "recorded", run: "workflows.0", http: recorded }],
      }),
    });
    await window.openFile("crm.app.json");
    await window.theme("light");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(async () => {
    await window?.close();
    api?.stop();
  });

  test("walks through connect, select and map with recorded answers", async () => {
    const { page } = window;
    await window.focusEditor();
    await window.command("configc: Preview the Setup");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Recorded answers" }).click();
    const panel = window.panel();
    await panel.locator("button.main", { hasText: "Connect acme" }).click();
    await panel.locator("h2", { hasText: "Select a list" }).waitFor();
    const list = panel.getByLabel("List", { exact: true });
    await list.selectOption({ label: "News" });
    await panel.locator(".waiting:empty").waitFor({ state: "attached" });
    await window.screenshot("41-setup-select");
    expect(await list.locator("option:checked").innerText()).toBe("News");
    expect(await panel.locator(".problem").count()).toBe(0);
    await panel.locator("button.main", { hasText: "Next" }).click();
    await panel.locator("h2", { hasText: "Map fields" }).waitFor();
    // Without a required target it doesn't go on.
    await panel.locator("button.main", { hasText: "Next" }).click();
    await panel.locator(".problem").first().waitFor();
    await panel.getByLabel("Email *", { exact: true }).selectOption({ index: 1 });
    await window.screenshot("42-setup-map");
    await panel.locator("button.main", { hasText: "Next" }).click();
    await panel.locator("h2", { hasText: "Ready" }).waitFor();
    await window.screenshot("43-setup-ready");
    expect(await panel.locator(".stepper").innerText()).toContain("Map fields");
    expect(api.requests).toEqual([]);
  });
});
