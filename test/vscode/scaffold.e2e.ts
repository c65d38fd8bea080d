import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { unnamed } from "./support/unnamed.ts";
import { canRun, Window } from "./support/window.ts";

const described = readFileSync(
  new URL("../../packages/scaffold/test/described/webhooks-and-list.json", import.meta.url),
  "utf8",
);

describe.skipIf(!canRun)("a config from a description of an API", () => {
  let window: Window;
  beforeAll(async () => {
    window = await Window.open({ "lantern.json": described });
    await window.theme("light");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(() => window?.close());

  test("a page shows what is known and what is open, and follows the choices", async () => {
    const { page } = window;
    const file = page.locator(".explorer-folders-view .monaco-list-row", { hasText: "lantern.json" });
    await window.chooseInMenu(file, "New Config from an API Description");
    const panel = window.panel();
    await panel.getByRole("heading", { name: "An app for Lantern" }).waitFor();
    await window.screenshot("86-scaffold-light");
    expect(unnamed(await panel.locator("main").ariaSnapshot())).toEqual([]);
    expect(await panel.locator(".open dt").count()).toBeGreaterThan(0);
    await panel.locator("summary").click();
    const text = panel.getByLabel("The config", { exact: true });
    expect(await text.innerText()).toContain('"type": "webhook"');
    // The description has no request that takes a contact.
    expect(await panel.getByRole("radio", { name: "Nowhere" }).count()).toBe(0);
    await panel.getByText("The file has no request that takes a person").waitFor();
    await panel.getByRole("radio", { name: "likeliest" }).waitFor();
    await panel.getByRole("radio", { name: /^GET / }).first().check();
    await expect.poll(() => panel.locator("pre").textContent()).toContain('"type": "polling"');
  });

  test("it looks as well in the dark and in high contrast", async () => {
    await window.theme("dark");
    await window.screenshot("87-scaffold-dark");
    window.write(".vscode/settings.json", '{"workbench.colorTheme": "Default High Contrast"}');
    await window.page.locator(".monaco-workbench.hc-black").waitFor();
    await window.screenshot("88-scaffold-contrast");
    window.write(".vscode/settings.json", "{}");
    await window.page.locator(".monaco-workbench.hc-black").waitFor({ state: "detached" });
    await window.theme("light");
  });

  test("it writes the config that was chosen, under a name, and opens it", async () => {
    const { page } = window;
    const panel = window.panel();
    await panel.getByLabel("Its name, without .app.json").fill("lamps/new");
    await panel.getByRole("button", { name: "Write the config" }).click();
    await panel.getByRole("alert").getByText("no slash").waitFor();
    await panel.getByLabel("Its name, without .app.json").fill("lamps");
    await panel.getByRole("button", { name: "Write the config" }).click();
    await page.locator(".tab.active", { hasText: "lamps.app.json" }).waitFor();
    const file = join(window.folder, "lamps.app.json");
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, "utf8")).toContain('"type": "polling"');
    expect(readFileSync(join(window.folder, "configc.config.json"), "utf8")).toContain("lantern.json");
  });
});
