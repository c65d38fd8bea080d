import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Api } from "./support/api.ts";
import { install } from "./support/install.ts";
import { packed } from "./support/packed.ts";
import { type RunningServer, startServer } from "./support/server.ts";
import { canRun, Window } from "./support/window.ts";

const template = readFileSync(
  fileURLToPath(new URL("../../packages/cli/templates/outbound.app.json", import.meta.url)),
  "utf8",
);

describe.skipIf(!canRun)("a folder that isn't trusted", () => {
  let server: RunningServer;
  let window: Window;
  let api: Api;
  beforeAll(async () => {
    const programs = install();
    if ("lacking" in programs) throw new Error(programs.lacking);
    api = await Api.start(() => [200, {}]);
    server = await startServer(programs, packed(), { trusts: false });
    window = await Window.open(
      {
        "crm.app.json": template.replace('"!http"', '"!htp"'),
        "crm.apprun.json": JSON.stringify({ contexts: [{ name: "sandbox", base_url: api.url }] }),
      },
      server.url,
    );
    await window.openFile("crm.app.json");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(async () => {
    await window?.close();
    server?.stop();
    api?.stop();
  });

  test("is checked, but nothing in it is run", async () => {
    const { page } = window;
    await page.locator(".squiggly-error").first().waitFor({ state: "attached" });
    const refusal = page.locator(".notification-toast", { hasText: "trusted workspaces only" });
    await window.pressLens("Run pipe to here", "{account_id: .id, description: .name}", refusal);
    await window.screenshot("61-untrusted");
    expect(api.requests).toEqual([]);
  });
});
