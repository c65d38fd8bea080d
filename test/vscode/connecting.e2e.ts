import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Api } from "./support/api.ts";
import { canRun, Window } from "./support/window.ts";

const KEY = "k3y-of-a-customer";
const config = JSON.stringify(
  {
    $version: "2",
    auth: {
      recruiting: {
        type: "basic",
        verify_url: "https://harvest.example.com/v1/company",
        defined_fields: {
          username: { label: "API key", placeholder: "", help_text: "" },
          password: { label: "Password", placeholder: "", help_text: "Leave it empty" },
        },
      },
    },
    api: { base_url: "https://harvest.example.com/v1" },
    workflows: [
      {
        name: "recruiting-add-candidates",
        label: "Recruiting - Add candidates",
        type: "automations",
        auth: "recruiting",
        setup: {
          connect: {
            label: "Connect",
            describe_connection: {
              "!pipe": [
                { "!http": { method: "GET", path: "/company" } },
                { "!jq": "{account_id: .id, description: .name}" },
              ],
            },
          },
        },
        data_pipeline: { source: { "!resource": "PlatformContact" }, target: { "!jq": "." } },
      },
    ],
  },
  undefined,
  2,
);

describe.skipIf(!canRun)("connecting with an API key as the user name", () => {
  let window: Window;
  let api: Api;
  beforeAll(async () => {
    // A careless service: it says who asked.
    api = await Api.start(({ headers }) => {
      const user = Buffer.from(headers.authorization?.split(" ")[1] ?? "", "base64").toString();
      return [200, { id: "7", name: "Acme", user: user.split(":")[0] }];
    });
    window = await Window.open({
      "recruiting.app.json": config,
      "recruiting.apprun.json": JSON.stringify({
        contexts: [{ name: "sandbox", base_url: `${api.url}/v1` }],
      }),
    });
    await window.openFile("recruiting.app.json");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(async () => {
    await window?.close();
    api?.stop();
  });

  test("the key is hidden while it is typed, under the config's own label, and the password may stay empty", async () => {
    const { page } = window;
    const choice = page.locator(".quick-input-list .monaco-list-row", { hasText: "Connect “recruiting”" });
    await window.pressLens("Run pipe to here", "{account_id: .id, description: .name}", choice);
    await choice.click();
    const input = page.locator(".quick-input-widget input");
    const prompt = (text: string) => page.locator(".quick-input-message", { hasText: text }).waitFor();
    await prompt("API key");
    expect(await input.getAttribute("type")).toBe("password");
    await input.fill(KEY);
    await input.press("Enter");
    await prompt("Password (may be empty)");
    expect(await input.inputValue()).toBe("");
    await input.press("Enter");
    await expect.poll(() => api.requests.length, { timeout: 60_000 }).toBe(1);
    const authorization = `Basic ${Buffer.from(`${KEY}:`).toString("base64")}`;
    expect(api.requests[0]).toMatchObject({ url: "/v1/company", authorization });
  });

  test("a service that echoes the key doesn't bring it into the panel", async () => {
    const panel = window.panel();
    await panel.locator("[role=option]").nth(1).click();
    for (const tab of ["Output", "Requests", "Raw"]) {
      await panel.getByRole("tab", { name: tab }).click();
      const main = panel.locator("main");
      await main.getByText("Acme").first().waitFor();
      expect(await main.innerText()).not.toContain(KEY);
    }
  });

  test("another run doesn't ask again", async () => {
    await window.panel().locator("button", { hasText: "Run again" }).click();
    await expect.poll(() => api.requests.length, { timeout: 60_000 }).toBe(2);
    expect(api.requests[1]?.authorization).toBe(api.requests[0]?.authorization);
  });
});
