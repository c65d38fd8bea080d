import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Api } from "./support/api.ts";
import { canRun, Window } from "./support/window.ts";

const order = {
  id: 7,
  lines: [
    { sku: "a", n: 2 },
    { sku: "b", n: 3 },
  ],
};
const config = {
  $version: "2",
  api: { base_url: "https://orders.example" },
  workflows: [
    {
      name: "orders",
      label: "Orders",
      type: "generic",
      setup: {},
      data_pipeline: {
        source: {
          "!pipe": [
            { "!http": { method: "GET", path: "/orders/7" } },
            { "!jq": ".lines | map(.n * 10) | {total: add}" },
            { "!http": { method: "POST", path: "/totals", body: { total: "${piped_content.2.total}" } } },
          ],
        },
      },
    },
  ],
};

describe.skipIf(!canRun)("debugging", () => {
  let window: Window;
  let api: Api;
  beforeAll(async () => {
    api = await Api.start(({ url }) => [200, url === "/orders/7" ? order : { ok: true }]);
    window = await Window.open({
      "orders.app.json": JSON.stringify(config, undefined, 2),
      "orders.apprun.json": JSON.stringify({
        contexts: [{ name: "test", base_url: api.url, inputs: { "/workflows/0": { id: 7 } } }],
      }),
      "orders.apptest.json": JSON.stringify({
        config: "orders.app.json",
        cases: [{ name: "an order", run: "workflows.orders", input: { id: 7 }, http: [] }],
      }),
    });
    await window.openFile("orders.app.json");
    await window.theme("light");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(async () => {
    await window?.close();
    api?.stop();
  });

  test("F5 with nothing set up: a breakpoint in a jq stage, in, back, another input, and on for real", async () => {
    const { page } = window;
    await window.goBehind(".lines | m");
    await window.command("Debug: Inline Breakpoint");
    await page.keyboard.press("F5");
    const stack = page.locator(".debug-call-stack .monaco-list-row");
    await stack.filter({ hasText: "jq stage 2 of 3" }).waitFor();
    await window.screenshot("60-debug-stage");
    const toolbar = page.locator(".debug-toolbar");
    await toolbar.locator(".codicon-debug-step-into").click();
    await stack.filter({ hasText: "jq: .n * 10" }).waitFor();
    await window.screenshot("61-debug-in-map");
    await toolbar.locator(".codicon-debug-step-back").click();
    await stack.filter({ hasText: "jq: .n * 10" }).waitFor({ state: "detached" });
    expect(api.requests.map(({ method }) => method)).toEqual(["GET"]);

    const variables = page.locator(".debug-variables .monaco-list-row");
    const step = variables.filter({ hasText: /^Step/ });
    // VS Code opens the first scope by itself, and what is below moves down.
    await variables.filter({ hasText: /^made from/ }).waitFor();
    await step.click({ position: { x: 40, y: 8 } });
    const input = variables.filter({ hasText: /^input/ });
    await input.first().waitFor();
    await input.first().dblclick();
    const box = page.locator(".debug-variables .monaco-inputbox input");
    await box.fill('{"lines": [{"n": 5}]}');
    await box.press("Enter");
    await box.waitFor({ state: "hidden" });
    await window.screenshot("62-debug-changed");
    await toolbar.locator(".codicon-debug-continue").click();
    await stack.filter({ hasText: "jq stage 2 of 3" }).waitFor();
    await toolbar.locator(".codicon-debug-continue").click();
    // It asks before it writes.
    await stack.filter({ hasText: "POST /totals" }).waitFor();
    expect(api.requests.length).toBe(1);
    await toolbar.locator(".codicon-debug-continue").click();
    await expect.poll(() => api.requests.at(-1)?.method, { timeout: 60_000 }).toBe("POST");
    expect(api.requests.map(({ method, body }) => [method, body])).toEqual([
      ["GET", ""],
      ["POST", '{"total":50}'],
    ]);
    await window.screenshot("63-debug-end");
    await toolbar.locator(".codicon-debug-stop").click();
    await toolbar.waitFor({ state: "hidden" });
  });

  test("a breakpoint on an expansion, in dark and in high contrast", async () => {
    const { page } = window;
    await window.goBehind("${piped_content");
    await window.command("Debug: Inline Breakpoint");
    await page.keyboard.press("F5");
    const stack = page.locator(".debug-call-stack .monaco-list-row");
    const toolbar = page.locator(".debug-toolbar");
    await stack.filter({ hasText: "jq stage 2 of 3" }).waitFor();
    await toolbar.locator(".codicon-debug-continue").click();
    await stack.filter({ hasText: "body.total: ${piped_content.2.total}" }).waitFor();
    const value = page.locator(".debug-variables .monaco-list-row", { hasText: "${piped_content.2.total}" });
    await value.filter({ hasText: "50" }).waitFor();
    await window.screenshot("65-debug-expansion");
    await window.theme("dark");
    await window.screenshot("66-debug-expansion-dark");
    window.write(".vscode/settings.json", '{"workbench.colorTheme": "Default High Contrast"}');
    await page.locator(".monaco-workbench.hc-black").waitFor();
    await window.screenshot("67-debug-expansion-contrast");
    window.write(".vscode/settings.json", "{}");
    await page.locator(".monaco-workbench.hc-black").waitFor({ state: "detached" });
    await window.theme("light");
    await toolbar.locator(".codicon-debug-stop").click();
    await toolbar.waitFor({ state: "hidden" });
    expect(api.requests.filter(({ method }) => method === "POST").length).toBe(1);
  });

  test("lenses above a workflow, a step and a test case", async () => {
    const { page } = window;
    await page.locator(".activitybar .codicon-explorer-view-icon").click();
    await window.goBehind('"orders"');
    await page.locator(".codelens-decoration a", { hasText: "Debug workflow" }).first().waitFor();
    await window.openFile("orders.apptest.json");
    await page.locator(".codelens-decoration a", { hasText: "Debug test case" }).first().waitFor();
    await window.screenshot("64-debug-lenses");
  });
});
