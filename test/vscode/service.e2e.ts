import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Api } from "../api/api.ts";
import { peopleConfig } from "../api/config.ts";
import { canRun, Window } from "./support/window.ts";

/** A config against a service of our own: login, polling, the setup with a search, and what its keys mean. */
describe.skipIf(!canRun)("with a service", () => {
  let window: Window;
  let api: Api;
  beforeAll(async () => {
    api = await Api.start({ people: 250 });
    const config = JSON.stringify(peopleConfig(api.origin), undefined, 2).replace(
      '"id": "person",',
      '"id": "person",\n                "search_term": "q",',
    );
    window = await Window.open({ "people.app.json": config });
    await window.openFile("people.app.json");
    await window.theme("light");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(async () => {
    await window?.close();
    await api?.close();
  });

  test("a person logs in by the browser, and no token is seen", async () => {
    const { page } = window;
    await window.focusEditor();
    await window.command("configc: Connect…");
    const ways = page.locator(".quick-input-list .monaco-list-row");
    await ways.filter({ hasText: "Log in with the browser" }).waitFor();
    await window.screenshot("71-connect");
    const opened = page.context().waitForEvent("page");
    await ways.filter({ hasText: "Log in with the browser" }).click();
    const service = await opened;
    await service.getByText("You can close this window and go back.").waitFor();
    expect(new URL(service.url()).hostname).toBe("127.0.0.1");
    await service.close();
    await page.locator(".notification-toast", { hasText: "“people” is connected" }).waitFor();
    await window.screenshot("72-connected");
    const asked = api.requests.find(({ path }) => path === "/oauth/authorize");
    expect(asked?.query.get("code_challenge_method")).toBe("S256");
    expect(await page.locator("body").innerText()).not.toMatch(/canary-(?:access|refresh)/);
    await window.command("Notifications: Clear All Notifications");
  });

  test("a poll shows its pages as they come, with the tokens of the login", async () => {
    const { page } = window;
    let asked = 0;
    const second = { test: (path: string) => path === "/people-by-cursor" && ++asked === 2 };
    let release = (): void => undefined;
    api.fault(second, async (_, response) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      response.writeHead(200, { "content-type": "application/json" }).end('{"data": [], "next": null}');
    });
    const panel = window.panel();
    const steps = panel.locator("[role=option]");
    await window.pressLens("Run poll", '"name": "changed-people"', steps);
    await panel.locator("[role=option].passed .name", { hasText: "!jq" }).nth(1).waitFor();
    await panel.locator("[role=option].running .name", { hasText: "!http" }).waitFor();
    await window.screenshot("73-poll-running");
    expect(await panel.locator("[role=status].state").innerText()).toContain("Running");
    const before = await steps.count();
    release();
    await panel.locator(".state.passed").waitFor({ timeout: 60_000 });
    expect(await steps.count()).toBeGreaterThan(before);
    await steps.filter({ hasText: "Whole run" }).waitFor();
    await window.screenshot("74-poll");
    expect(await panel.getByRole("tabpanel").innerText()).toContain("reason");
    expect(api.count("GET", "/people-by-cursor")).toBe(2);
    expect(await page.locator("body").innerText()).not.toMatch(/canary-(?:access|refresh)/);
  });

  test("who writes and who reads a key is a call hierarchy", async () => {
    const { page } = window;
    await window.goBehind("${polling_state.cur");
    await window.command("Peek Call Hierarchy");
    const rows = page.locator(".call-hierarchy .monaco-list-row");
    await rows.filter({ hasText: "request" }).first().waitFor();
    await window.screenshot("75-call-hierarchy");
    expect(await rows.first().innerText()).toContain("polling_state.cursor");
    await page.keyboard.press("Escape");
  });

  test("typing into a field with a search term asks for its choices anew", async () => {
    const { page } = window;
    await window.focusEditor();
    await window.command("configc: Preview the Setup");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Import people" }).click();
    const panel = window.page
      .locator("iframe.webview.ready")
      .last()
      .contentFrame()
      .locator("iframe#active-frame")
      .contentFrame();
    await panel.locator("button.main", { hasText: "Connect people" }).click();
    const search = panel.getByLabel("Search Person");
    await search.waitFor();
    await search.pressSequentially("ada");
    const searched = (term: string) => () => api.requests.some(({ query }) => query.get("q") === term);
    await expect.poll(searched("ada"), { timeout: 60_000 }).toBe(true);
    await panel.locator(".found", { hasText: "“ada”" }).waitFor();
    await window.screenshot("76-setup-search");
    // What is typed, and where, stays.
    expect(await search.inputValue()).toBe("ada");
    await search.press("a");
    await expect.poll(searched("adaa"), { timeout: 60_000 }).toBe(true);
  });
});
