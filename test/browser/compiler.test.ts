import { type Compilation, compile, render, rules } from "@configc/compiler";
import { beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../../packages/cli/test/build.ts";
import { exampleDocument } from "../../packages/compiler/test/rule-examples.ts";

/**
 * The compiler for pages leaves out much of its prose (scripts/without-pages.mjs), and must say the same errors and warnings
 * nevertheless, but for what OpenAPI documents tell.
 */

interface BrowserBuild {
  readonly compile: typeof compile;
  readonly render: typeof render;
}

let browser: BrowserBuild;
beforeAll(async () => {
  ensureBuilt();
  browser = (await import(
    new URL("../../packages/compiler/dist/browser.js", import.meta.url).href
  )) as BrowserBuild;
}, 120_000);

function said({ model, diagnostics }: Compilation, { render }: Pick<BrowserBuild, "render">): unknown {
  const loud = diagnostics.filter(({ severity }) => severity === "error" || severity === "warning");
  return loud.map((diagnostic) => {
    // What to do stands on the rule's page, to which each finding links.
    const { help: _, ...rest } = render(model, diagnostic, { fixes: true });
    return rest;
  });
}

test("says of an example of each rule what the whole compiler says", () => {
  let findings = 0;
  for (const rule of rules) {
    for (const example of rule.examples.slice(0, 1)) {
      const { text, uri } = exampleDocument(example, example.bad);
      const { settings = {}, samples = {} } = example;
      if (samples.documents !== undefined) continue;
      const options = { uri, settings, samples };
      const whole = compile(text, options);
      findings += whole.diagnostics.length;
      expect(said(browser.compile(text, options), browser), rule.id).toEqual(said(whole, { render }));
    }
  }
  expect(findings).toBeGreaterThan(rules.length);
});

test("knows the rules about OpenAPI documents by name", () => {
  const ids = rules.map(({ id }) => id).filter((id) => id.startsWith("openapi/"));
  expect(ids.length).toBeGreaterThan(3);
  const _comment = `configc-ignore ${ids.join(" ")}: the document is older`;
  const text = JSON.stringify({ _comment });
  expect(said(browser.compile(text), browser)).toEqual(said(compile(text), { render }));
});
