import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sources } from "../../scripts/sources.mjs";
import { secondTry } from "../suite-config.ts";
import { launchChromium, noChromium, PAGE_PATIENCE, servePages } from "../support/chromium.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const policy = "default-src 'none'; script-src 'self'; worker-src 'self'";

/** A page with a client of a dozen lines: it speaks the protocol with the worker by `postMessage`. */
const client = `
  const worker = new Worker("/worker.js");
  const waiting = new Map();
  let last = 0;
  globalThis.published = [];
  worker.onmessage = ({ data }) => {
    if (data.method === "textDocument/publishDiagnostics") published.push(data.params);
    waiting.get(data.id)?.(data.result ?? data.error);
  };
  globalThis.request = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++last, resolve);
      worker.postMessage({ jsonrpc: "2.0", id: last, method, params });
    });
  globalThis.notify = (method, params) => worker.postMessage({ jsonrpc: "2.0", method, params });
`;

const text = `{
  "$version": "2",
  "auth": {"acme": {"type": "oauth2"}},
  "api": {"base_url": "https://api.example.com"},
  "workflows": [{"name": "x", "auth": "acmee"}]
}`;

describe.skipIf(noChromium !== undefined)(noChromium ?? "the server in a web worker", secondTry, () => {
  let browser: Browser;
  let pages: Awaited<ReturnType<typeof servePages>>;
  beforeAll(async () => {
    const bundle = await build({
      absWorkingDir: root,
      entryPoints: ["packages/language-server/src/worker.ts"],
      alias: sources,
      bundle: true,
      format: "iife",
      platform: "browser",
      mainFields: ["browser", "module", "main"],
      write: false,
    });
    const script = { type: "text/javascript", headers: { "content-security-policy": policy } };
    pages = await servePages({
      "/": {
        type: "text/html",
        headers: script.headers,
        body: '<!doctype html><title>worker</title><script src="/client.js"></script>',
      },
      "/client.js": { ...script, body: client },
      "/worker.js": { ...script, body: bundle.outputFiles[0]!.text },
    });
    browser = await launchChromium();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  test("gives diagnostics and completion, under a policy without eval", async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PAGE_PATIENCE);
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
    await page.goto(pages.url);
    const answers = await page.evaluate(async (document) => {
      const { request, notify, published } = globalThis as unknown as {
        request: (method: string, params: unknown) => Promise<unknown>;
        notify: (method: string, params: unknown) => void;
        published: readonly { diagnostics: readonly { code: string }[] }[];
      };
      const uri = "inmemory:///a.app.json";
      await request("initialize", { processId: null, rootUri: null, capabilities: {} });
      notify("initialized", {});
      notify("textDocument/didOpen", {
        textDocument: { uri, languageId: "appconfig", version: 1, text: document },
      });
      const line = 4;
      const character = document.split("\n")[line]!.indexOf("acmee") + 2;
      const completion = (await request("textDocument/completion", {
        textDocument: { uri },
        position: { line, character },
      })) as { items?: readonly { label: string }[] } | readonly { label: string }[];
      const items = "items" in completion ? completion.items! : (completion as readonly { label: string }[]);
      return {
        codes: published.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)),
        labels: items.map(({ label }) => label),
      };
    }, text);
    expect(errors).toEqual([]);
    expect(answers.codes).toContain("reference/unknown-auth");
    expect(answers.labels).toContain("acme");
  });
});
