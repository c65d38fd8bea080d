import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, FrameLocator, Locator, Page } from "playwright-core";
import { inject, type RunnerTask } from "vitest";
import { connectChromium } from "../../support/chromium.ts";

const screenshots = fileURLToPath(new URL("../screenshots/", import.meta.url));

/** Pixels; more than a lens has, less than a lens and a line. */
const LENS_HEIGHT = 28;

/** Whether this machine can run VS Code at all. */
export const canRun = inject("vscode") !== undefined;

/** A window of VS Code on a folder of its own. */
export class Window {
  readonly page: Page;
  readonly folder: string;
  /** Where pictures go; ends with a slash. */
  readonly screenshots = screenshots;
  private readonly browser: Browser;

  private constructor(page: Page, folder: string, browser: Browser) {
    this.page = page;
    this.folder = folder;
    this.browser = browser;
  }

  /**
   * @param files text by name, written into the folder before it is opened
   * @param server another one than the tests' own
   */
  static async open(files: Readonly<Record<string, string>>, server?: string): Promise<Window> {
    const { url: own, browser: endpoint } = inject("vscode")!;
    const url = server ?? own;
    const folder = mkdtempSync(join(tmpdir(), "configc-workspace-"));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const browser = await connectChromium(endpoint);
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    // In CI other suites run beside this one, and a window may stand still for half a minute.
    page.setDefaultTimeout(60_000);
    const window = new Window(page, folder, browser);
    await page.goto(`${url}/?folder=${folder}`);
    const view = ".monaco-workbench .explorer-folders-view";
    // An empty folder has no rows.
    const shown = Object.keys(files).length === 0 ? view : `${view} .monaco-list-row`;
    await page.locator(shown).first().waitFor();
    return window;
  }

