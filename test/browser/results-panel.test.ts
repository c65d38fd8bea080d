import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunStepResult } from "../../packages/language-server/src/index.ts";
import { secondTry } from "../suite-config.ts";
import { launchChromium, noChromium, PAGE_PATIENCE, servePages } from "../support/chromium.ts";
import { type Session, startSession } from "../support/editor-session.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const MILLION = 1_000_000;
const uri = "untitled:many.app.json";
const node = (workflow: number) => `/workflows/${workflow}/data_pipeline/source`;
const items = (count: number) => ({
  data_pipeline: {
    source: {
      "!pipe": [
        { "!jq": `[range(${count}) | {id: ., name: "Person \\(.)", address: {city: "City \\(. % 7)"}}]` },
        { "!jq": '{items: ., total: length, text: ("A long line of text.\\n" * 3000)}' },
      ],
    },
    target: { "!jq": "." },
  },
});
const config = JSON.stringify({ workflows: [items(5_000), items(MILLION)] });

/** The panel as it is packed, in a page of a browser; what it asks goes to a real server, as the extension sends it on. */
describe.skipIf(noChromium !== undefined)(noChromium ?? "the panel of results", secondTry, () => {
  let browser: Browser;
  let pages: Awaited<ReturnType<typeof servePages>>;
  let page: Page;
  let session: Session;
  beforeAll(async () => {
    const built = await build({
      absWorkingDir: root,
      entryPoints: ["extension/webview/results.ts", "extension/webview/results.css"],
      bundle: true,
      format: "esm",
      write: false,
      outdir: "out",
    });
    const named = (end: string) => built.outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
    pages = await servePages({
      "/": {
        type: "text/html",
        body: '<!doctype html><link rel="stylesheet" href="/results.css"><style>body{margin:0}</style><main></main><script type="module" src="/results.js"></script>',
      },
      "/results.js": { type: "text/javascript", body: named(".js") },
      "/results.css": { type: "text/css", body: named(".css") },
    });
    browser = await launchChromium();
    session = await startSession(uri, config);
    page = await browser.newPage({ viewport: { width: 1000, height: 400 } });
    page.setDefaultTimeout(PAGE_PATIENCE);
    await page.addInitScript(() => {
      const given = globalThis as unknown as Record<string, unknown>;
      given["acquireVsCodeApi"] = () => ({ postMessage: given["fromPanel"] });
    });
    await page.exposeFunction("fromPanel", async (message: Record<string, unknown>) => {
      if (message["kind"] !== "ask") return;
      const { id, ask, part, ...more } = message;
      const method = { value: "configc/runValue", find: "configc/runFind", text: "configc/runText" }[
        String(ask)
      ];
      const answer = await session
        .request(method ?? "", { run, ...(part as object), ...more, textDocument: { uri } })
        .then(
          (value) => ({ value: ask === "text" ? (value as { text: string }).text : value }),
          (error: Error) => ({ error: error.message }),
        );
      await tell({ kind: "answer", id, ...answer });
    });
    await page.goto(pages.url);
  }, 120_000);
  afterAll(async () => {
    session?.end();
    await browser?.close();
    await pages?.close();
  });

  let run: number | undefined;
  const tell = (message: object): Promise<void> =>
    page.evaluate((data) => {
      (globalThis as unknown as EventTarget).dispatchEvent(new MessageEvent("message", { data }));
    }, message);
  /** Runs it as the extension does. @returns the result, and milliseconds from its message to the first rows */
  async function shown(workflow: number): Promise<{ result: RunStepResult; milliseconds: number }> {
    const result = await session.request<RunStepResult>("configc/runStep", {
      textDocument: { uri },
      node: node(workflow),
      input: {},
      keep: true,
    });
    run = result.run;
    await tell({ kind: "running", title: "Many" });
    const began = performance.now();
    await tell({ kind: "result", title: "Many", result, comparable: false });
    await tree().getByRole("treeitem").nth(3).waitFor();
    return { result, milliseconds: performance.now() - began };
  }
  const tree = () => page.getByRole("tree");

  test("5,000 items are counted, reached by a key, found and opened, however much of them came at first", async () => {
    await shown(0);
    await tree().getByText("items: [").waitFor();
    expect(await tree().getByText("5,000 items").count()).toBe(1);
    // There was no room for what stands behind: it is fetched.
    await tree().getByText("total: 5000").waitFor();
    await tree().getByText("items: [").click();
    await tree().focus();
    await page.keyboard.press("End");
    for (let up = 3; up > 0; up--) await page.keyboard.press("ArrowUp");
    await tree().getByText('name: "Person 4999"').or(tree().getByText("4999: {")).first().waitFor();
    // A text opens into its lines, also those that didn't come with the result.
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await tree().getByText("A long line of text.").nth(3).waitFor();
    await page.getByRole("searchbox").fill("person 432");
    await tree().getByText("11 matches").waitFor();
    await tree().getByText(".items[4321].name").waitFor();
    await page.getByRole("searchbox").fill("");
    await tree().getByText("5,000 items").waitFor();
  });

  test("a value that is too long to be shown as text says so", async () => {
    await shown(0);
    await page.getByRole("tab", { name: "Raw" }).click();
    await page
      .getByText(/longer than 500,000 characters/)
      .or(page.locator("pre", { hasText: "Person 0" }))
      .first()
      .waitFor();
    await page.getByRole("tab", { name: "Output" }).click();
  });

  test("a million items: counted, first seen within a second, and in the memory of a few rows", async () => {
    const { result, milliseconds } = await shown(1);
    await tree().getByText("1,000,000 items").waitFor();
    expect(milliseconds).toBeLessThan(1_000);
    // What is sent for it is small, too.
    expect(JSON.stringify(result).length).toBeLessThan(500_000);
    await tree().getByText("items: [").click();
    expect(await tree().getByRole("treeitem").count()).toBeLessThan(60);
    await tree().focus();
    await page.keyboard.press("End");
    for (let up = 4; up > 0; up--) await page.keyboard.press("ArrowUp");
    await tree().getByText("999999: {").waitFor();
    await page.getByRole("searchbox").fill("person 99999");
    await tree().getByText("11 matches").waitFor();
    const heap = await page.evaluate(
      () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
    );
    expect(heap).toBeLessThan(50e6);
  }, 120_000);
});
