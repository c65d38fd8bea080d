import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Api } from "./support/api.ts";
import { unnamed } from "./support/unnamed.ts";
import { canRun, Window } from "./support/window.ts";

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const template = read("../../packages/cli/templates/outbound.app.json");
const tasks = read("fixtures/tasks.app.json");
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
    expect(await list.getAttribute("aria-required")).toBe("true");
    expect(await panel.locator("label.required", { hasText: "List" }).count()).toBe(1);
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
    await panel.getByLabel("Email", { exact: true }).selectOption({ index: 1 });
    await window.screenshot("42-setup-map");
    await panel.locator("button.main", { hasText: "Next" }).click();
    await panel.locator("h2", { hasText: "Ready" }).waitFor();
    await window.screenshot("43-setup-ready");
    expect(await panel.locator(".stepper").innerText()).toContain("Map fields");
    expect(api.requests).toEqual([]);
  });
});

const answers: Readonly<Record<string, unknown>> = {
  "/me": { id: "a-1", name: "Acme Inc." },
  "/teams": {
    items: [
      { id: "t1", name: "North" },
      { id: "t2", name: "South" },
    ],
  },
  "/teams/t2/projects": { items: [{ id: "p1", name: "Move" }] },
};

describe.skipIf(!canRun)("the setup preview of every kind of field", () => {
  let window: Window;
  let api: Api;
  beforeAll(async () => {
    api = await Api.start(({ url }) => {
      const body = answers[url ?? ""];
      return body === undefined ? [500, { error: "out of order" }] : [200, body];
    });
    window = await Window.open({ "tasks.app.json": tasks.replaceAll("https://api.example.com", api.url) });
    await window.openFile("tasks.app.json");
    await window.focusEditor();
    await window.command("configc: Preview the Setup");
    const { page } = window;
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Connect “tasks”" }).click();
    await page.locator(".quick-input-message", { hasText: "Token" }).waitFor();
    await page.keyboard.type("s3cret-token");
    await page.keyboard.press("Enter");
    await window.panel().getByRole("button", { name: "Connect tasks" }).waitFor();
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(async () => {
    await window?.close();
    api?.stop();
  });
  const settled = () => window.panel().locator("main[aria-busy=false]").waitFor();
  const next = () => window.panel().getByRole("button", { name: "Next" }).click();

  test("help is Markdown, and a step that can't be gone to yet is no button", async () => {
    const panel = window.panel();
    expect(await panel.locator(".help strong").innerText()).toBe("admin");
    expect(await panel.getByRole("link", { name: "the settings" }).getAttribute("href")).toContain("https:");
    expect(await panel.getByRole("button", { name: "Map" }).isDisabled()).toBe(true);
    await panel.getByRole("button", { name: "Connect tasks" }).click();
    await panel.getByRole("heading", { name: "Select" }).waitFor();
    expect(await panel.getByRole("button", { name: "Connect (done)" }).isEnabled()).toBe(true);
  });

  test("a field waits for the one that its choices are made by; what goes wrong there leads to its command", async () => {
    const panel = window.panel();
    const project = panel.getByLabel("Project");
    await panel.getByText("Choose “Team” first.").waitFor();
    expect(await project.isDisabled()).toBe(true);
    expect(await panel.getByRole("alert").count()).toBe(0);
    await panel.getByLabel("Team").selectOption({ label: "North" });
    await panel.getByRole("alert").filter({ hasText: "answered 500" }).waitFor();
    await window.screenshot("44-setup-failure");
    await panel.getByRole("button", { name: "Go to the command" }).click();
    await window.page.locator(".editor-instance .view-line", { hasText: "/projects" }).first().waitFor();
    await panel.getByLabel("Team").selectOption({ label: "South" });
    await settled();
    await project.selectOption({ label: "Move" });
    await settled();
  });

  test("what is missing is named, and the cursor goes there", async () => {
    const panel = window.panel();
    await panel.getByLabel("bug").check();
    await panel.getByLabel("idea").check();
    await next();
    const prefix = panel.locator("#field-prefix[aria-invalid=true]");
    await prefix.waitFor();
    expect(await prefix.evaluate((field) => field.matches(":focus"))).toBe(true);
    expect(await panel.getByLabel("bug").isChecked()).toBe(true);
    expect(await panel.getByLabel("idea").isChecked()).toBe(true);
    expect(unnamed(await panel.locator("main").ariaSnapshot())).toEqual([]);
    await window.screenshot("45-setup-missing");
  });

  test("what is typed counts though the next thing pressed is the button", async () => {
    const panel = window.panel();
    expect(await panel.locator("#field-prefix").getAttribute("list")).not.toBeNull();
    await panel.locator("#field-prefix").fill("TASK-");
    await next();
    await panel.getByRole("heading", { name: "Map" }).waitFor();
    await panel.getByLabel("Email", { exact: true }).selectOption({ label: "Email" });
    await next();
    await panel.getByLabel("Always every 30 minutes").check();
    await window.screenshot("46-setup-schedule");
    await next();
    await panel.getByRole("heading", { name: "Ready" }).waitFor();
    expect(await panel.getByRole("definition").allInnerTexts()).toEqual(["Acme Inc.", "TASK-: Move"]);
    // What was filled in serves runs.
    await panel.getByRole("button", { name: "Keep the answers for runs" }).click();
    const kept = join(window.folder, "tasks.apprun.json");
    await expect.poll(() => existsSync(kept), { timeout: 60_000 }).toBe(true);
    expect(JSON.parse(readFileSync(kept, "utf8"))).toEqual({
      contexts: [
        {
          name: "default",
          inputs: {},
          custom_data: {
            team: { value: "t2", display: "South" },
            project: { value: "p1", display: "Move" },
            labels: { value: ["bug", "idea"], display: ["bug", "idea"] },
            prefix: { value: "TASK-" },
          },
        },
      ],
    });
    // Back again, it is as it was left.
    await panel.getByRole("button", { name: "Schedule (done)" }).click();
    await panel.getByLabel("Always").waitFor();
    expect(await panel.getByLabel("Always").isChecked()).toBe(true);
  });
});
