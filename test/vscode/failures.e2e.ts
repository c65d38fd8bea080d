import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Api } from "./support/api.ts";
import { install } from "./support/install.ts";
import { packed } from "./support/packed.ts";
import { type RunningServer, startServer } from "./support/server.ts";
import { canRun, Window } from "./support/window.ts";

const page200 =
  "<!doctype html><html><head><title>Sign in to Acme</title></head><body>Welcome back</body></html>";

function config(origin: string): string {
  const list = (path: string) => ({
    "!pipe": [{ "!http": { method: "GET", path } }, { "!jq": "[.items[] | {display: .name, value: .id}]" }],
  });
  const field = (id: string, label: string) => ({
    id,
    label,
    type: "dropdown",
    options: list(`/${id}`),
  });
  const described = {
    "!pipe": [{ "!http": { path: "/me" } }, { "!jq": "{account_id: .id, description: .name}" }],
  };
  const text = JSON.stringify(
    {
      $version: "2",
      auth: {
        acme: {
          type: "token",
          verify_url: `${origin}/me`,
          configuration: { header_key: "Authorization" },
          defined_fields: { token: { label: "API token", placeholder: "", help_text: "" } },
        },
      },
      api: { base_url: origin },
      workflows: [
        {
          name: "acme-add-contacts",
          label: "Acme - Add contacts",
          type: "automations",
          auth: "acme",
          setup: {
            connect: { label: "Connect", describe_connection: described },
            select: { label: "Select", form_fields: [field("lists", "List"), field("tags", "Tag")] },
          },
          data_pipeline: {
            source: { "!resource": "PlatformContact" },
            target: {
              "!http": {
                method: "POST",
                path: "/lists/${custom_data.lists.value}",
                body: { tag: "${custom_data.tags.value}" },
              },
            },
          },
        },
      ],
    },
    undefined,
    2,
  );
  // On one line, below its lens.
  return text.replace(
    /"!http": \{\s+"method": "GET",\s+"path": ("[^"]*")\s+\}/g,
    '"!http": { "method": "GET", "path": $1 }',
  );
}

describe.skipIf(!canRun)("what a person is told when a step fails", () => {
  let own: RunningServer;
  let window: Window;
  let api: Api;
  beforeAll(async () => {
    const programs = install();
    if ("lacking" in programs) throw new Error(programs.lacking);
    // As it is installed: nothing may reach this machine.
    own = await startServer(programs, packed(), { allowsPrivate: false });
    api = await Api.start(({ url }) => (url === "/tags" ? [401, { error: "expired" }] : [200, page200]));
    window = await Window.open({ "acme.app.json": config(api.url) }, own.url);
    await window.openFile("acme.app.json");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(async () => {
    await window?.close();
    own?.stop();
    api?.stop();
  });

  test("a refused address names the setting of this place, and a button allows it", async () => {
    const { page } = window;
    const choice = page.locator(".quick-input-list .monaco-list-row", { hasText: "Connect “acme”" });
    await window.pressLens("Run step", '"path": "/lists"', choice);
    await choice.click();
    const input = page.locator(".quick-input-widget input");
    await page.locator(".quick-input-message", { hasText: /token/i }).waitFor();
    await input.fill("t0ken");
    await input.press("Enter");
    const allow = window.panel().locator("button", { hasText: "Allow private networks" });
    await allow.waitFor({ timeout: 60_000 });
    expect(api.requests).toEqual([]);
    await window.screenshot("95-refused");
    await allow.click();
    const message = page.locator(".notification-toast", { hasText: "configc.run.allowPrivateNetwork" });
    await message.waitFor();
    await message.getByRole("button", { name: "Allow", exact: true }).click();
    await expect.poll(() => api.requests.length, { timeout: 60_000 }).toBe(1);
  });

  test("a web page instead of data says what it is: status, kind and title", async () => {
    const failure = window.panel().locator(".failure");
    await failure.filter({ hasText: "web page" }).waitFor({ timeout: 60_000 });
    const said = await failure.innerText();
    for (const part of ["200", "text/html", "Sign in to Acme"]) expect(said).toContain(part);
    await window.screenshot("96-web-page");
  });

  test("a run that ends with 401 offers to connect again", async () => {
    const { page } = window;
    const again = window.panel().locator("button", { hasText: "Connect again" });
    await window.pressLens("Run step", '"path": "/tags"', again);
    await window.screenshot("97-unauthorized");
    const before = api.requests.length;
    await again.click();
    await page.locator(".quick-input-message", { hasText: /token/i }).waitFor();
    const input = page.locator(".quick-input-widget input");
    await input.fill("an0ther");
    await input.press("Enter");
    await expect
      .poll(
        () =>
          api.requests
            .slice(before)
            .map(({ authorization }) => authorization)
            .join(),
        { timeout: 60_000 },
      )
      .toContain("an0ther");
  });
});
