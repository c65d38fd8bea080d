import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Api } from "./support/api.ts";
import { canRun, Window } from "./support/window.ts";

/** A workflow whose source is a pipe of a request and a program. */
const workflow = (name: string, request: object, program: string) => ({
  name,
  label: name,
  description: name,
  data_pipeline: { source: { "!pipe": [{ "!http": request }, { "!jq": program }] }, target: { "!jq": "." } },
});
const config = {
  $version: "2",
  api: { base_url: "https://api.example.com" },
  workflows: [
    workflow("contacts", { path: "/contacts" }, ".items | map(.name)"),
    workflow("slow", { path: "/slow" }, ".late"),
  ],
};
const sends = JSON.stringify(workflow("sends", { method: "POST", path: "/notes" }, "."));
const tests = { config: "crm.app.json", cases: [{ name: "written by hand", run: "workflows.slow" }] };

/** What was asked of one version of a text, and comes when there is another one. */
describe.skipIf(!canRun)("after a config has changed", () => {
  let window: Window;
  let api: Api;
  let answerSlow: (answer: readonly [number, unknown]) => void = () => undefined;
  beforeAll(async () => {
    api = await Api.start(({ url }) =>
      url === "/slow"
        ? new Promise((resolve) => {
            answerSlow = resolve;
          })
        : [200, { items: [{ name: "Ada" }] }],
    );
    window = await Window.open({
      "crm.app.json": JSON.stringify(config, undefined, 2),
      "crm.apprun.json": JSON.stringify({ contexts: [{ name: "sandbox", base_url: api.url }] }),
      "crm.apptest.json": JSON.stringify(tests, undefined, 2),
      "deep/down/more.apptest.json": JSON.stringify({ ...tests, config: "../../crm.app.json" }),
    });
    await window.openFile("crm.app.json");
    window.page.setDefaultTimeout(30_000);
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(async () => {
    await window?.close();
    api?.stop();
  });

  const passed = () => window.panel().locator(".state.passed");
  const tab = (name: string) => window.page.locator(`.tab[data-resource-name="${name}"]`);
  const toast = (text: string) => window.page.locator(".notification-toast", { hasText: text });
  const typeAtStart = async (text: string): Promise<void> => {
    await window.focusEditor();
    await window.page.keyboard.press("Control+Home");
    await window.page.keyboard.insertText(text);
  };

  test("“Run again” runs no other step that has come to the place of the first", async () => {
    await window.pressLens("Run pipe to here", ".items | map(.name)", passed());
    await window.goBehind('"workflows": [');
    await window.page.keyboard.insertText(`${sends},`);
    await window.panel().locator("button", { hasText: "Run again" }).click();
    await toast("isn't at its place any more").waitFor();
    expect(api.requests.filter(({ method }) => method === "POST")).toEqual([]);
    await window.focusEditor();
    await window.command("File: Revert File");
    await window.panel().locator("button", { hasText: "Run again" }).click();
    await expect.poll(() => api.requests.length).toBe(2);
    await passed().waitFor();
  });

  test("a run that ends later puts its failure nowhere in the new text", async () => {
    const { page } = window;
    const waits = window.panel().locator("[role=option].running .name", { hasText: "!http" });
    await window.pressLens("Run pipe to here", '".late"', waits);
    await typeAtStart("\n\n");
    answerSlow([400, {}]);
    await window.panel().locator(".failure", { hasText: "400" }).waitFor();
    await window.command("Problems: Focus on Problems View");
    await page.waitForTimeout(2_000);
    expect(await page.locator(".markers-panel .monaco-list-row", { hasText: "400" }).count()).toBe(0);
    await window.focusEditor();
    await window.command("File: Revert File");
  });

  test("a run is added to the tests as they are being written", async () => {
    const { page } = window;
    await window.pressLens("Run pipe to here", ".items | map(.name)", passed());
    await window.openFile("crm.apptest.json");
    await window.goBehind("written by hand");
    await page.keyboard.type(", not yet saved");
    await window.panel().locator("button", { hasText: "Save as test case" }).click();
    await page.locator(".quick-input-widget input").fill("kept");
    await page.keyboard.press("Enter");
    const names = () =>
      JSON.parse(readFileSync(join(window.folder, "crm.apptest.json"), "utf8")).cases.map(
        ({ name }: { name: string }) => name,
      );
    await expect.poll(names).toEqual(["written by hand, not yet saved", "kept"]);
  });

  test("the graph follows a config that was closed and opened again", async () => {
    const { page } = window;
    await tab("crm.app.json").click();
    await window.command("configc: Show the Graph of the App");
    const card = (name: string) =>
      page
        .frameLocator("iframe.webview.ready >> nth=-1")
        .frameLocator("iframe#active-frame")
        .locator(".card.workflow", { hasText: name });
    await card("contacts").waitFor();
    await tab("crm.app.json").click();
    await window.command("View: Close Editor");
    await tab("crm.app.json").waitFor({ state: "detached" });
    // VS Code lets go of a document some time after its tab is closed.
    await page.waitForTimeout(5_000);
    await window.openFile("crm.app.json");
    await window.goBehind('"name": "contacts');
    await page.keyboard.type("-anew");
    await card("contacts-anew").waitFor();
    await page.keyboard.press("Control+s");
  });

  test("a test that is being written is led to the new name of its config, and stays as it is written", async () => {
    const { page } = window;
    await window.openFile("crm.apptest.json");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("End");
    await page.keyboard.insertText('\n  "note": "not yet saved, and longer than a line that is above it",');
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "crm.app.json" }).click();
    await page.keyboard.press("F2");
    const input = page.locator(".explorer-folders-view input");
    await input.fill("sales.app.json");
    await input.press("Enter");
    await page.locator(".monaco-dialog-box .monaco-button", { hasText: "OK" }).click();
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "sales.app.json" }).waitFor();
    // VS Code shows the other test that it has changed, sooner or later.
    const written = async (): Promise<string> => {
      await tab("crm.apptest.json").click();
      return await window.text();
    };
    await expect.poll(written, { interval: 500 }).toContain('"config": "sales.app.json"');
    const text = await window.text();
    expect(text).toContain('"note": "not yet saved, and longer than a line that is above it",');
    expect(text).not.toContain("crm.app.json");
  });

  test("the test explorer forgets the tests of a folder that is gone", async () => {
    const { page } = window;
    await page.locator(".activitybar .codicon-test-view-icon").click();
    const rows = page.locator(".test-explorer .monaco-list-row");
    await rows.filter({ hasText: "more.apptest.json" }).waitFor();
    rmSync(join(window.folder, "deep"), { recursive: true });
    await rows.filter({ hasText: "more.apptest.json" }).waitFor({ state: "detached" });
  });
});
