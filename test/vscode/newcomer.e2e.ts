import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Api } from "./support/api.ts";
import { canRun, Window } from "./support/window.ts";

/*
 * A newcomer's first session: an empty folder becomes an app whose form reads a service on this machine. All that a person presses is counted;
 * looking for a place in the text stands for a click there.
 */

class Hands {
  keys = 0;
  clicks = 0;
  readonly window: Window;

  constructor(window: Window) {
    this.window = window;
  }

  async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.window.page.keyboard.type(text, { delay: 15 });
  }

  /** Keys with `+` between them are one. */
  async press(key: string, times = 1): Promise<void> {
    this.keys += times;
    for (let left = times; left > 0; left--) await this.window.page.keyboard.press(key);
  }

  async click(what: Locator): Promise<void> {
    this.clicks++;
    await what.first().click();
  }

  async choose(target: Locator, title: string): Promise<void> {
    this.clicks += 2;
    await this.window.chooseInMenu(target, title);
  }

  async clickBehind(text: string): Promise<void> {
    this.clicks++;
    await this.window.goBehind(text);
  }

  async lens(title: string, line: string, brings: Locator): Promise<void> {
    this.clicks++;
    await this.window.pressLens(title, line, brings);
  }
}

describe.skipIf(!canRun)("a newcomer's first session", () => {
  let window: Window;
  let api: Api;
  let hands: Hands;
  beforeAll(async () => {
    api = await Api.start(({ url = "" }) => {
      const { pathname } = new URL(url, "http://localhost");
      if (pathname === "/branches") return [200, { items: [{ id: 7, title: "North" }] }];
      return [404, { error: `there is no ${pathname}` }];
    });
    window = await Window.open({});
    await window.theme("light");
    hands = new Hands(window);
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(async () => {
    await window?.close();
    api?.stop();
  });

  const saved = (): string => readFileSync(join(window.folder, "tafel.app.json"), "utf8");

  test("an empty folder gets a config that is named after its service", async () => {
    const { page } = window;
    await hands.choose(page.locator(".explorer-folders-view"), "New Config from a Template");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "by polling" }).waitFor();
    await hands.type("poll");
    await hands.press("Enter");
    await page.locator(".quick-input-message", { hasText: "Its name" }).waitFor();
    await hands.type("tafel");
    await hands.press("Enter");
    await page.locator(".tab.active", { hasText: "tafel.app.json" }).waitFor();
    await expect.poll(() => window.text()).toContain('"tafel": {');
    await hands.press("Escape");
    await expect.poll(saved).toContain('"label": "Tafel - Import customers"');
    await window.screenshot("91-newcomer-template");
  });

  test("the service's address and its paths are written over the template's", async () => {
    await hands.clickBehind('"base_url": "https://api.example.com/v1');
    await hands.press("Backspace", "https://api.example.com/v1".length);
    await hands.type(api.url);
    await expect.poll(() => window.text()).toContain(`"base_url": "${api.url}"`);
    await hands.clickBehind('"path": "/lists" }');
    await hands.press("ArrowLeft", 3);
    await hands.press("Backspace", 5);
    await hands.type("branches");
    await expect.poll(() => window.text()).toContain('"path": "/branches" }');
    await hands.press("Control+s");
    await expect.poll(saved).toContain('{ "method": "GET", "path": "/branches" }');
    expect(saved()).toContain(`"base_url": "${api.url}"`);
  });

  test("a step is run with a token, and what it brings completes the program behind it", async () => {
    const { page } = window;
    const panel = window.panel();
    const choice = page.locator(".quick-input-list .monaco-list-row", { hasText: "Enter tokens" });
    await hands.lens("Run pipe to here", "[.items[] | {display: .name, value: .id}]", choice);
    await hands.click(choice);
    const prompt = (text: string) => page.locator(".quick-input-message", { hasText: text }).waitFor();
    await prompt("Access token");
    await hands.type("t0ken");
    await hands.press("Enter");
    await prompt("Refresh token");
    await hands.press("Enter");
    await hands.click(panel.locator("button", { hasText: "Save as sample" }));
    await page.locator(".tab.active", { hasText: /^get-.*\.json/ }).waitFor();
    await hands.click(page.locator(".tab", { hasText: "tafel.app.json" }));
    await hands.clickBehind("[.items[] | {display: .name");
    await hands.press("Control+Backspace");
    await hands.type("t");
    await page.locator(".suggest-widget.visible .monaco-list-row.focused", { hasText: "title" }).waitFor();
    await window.screenshot("92-newcomer-member");
    await hands.press("Enter");
    await hands.press("Control+s");
    await expect.poll(saved).toContain("[.items[] | {display: .title, value: .id}]");
    const share = hands.keys / saved().length;
    console.log(
      `${hands.keys} keys and ${hands.clicks} clicks for ${saved().length} characters: ${(100 * share).toFixed(1)} %`,
    );
    expect(share).toBeLessThan(0.25);
  });
});