  /** Changes a file on disk, as another program would. */
  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), text);
  }

  /** Opens a file of the folder, and waits until it can be typed into. */
  async openFile(name: string): Promise<void> {
    await this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).dblclick();
    await this.page.locator(".editor-instance .view-line").first().waitFor();
    await this.page.locator(".editor-instance .view-lines").first().click();
  }

  /** Runs a command by the name that it has in the palette. */
  async command(name: string): Promise<void> {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget input");
    await input.fill(`>${name}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
  }

  /** Chooses an entry of a context menu. Those of extensions come some seconds after the window, so the menu is opened until it is there. */
  async chooseInMenu(target: Locator, title: string): Promise<void> {
    const entry = this.page.locator(".monaco-menu .action-label", { hasText: title });
    for (const end = Date.now() + 40_000; ; ) {
      await target.click({ button: "right" });
      const isThere = await entry.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      );
      // A menu takes no click in the moment in which it opens.
      while (isThere) {
        await entry.click();
        const isChosen = await entry.waitFor({ state: "hidden", timeout: 2_000 }).then(
          () => true,
          () => false,
        );
        if (isChosen) return;
        if (Date.now() > end) throw new Error(`“${title}” in the menu of ${target} can't be chosen.`);
      }
      if (Date.now() > end) throw new Error(`The menu of ${target} has no “${title}”.`);
      await this.page.keyboard.press("Escape");
    }
  }

  async focusEditor(): Promise<void> {
    await this.page.keyboard.press("Control+1");
    await this.page.locator(".editor-instance .monaco-editor.focused").waitFor();
  }

  /** Settings last longer than a window, and so does the theme. */
  async theme(wanted: "light" | "dark"): Promise<void> {
    const { page } = this;
    const dark = page.locator(".monaco-workbench.vs-dark");
    if ((await dark.count()) === (wanted === "dark" ? 1 : 0)) return;
    await this.command("Preferences: Toggle between Light/Dark Themes");
    await page.locator(wanted === "dark" ? ".monaco-workbench.vs-dark" : ".monaco-workbench.vs").waitFor();
  }

  /** Puts the cursor behind the first place of a text, by the editor's search. */
  async goBehind(text: string): Promise<void> {
    const { page } = this;
    const input = page.locator(".find-widget .find-part .input:enabled").first();
    // Another part of the window may still take the focus for itself, and the key with it.
    for (let left = 10; left > 0 && !(await input.isVisible()); left--) {
      await this.focusEditor();
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("Control+f");
      await input.waitFor({ timeout: 1_000 }).catch(() => undefined);
    }
    // The search begins with the word at the cursor, and its count would be taken for ours.
    const count = page.locator(".find-widget .matchesCount");
    await input.fill("");
    await count.filter({ hasText: "No results" }).waitFor();
    await input.fill(text);
    await count.filter({ hasText: /of \d+/ }).waitFor();
    // The search goes to the first place as one types, unless it was slower.
    if ((await count.innerText()).startsWith("?")) await input.press("Enter");
    await count.filter({ hasText: /^\d+ of \d+/ }).waitFor();
    // Lenses are asked for only while the text has the focus, and a busy search can miss the first Escape.
    const inSearch = page.locator(".find-widget .find-part .monaco-inputbox.synthetic-focus");
    for (let left = 10; left > 0 && (await inSearch.count()) > 0; left--) {
      await page.keyboard.press("Escape");
      await page.waitForTimeout(100);
    }
    await page.locator(".editor-instance .monaco-editor.focused").waitFor();
    await page.keyboard.press("ArrowRight");
  }

  /** The problems of all files as the panel lists them, once there are as many. */
  async problems(count: number): Promise<string[]> {
    const rows = this.page.locator(".markers-panel .monaco-list-row .marker-message-details-container");
    await this.command("Problems: Focus on Problems View");
    await rows.nth(count - 1).waitFor();
    // The panel takes the focus late on a busy machine: what comes next would be typed into it.
    await this.page.locator(".markers-panel:focus-within").waitFor();
    return rows.allInnerTexts();
  }

  /** Opens the fixes at the cursor. @returns the one with a text; a menu that closes again on a busy machine is opened anew */
  async quickFix(text: string): Promise<Locator> {
    const fix = this.page.locator(".action-widget .monaco-list-row.action", { hasText: text }).first();
    for (const end = Date.now() + 30_000; ; ) {
      await this.page.keyboard.press("Control+.");
      const isThere = await fix.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
      if (isThere) return fix;
      if (Date.now() > end) throw new Error(`There is no fix “${text}”.`);
      await this.page.keyboard.press("Escape");
    }
  }

  /** The inner page of our panel; where there are several, of the one that was opened last. */
  panel(): FrameLocator {
    return this.page.frameLocator("iframe.webview.ready >> nth=-1").frameLocator("iframe#active-frame");
  }

  /** Presses the lens of a title above the first line with a text, and waits for what it brings. */
  async pressLens(title: string, line: string, brings: Locator): Promise<void> {
    await this.goBehind(line);
    await this.pressLensOnce(title, line);
    await brings.first().waitFor();
  }

  /** Presses the lens as soon as it stands there. The line must be in view. */
  private async pressLensOnce(title: string, line: string): Promise<void> {
    const { page } = this;
    const row = page.locator(".editor-instance .view-line", { hasText: line }).first();
    const lenses = page.locator(".codelens-decoration a", { hasText: title });
    for (const end = Date.now() + 15_000; Date.now() < end; await page.waitForTimeout(100)) {
      const top = (await row.boundingBox())?.y ?? 0;
      for (const lens of await lenses.all()) {
        // Lenses are drawn anew while they are resolved: one of a moment ago may be gone.
        const place = await lens.boundingBox({ timeout: 500 }).catch(() => null);
        if (place === null) continue;
        const distance = top - place.y;
        if (distance <= 0 || distance >= LENS_HEIGHT) continue;
        // Another one may have its number by now.
        const pressed = lens.click({ timeout: 2_000 }).then(
          () => true,
          () => false,
        );
        if (await pressed) return;
      }
    }
    throw new Error(`There is no lens “${title}” above “${line}”.`);
  }

  /** What stands in the editor. */
  async text(): Promise<string> {
    const lines = await this.page.locator(".editor-instance .view-line").allInnerTexts();
    return lines.join("\n").replaceAll("\u00a0", " ");
  }

  /** For people: artefacts of the test, which git leaves out. */
  async screenshot(name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true });
    await this.page.screenshot({ path: `${screenshots}${name}.png` });
  }

  /** What a person would look at first. */
  async screenshotIfFailed({ name, result }: RunnerTask): Promise<void> {
    if (result?.state === "fail") await this.screenshot(`failed-${name.replace(/\W+/g, "-")}`);
  }

  async close(): Promise<void> {
    await this.browser.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
