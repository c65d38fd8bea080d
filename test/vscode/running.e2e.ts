import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Api } from "./support/api.ts";
import { unnamed } from "./support/unnamed.ts";
import { canRun, Window } from "./support/window.ts";

const template = readFileSync(
  fileURLToPath(new URL("../../packages/cli/templates/outbound.app.json", import.meta.url)),
  "utf8",
);
const lists = {
  items: [
    { id: 7, name: "News" },
    { id: 8, name: "Offers" },
  ],
};

describe.skipIf(!canRun)("running steps", () => {
  let window: Window;
  let api: Api;
  let fails = false;
  beforeAll(async () => {
    api = await Api.start(({ url }) =>
      url === "/v1/me"
        ? new Promise(() => undefined)
        : fails
          ? [503, { error: "down for maintenance" }]
          : [200, url === "/v1/lists" ? lists : { ok: true }],
    );
    window = await Window.open({
      "crm.app.json": template,
      "crm.apprun.json": JSON.stringify({
        contexts: [{ name: "sandbox", base_url: `${api.url}/v1`, custom_data: { list: { value: "7" } } }],
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

  test("opening a config sends nothing", () => {
    expect(api.requests).toEqual([]);
  });

  test("a connection is asked for once, and its token is kept secret", async () => {
    const { page } = window;
    const choice = page.locator(".quick-input-list .monaco-list-row", { hasText: "Enter tokens" });
    await window.pressLens("Run pipe to here", "[.items[] | {display: .name, value: .id}]", choice);
    await choice.click();
    const input = page.locator(".quick-input-widget input");
    const prompt = (text: string) => page.locator(".quick-input-message", { hasText: text }).waitFor();
    await prompt("Access token");
    expect(await input.getAttribute("type")).toBe("password");
    await input.fill("s3cret-token");
    await input.press("Enter");
    await prompt("Refresh token");
    await input.press("Enter");
    await expect.poll(() => api.requests.length, { timeout: 60_000 }).toBe(1);
    expect(api.requests[0]).toMatchObject({ url: "/v1/lists", authorization: "Bearer s3cret-token" });
  });

  test("outputs stand beside their steps, and in the panel", async () => {
    const { page } = window;
    await page.locator(".view-line", { hasText: '"!http"' }).first().waitFor();
    const panel = window.panel();
    await panel.locator("[role=option]").nth(2).waitFor();
    expect(await panel.locator("[role=option] .name").allInnerTexts()).toEqual(["!pipe", "!http", "!jq"]);
    await panel.locator("[role=option]").nth(1).click();
    await panel.locator("[role=tab]", { hasText: "Requests" }).click();
    await panel.getByRole("treeitem", { name: /GET .*200/ }).waitFor();
    await window.screenshot("11-results-light");
    const text = await panel.locator("main").innerText();
    expect(text).toContain(`${api.url}/v1/lists`);
    expect(text).not.toContain("s3cret-token");
    await panel.locator("[role=tab]", { hasText: "Raw" }).click();
    expect(await panel.locator("main").innerText()).not.toContain("s3cret-token");
  });

  test("the panel is used by the keyboard alone", async () => {
    const panel = window.panel();
    const { keyboard } = window.page;
    const focused = panel.locator(":focus");
    await panel.getByRole("listbox").focus();
    await keyboard.press("End");
    const chosen = panel.locator("[role=option][aria-selected=true]");
    expect(await chosen.innerText()).toContain("!jq");
    await panel.locator("[role=tab][aria-selected=true]").focus();
    await keyboard.press("End");
    expect(await focused.innerText()).toBe("Raw");
    await keyboard.press("ArrowRight");
    expect(await focused.innerText()).toBe("Output");
    // From the tabs to the filter, “Copy”, and the tree.
    for (let left = 3; left > 0; left--) await keyboard.press("Tab");
    const steps: readonly (readonly [key: string, name: string])[] = [
      ["ArrowDown", "0: 2 members"],
      ["ArrowRight", 'display: "News"'],
      ["ArrowDown", "value: 7"],
      ["ArrowLeft", "0: 2 members"],
      ["ArrowLeft", "0: 2 members"],
      ["ArrowDown", "1: 2 members"],
      ["Enter", "1: 2 members"],
      ["Home", "2 items"],
      ["End", "1: 2 members"],
    ];
    const names: (string | null)[] = [];
    for (const [key] of steps) {
      await keyboard.press(key);
      const active = await focused.getAttribute("aria-activedescendant");
      names.push(await panel.locator(`#${active}`).getAttribute("aria-label"));
    }
    expect(names).toEqual(steps.map(([, name]) => name));
    const folded = panel.getByRole("treeitem", { expanded: false });
    expect(await folded.count()).toBe(2);
    await window.screenshot("18-tree-keyboard");
  });

  test("what is in the panel has names for a screen reader", async () => {
    const panel = window.panel();
    for (const tab of ["Output", "Input", "Requests", "Raw"]) {
      await panel.getByRole("tab", { name: tab }).click();
      expect(unnamed(await panel.locator("main").ariaSnapshot()), tab).toEqual([]);
    }
    await panel.getByRole("tab", { name: "Output" }).click();
    const said = await panel.getByRole("status").innerText();
    expect(said).toContain("Passed");
  });

  test("a run is compared with the last one", async () => {
    const { page } = window;
    const more = { id: 9, name: "Events" };
    lists.items.push(more);
    await window.panel().locator("button", { hasText: "Run again" }).click();
    await window.panel().locator("button", { hasText: "Compare with the last run" }).click();
    await page.locator(".tab.active", { hasText: "Last run ↔ this run" }).waitFor();
    await page.locator(".monaco-diff-editor .line-insert").first().waitFor();
    await window.screenshot("14-compare");
    expect(await page.locator(".monaco-diff-editor .modified .view-lines").innerText()).toContain("Events");
    await page.locator(".tab", { hasText: "crm.app.json" }).first().click();
    lists.items.pop();
  });

  test("the answers of a run are kept as samples, masked, and types are learned from them", async () => {
    const { page } = window;
    await window.panel().locator("button", { hasText: "Save as sample" }).click();
    const tab = page.locator(".tab.active", { hasText: /^get-.*\.json/ });
    await tab.waitFor();
    const folder = join(window.folder, "crm.samples");
    const names = readdirSync(folder);
    const kept = JSON.parse(readFileSync(join(folder, names[0]!), "utf8"));
    expect(kept.response.status).toBe(200);
    expect(kept.response.body.items[0]).toMatchObject({ id: expect.any(Number), name: expect.any(String) });
    expect(JSON.stringify(kept)).not.toContain("News");
    await window.screenshot("17-sample");
    await page.locator(".tab", { hasText: "crm.app.json" }).first().click();
  });

  test("the type of a command is shown, by the keyboard as well", async () => {
    await window.pressLens(
      "Show type",
      '"!pipe": [',
      window.panel().locator(".types h2", { hasText: "!pipe" }),
    );
    // The command at the cursor.
    await window.goBehind("[.items[] | {display");
    await window.command("configc: Show Type");
    await window.panel().locator(".state", { hasText: "options" }).waitFor();
    const panel = window.panel();
    await window.screenshot("15-type");
    expect(await panel.getByLabel("!pipe gives").innerText()).toContain("display");
    const passed = panel.locator(".state.passed");
    await window.pressLens("Run pipe to here", "[.items[] | {display: .name, value: .id}]", passed);
  });

  test("a failure is a problem at its step", async () => {
    fails = true;
    await window.panel().locator("button", { hasText: "Run again" }).click();
    await window.panel().locator(".failure", { hasText: "503" }).waitFor({ timeout: 60_000 });
    await window.screenshot("12-failure");
    const [problem] = await window.problems(1);
    expect(problem).toContain("503");
    fails = false;
  });

  test("a run is kept as a test case", async () => {
    const { page } = window;
    await window.command("View: Toggle configc Run");
    await window.panel().locator("button", { hasText: "Run again" }).click();
    await window.panel().locator(".state.passed").waitFor({ timeout: 60_000 });
    await window.panel().locator("button", { hasText: "Save as test case" }).click();
    await page.locator(".quick-input-widget input").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("lists are options");
    await page.keyboard.press("Enter");
    await page.locator(".tab", { hasText: "crm.apptest.json" }).waitFor();
    const tests = JSON.parse(readFileSync(join(window.folder, "crm.apptest.json"), "utf8"));
    expect(tests).toMatchObject({
      config: "crm.app.json",
      cases: [
        {
          name: "lists are options",
          http: [{ request: { url: "https://api.example.com/v1/lists" }, response: { body: lists } }],
          expect: [
            { display: "News", value: 7 },
            { display: "Offers", value: 8 },
          ],
        },
      ],
    });
    expect(JSON.stringify(tests)).not.toContain("s3cret-token");
  });

  test("a run that waits is cancelled", async () => {
    await window.page.locator(".tab", { hasText: "crm.app.json" }).first().click();
    const panel = window.panel();
    const waits = panel.locator("[role=option].running .name", { hasText: "!http" });
    await window.pressLens("Run pipe to here", "{account_id: .id, description: .name}", waits);
    expect(api.requests.at(-1)?.url).toBe("/v1/me");
    await window.screenshot("16-waiting");
    await panel.locator("button", { hasText: "Cancel" }).click();
    await panel.locator(".failure", { hasText: "Cancelled" }).waitFor();
  });

  test("it looks as well in the dark", async () => {
    const { page } = window;
    await window.theme("dark");
    await page.locator(".tab", { hasText: "crm.app.json" }).first().click();
    const passed = window.panel().locator(".state.passed");
    await window.pressLens("Run pipe to here", "[.items[] | {display: .name, value: .id}]", passed);
    await window.screenshot("13-results-dark");
  });
});
