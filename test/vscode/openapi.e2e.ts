import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canRun, Window } from "./support/window.ts";

const schema = (properties: object) => ({ type: "object", required: Object.keys(properties), properties });
const json = (body: object) => ({ content: { "application/json": { schema: body } } });
const list = schema({
  id: { type: "integer", description: "Number of the list." },
  title: { type: "string", description: "What people call it." },
});
const api = {
  openapi: "3.0.3",
  info: { title: "CRM", version: "1" },
  servers: [{ url: "https://api.example.com/v2" }],
  paths: {
    "/lists": {
      get: {
        summary: "All lists",
        responses: {
          "200": { description: "ok", ...json(schema({ lists: { type: "array", items: list } })) },
        },
      },
    },
    "/lists/{id}/members": {
      post: {
        summary: "Adds a member",
        requestBody: json(schema({ email: { type: "string" } })),
        responses: { "201": { description: "made" } },
      },
    },
  },
};
const config = {
  $version: "2",
  auth: { crm: { type: "basic" } },
  api: { base_url: "https://api.example.com/v2" },
  workflows: [
    {
      name: "add",
      label: "CRM - Add",
      type: "automations",
      auth: "crm",
      setup: {
        connect: { label: "Connect", describe_connection: { "!jq": "{account_id: 1, description: .}" } },
        select: {
          label: "Select",
          form_fields: [
            {
              id: "list",
              label: "List",
              type: "dropdown",
              options: {
                "!pipe": [
                  { "!http": { method: "GET", path: "/lists" } },
                  { "!jq": "[.lists[] | {display: .title, value: .id}]" },
                ],
              },
            },
          ],
        },
      },
      data_pipeline: {
        source: { "!resource": "PlatformContact" },
        target: { "!pipe": [{ "!jq": ".email" }] },
      },
    },
  ],
};

/** What an OpenAPI document that the settings name does for somebody who writes. */
describe.skipIf(!canRun)("a config with an OpenAPI document", () => {
  let window: Window;
  beforeAll(async () => {
    window = await Window.open({
      "crm.app.json": JSON.stringify(config, undefined, 2),
      "crm.openapi.json": JSON.stringify(api, undefined, 2),
      "configc.config.json": JSON.stringify({ samples: ["crm.openapi.json"] }),
    });
    await window.openFile("crm.app.json");
    await window.theme("light");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(() => window?.close());

  test("an operation is inserted with its path, its body, and a program on its answer", async () => {
    const { page } = window;
    await window.goBehind('"!jq": ".email');
    await window.command("configc: Insert an Operation…");
    const rows = page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "POST /lists/{id}/members" }).waitFor();
    await window.screenshot("91-operations");
    await rows.filter({ hasText: "POST /lists/{id}/members" }).click();
    await page.locator(".view-line", { hasText: "/lists/<id>/members" }).first().waitFor();
    expect(await window.text()).toContain('"email": "ada@example.com"');
    await window.focusEditor();
    await page.keyboard.press("Control+z");
  });

  test("members of the answer complete with what the document says of them", async () => {
    const { page } = window;
    await window.goBehind("{display: .title");
    for (let left = "title".length; left > 0; left--) await page.keyboard.press("Backspace");
    await page.keyboard.press("Control+Space");
    const row = page.locator(".suggest-widget .monaco-list-row", { hasText: "title" }).first();
    await row.waitFor();
    const details = page.locator(".suggest-details-container");
    if (!(await details.isVisible())) await page.keyboard.press("Control+Space");
    while (!(await row.getAttribute("class"))?.includes("focused")) await page.keyboard.press("ArrowDown");
    await details.filter({ hasText: "What people call it." }).waitFor();
    await window.screenshot("92-member-documentation");
    await page.keyboard.press("Enter");
    await page.locator(".view-line", { hasText: "{display: .title" }).first().waitFor();
  });

  test("the definition of a path opens its operation", async () => {
    const { page } = window;
    await window.goBehind('"path": "/lis');
    await page.keyboard.press("F12");
    await page.locator(".tab.active", { hasText: "crm.openapi.json" }).waitFor();
    await page.locator(".view-line", { hasText: '"summary": "All lists"' }).first().waitFor();
    await window.screenshot("93-operation");
  });
});
