import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canRun, Window } from "./support/window.ts";

const template = (name: string): string =>
  readFileSync(
    fileURLToPath(new URL(`../../packages/cli/templates/${name}.app.json`, import.meta.url)),
    "utf8",
  );

describe.skipIf(!canRun)("a workspace", () => {
  let window: Window;
  beforeAll(async () => {
    window = await Window.open({
      "crm.app.json": template("outbound"),
      "apps/hooks.app.json": template("inbound-webhook").replace('"!save"', '"!sav"'),
      "apps/poll.app.json": template("inbound-polling").replace('"request"', '"requests"'),
      "apps/notes.json": '{"not": "a config"}',
      "configc.config.json": '{"langage": "core"}',
    });
    await window.theme("dark");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(() => window?.close());

  test("all its configs are checked, open or not", async () => {
    const { page } = window;
    await window.command("configc: Check All Configs of the Workspace");
    const rows = page.locator(".markers-panel .monaco-list-row");
    await rows.filter({ hasText: "poll.app.json" }).first().waitFor();
    await rows.filter({ hasText: "!sav" }).first().waitFor();
    await window.screenshot("81-workspace-check");
    expect(await rows.filter({ hasText: "crm.app.json" }).count()).toBe(0);
    expect(await rows.filter({ hasText: "notes.json" }).count()).toBe(0);
  });

  test("asked again, they are still shown; a file that changes on disk is checked again", async () => {
    const { page } = window;
    const rows = page.locator(".markers-panel .monaco-list-row");
    await window.command("configc: Check All Configs of the Workspace");
    await rows.filter({ hasText: "!sav" }).first().waitFor();
    window.write("apps/hooks.app.json", template("inbound-webhook"));
    await rows.filter({ hasText: "hooks.app.json" }).first().waitFor({ state: "detached" });
    await rows.filter({ hasText: "poll.app.json" }).first().waitFor();
    window.write("apps/hooks.app.json", template("inbound-webhook").replace('"!save"', '"!sav"'));
    await rows.filter({ hasText: "!sav" }).first().waitFor();
  });

  test("what the settings leave out isn't checked", async () => {
    const { page } = window;
    const rows = page.locator(".markers-panel .monaco-list-row");
    window.write("configc.config.json", '{"exclude": ["apps/poll.app.json"]}');
    await rows.filter({ hasText: "poll.app.json" }).first().waitFor({ state: "detached" });
    await rows.filter({ hasText: "hooks.app.json" }).first().waitFor();
    window.write("configc.config.json", '{"langage": "core"}');
    await rows.filter({ hasText: "poll.app.json" }).first().waitFor();
  });

  test("a mistake in the settings stands there once, whether they are open or not", async () => {
    const { page } = window;
    const rows = page.locator(".markers-panel .monaco-list-row");
    const told = rows.filter({ hasText: "langage" });
    await window.openFile("crm.app.json");
    await window.command("Problems: Focus on Problems View");
    await told.filter({ hasText: "none of these settings count" }).waitFor();
    await window.openFile("configc.config.json");
    await told.filter({ hasText: "is not allowed" }).waitFor();
    await told.filter({ hasText: "none of these settings count" }).waitFor({ state: "detached" });
    await window.command("View: Close Editor");
    await told.filter({ hasText: "none of these settings count" }).waitFor();
    await told.filter({ hasText: "is not allowed" }).waitFor({ state: "detached" });
  });

  test("a new config is made from a template, and has no mistakes", async () => {
    const { page } = window;
    await window.command("configc: New Config from a Template");
    const rows = page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "Inbound, by webhook" }).waitFor();
    await window.screenshot("82-new-config");
    await rows.filter({ hasText: "Inbound, by webhook" }).click();
    await page.locator(".codelens-decoration", { hasText: "1 reference" }).first().waitFor();
    // The lens may still be that of the config before.
    await expect.poll(() => window.text()).toContain('"$version": "2"');
    expect(await page.locator(".squiggly-error").count()).toBe(0);
  });

  test("the walkthrough tells where to begin", async () => {
    const { page } = window;
    await window.command("Welcome: Open Walkthrough...");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "integration app config" }).click();
    const steps = page.locator(".getting-started-step");
    await steps.filter({ hasText: "Start with a template" }).first().waitFor();
    await window.screenshot("83-walkthrough");
    expect(await steps.count()).toBe(5);
    // Its buttons do what they say.
    await steps.first().getByRole("button", { name: "New config…" }).click();
    await page.locator(".quick-input-title", { hasText: "New integration app config" }).waitFor();
    await page.keyboard.press("Escape");
    await steps.filter({ hasText: "Check all configs" }).click();
    await steps.last().getByRole("button", { name: "Open the settings" }).click();
    const language = page.locator(".setting-item-contents", { hasText: "The tier of the language" });
    await language.waitFor();
    await window.screenshot("84-settings");
    expect(await language.innerText()).toContain("Not set here");
  });
});
