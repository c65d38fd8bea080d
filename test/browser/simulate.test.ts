import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "@configc/compiler";
import { simulate } from "@configc/simulate";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sources } from "../../scripts/sources.mjs";
import { secondTry } from "../suite-config.ts";
import { launchChromium, noChromium, PAGE_PATIENCE, servePages } from "../support/chromium.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");

/** As the playground's worker does it, with nothing but what every browser has. */
const script = `
  import { compile } from "@configc/compiler";
  import { simulate } from "@configc/simulate";
  globalThis.simulated = async (text, options) => JSON.stringify(await simulate(compile(text).app, options));
`;

interface InPage {
  readonly simulated: (text: string, options: object) => Promise<string>;
}

describe.skipIf(noChromium !== undefined)(noChromium ?? "a simulation in a browser", secondTry, () => {
  let browser: Browser;
  let pages: Awaited<ReturnType<typeof servePages>>;
  beforeAll(async () => {
    const bundle = await build({
      absWorkingDir: root,
      stdin: { contents: script, resolveDir: root },
      alias: sources,
      bundle: true,
      format: "esm",
      platform: "browser",
      mainFields: ["browser", "module", "main"],
      write: false,
    });
    pages = await servePages({
      "/": { type: "text/html", body: '<!doctype html><script type="module" src="/page.js"></script>' },
      "/page.js": { type: "text/javascript", body: bundle.outputFiles[0]!.text },
    });
    browser = await launchChromium();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  // One app that is right, and one that loses records, with its story and its smallest world.
  test.each([
    ["a right app", (text: string) => text],
    ["an app that loses records", (text: string) => text.replace("now - 300", "now")],
  ])(
    "gives the same bytes as Node: %s",
    async (_, edit) => {
      const text = edit(read("packages/simulate/test/polling/right.app.json"));
      const options = { seeds: 8, seed: 7, days: 1 };
      const page = await browser.newPage();
      page.setDefaultTimeout(PAGE_PATIENCE);
      await page.goto(pages.url);
      await page.waitForFunction(() => "simulated" in globalThis);
      const there = await page.evaluate(
        ([given, how]) => (globalThis as unknown as InPage).simulated(given as string, how as object),
        [text, options],
      );
      const here = JSON.stringify(await simulate(compile(text).app, options));
      expect(there.length).toBeGreaterThan(2_000);
      expect(there).toBe(here);
      await page.close();
    },
    PAGE_PATIENCE,
  );
});
