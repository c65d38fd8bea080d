import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { secondTry } from "../suite-config.ts";
import { launchChromium, noChromium, PAGE_PATIENCE, servePages } from "../support/chromium.ts";

// The engine makes no code at run time, so it runs where a page forbids that: under the strictest policy that lets a
// script in at all.
const policy = "default-src 'none'; script-src 'self'";

/** What the page runs: it writes what it found into the document, for the test to read. */
const script = `
  import { compile, evaluate, infer, types } from "@configc/jq";
  const attempt = (run) => { try { return run(); } catch (error) { return error.name; } };
  const input = { items: [{ name: "Ada", id: 1 }, { name: "Grace", id: 2 }] };
  const { filter } = compile("[.items[] | {display: .name, value: .id}]");
  const report = {
    options: filter.first(input),
    regex: evaluate('[.items[].name | select(test("^\\\\\\\\p{Lu}d"; "x"))]', input),
    dates: evaluate("1425599507 | todate", null),
    failure: attempt(() => evaluate(".items - 1", input)),
    deep: attempt(() => evaluate("def f: 1 + f; f", null)),
    budget: attempt(() => evaluate("range(1e12) | empty", null, { budget: { steps: 10000 } })),
    type: infer(compile("1").diagnostics.length === 0 ? "[.a]" : "", types.unknown).cardinality,
    evalIsForbidden: attempt(() => new Function("return 1")()),
  };
  document.title = JSON.stringify(report);
`;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: fileURLToPath(new URL("../..", import.meta.url)) },
    alias: { "@configc/jq": fileURLToPath(new URL("../../packages/jq/src/index.ts", import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2023",
  });
  return outputFiles[0]!.text;
}

describe.skipIf(noChromium !== undefined)(noChromium ?? "a page that forbids eval", secondTry, () => {
  let pages: Awaited<ReturnType<typeof servePages>>;
  let browser: Browser;

  beforeAll(async () => {
    const headers = { "content-security-policy": policy };
    pages = await servePages({
      "/": {
        type: "text/html; charset=utf-8",
        headers,
        body: '<!doctype html><script src="/page.js" defer></script>',
      },
      "/page.js": { type: "text/javascript", headers, body: await bundle() },
    });
    browser = await launchChromium();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  test("runs programs", async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PAGE_PATIENCE);
    const problems: string[] = [];
    page.on("pageerror", ({ message }) => problems.push(message));
    await page.goto(`${pages.url}/`, { waitUntil: "load" });
    expect(problems).toEqual([]);
    expect(JSON.parse(await page.title())).toEqual({
      options: [
        { display: "Ada", value: 1 },
        { display: "Grace", value: 2 },
      ],
      regex: [["Ada"]],
      dates: ["2015-03-05T23:51:47Z"],
      failure: "JqError",
      deep: "JqError",
      budget: "JqError",
      type: "one",
      // The policy is in force.
      evalIsForbidden: "EvalError",
    });
  });
});
