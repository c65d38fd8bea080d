import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { install } from "./support/install.ts";
import { packed } from "./support/packed.ts";
import { type RunningServer, startServer } from "./support/server.ts";
import { canRun, Window } from "./support/window.ts";

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const template = readFileSync(file("packages/cli/templates/outbound.app.json"), "utf8");

/** Without an entry for Node, VS Code can only run the extension in the browser's web worker. */
describe.skipIf(!canRun)("the web extension", () => {
  let server: RunningServer;
  let window: Window;
  beforeAll(async () => {
    const programs = install();
    if ("lacking" in programs) throw new Error(programs.lacking);
    server = await startServer(programs, packed("web-"));
    window = await Window.open({ "crm.app.json": template.replace('"!http"', '"!htp"') }, server.url);
    await window.openFile("crm.app.json");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(async () => {
    await window?.close();
    server?.stop();
  });

  test("checks and completes in the web-worker extension host", async () => {
    const { page } = window;
    await page.locator(".squiggly-error").first().waitFor({ state: "attached", timeout: 60_000 });
    const [problem] = await window.problems(1);
    expect(problem).toContain("!htp");
    await window.goBehind('"path": "/lists/${custom_data');
    await page.keyboard.press("Control+Shift+ArrowRight");
    await page.keyboard.type(".");
    const rows = page.locator(".suggest-widget .monaco-list-row");
    await rows.first().waitFor();
    await window.screenshot("51-web");
    expect(await rows.locator(".label-name").allInnerTexts()).toContain("list");
    await page.keyboard.press("Escape");
    await window.command("configc: Connect…");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Log in" }).click();
    await page.locator(".notification-toast", { hasText: "Logging in works on the desktop only" }).waitFor();
    // The server is a worker of the page: there is no process that could be one.
    expect(page.workers().length).toBeGreaterThan(0);
  });

  test("starts its server again", async () => {
    const { page } = window;
    await window.command("configc: Restart the Language Server");
    await window.goBehind('"label": "Connect');
    await page.keyboard.insertText('", "lable": "x');
    await window.command("Problems: Focus on Problems View");
    await page.locator(".markers-panel .monaco-list-row", { hasText: "lable" }).first().waitFor();
  });
});
