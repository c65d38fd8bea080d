import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, test } from "vitest";
import { app12k, appWith } from "../bench/generate.ts";
import { canRun, Window } from "./support/window.ts";

/*
 * `npm run bench:vscode`: from a key in the real editor to suggestions and to a squiggle, and what the server's processor had to do
 * with it. Times are taken in the page: from `keydown` to the change of the document that shows it.
 */

const ROUNDS = 20;

/** Ticks of a processor in a second: Linux always tells 100. */
const TICKS = 100;

const watch = `
  globalThis.seen = {};
  const squiggles = () => document.querySelectorAll(".squiggly-error, .squiggly-warning").length;
  let before = 0;
  addEventListener("keydown", () => { before = squiggles(); globalThis.seen = { key: performance.now() }; }, true);
  new MutationObserver(() => {
    const { seen } = globalThis;
    if (seen.suggestions === undefined && document.querySelector(".suggest-widget.visible .monaco-list-row")) seen.suggestions = performance.now();
    if (seen.squiggle === undefined && squiggles() > before) seen.squiggle = performance.now();
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });`;

/** 12 kB, and some 1 MB; the larger one also as plain JSON, for which VS Code's own server answers: what the editor takes by itself. */
const documents = {
  "12 kB": { file: "large.app.json", text: app12k(1) },
  "1 MB": { file: "large.app.json", text: appWith(200) },
  "1 MB of plain JSON": { file: "large.json", text: appWith(200) },
};

describe.skipIf(!canRun).each(Object.entries(documents))("a config of %s", (name, { file, text }) => {
  let window: Window;
  beforeAll(async () => {
    window = await Window.open({ [file]: text });
    await window.openFile(file);
    await window.page.evaluate(watch);
    // What is done once for a document isn't what a key costs.
    await window.page.waitForTimeout(15_000);
  });
  afterAll(() => window?.close());

  const waitFor = async (what: "suggestions" | "squiggle"): Promise<number> => {
    const seen = await window.page.waitForFunction(
      `globalThis.seen.${what} !== undefined && globalThis.seen`,
      undefined,
      {
        timeout: 60_000,
        polling: 20,
      },
    );
    const times = (await seen.jsonValue()) as Record<string, number>;
    return times[what]! - times["key"]!;
  };

  test("suggestions", { timeout: 600_000 }, async () => {
    const { page } = window;
    await window.goBehind('"type": "dropdown",');
    await page.keyboard.press("Enter");
    const [before, times] = [serverTime(), [] as number[]];
    for (let round = 0; round < ROUNDS; round++) {
      await page.waitForTimeout(2_500);
      await page.keyboard.press('"');
      times.push(await waitFor("suggestions"));
      await page.keyboard.press("Escape");
      await page.keyboard.press("Backspace");
    }
    tell(name, "suggestions after a key", times, serverTime() - before);
  });

  test.skipIf(file === "large.json")("a squiggle", { timeout: 600_000 }, async () => {
    const { page } = window;
    await window.goBehind('"type": "dropdown');
    const [before, times] = [serverTime(), [] as number[]];
    for (let round = 0; round < ROUNDS; round++) {
      await page.waitForTimeout(2_500);
      await page.keyboard.press("x");
      times.push(await waitFor("squiggle"));
      await page.keyboard.press("Escape");
      await page.keyboard.press("Backspace");
    }
    tell(name, "a squiggle after a key", times, serverTime() - before);
  });
});

function tell(name: string, what: string, times: readonly number[], cpu: number): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)} ms`;
  const perKey = Math.round((1_000 * cpu) / times.length);
  console.log(
    `${name}: ${what}: median ${at(0.5)}, nine of ten within ${at(0.9)}; the server took ${perKey} ms of CPU for each round`,
  );
}

/** Seconds of CPU that our language servers have taken. */
function serverTime(): number {
  let ticks = 0;
  for (const id of readdirSync("/proc")) {
    try {
      if (!readFileSync(`/proc/${id}/cmdline`, "utf8").includes("dist/server.cjs")) continue;
      const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1)!.split(" ");
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // No process, or one that has ended meanwhile.
    }
  }
  return ticks / TICKS;
}
