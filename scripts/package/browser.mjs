// The packed libraries in somebody else's bundle, in a real browser.
import { existsSync, readFileSync } from "node:fs";
import { build } from "esbuild";
import { kilobytes, root } from "./run.mjs";

const executable = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/**
 * Bundles compiler, graph, jq and runtime for a page, and uses them there.
 *
 * @param {string} folder where the packed packages are installed
 * @returns {Promise<string>} what was shown
 */
export async function useInBrowser(folder) {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { compile } from "@configc/compiler";
        import { graphOf, toSvg } from "@configc/compiler/graph";
        import { evaluate } from "@configc/jq";
        import * as runtime from "@configc/runtime";
        globalThis.use = (text) => {
          const { model, diagnostics } = compile(text, { uri: "page.app.json" });
          document.body.innerHTML = toSvg(graphOf(model));
          return {
            findings: diagnostics.map(({ finding }) => finding.rule.id),
            cards: document.querySelectorAll("svg .card").length,
            sum: evaluate("add", [1, 2, 3])[0],
            runtime: typeof runtime.createRuntime,
          };
        };`,
      resolveDir: folder,
    },
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
  });
  const [{ contents, text }] = outputFiles;
  if (!existsSync(executable))
    return `bundled for a browser (${kilobytes(contents.length)}), but not run: there is no ${executable} (CHROMIUM names another)`;
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({
    executablePath: executable,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.addScriptTag({ content: text });
    const template = readFileSync(`${root}packages/cli/templates/inbound-webhook.app.json`, "utf8");
    const clean = await page.evaluate((source) => globalThis.use(source), template);
    const broken = await page.evaluate(
      (source) => globalThis.use(source),
      template.replace('"!http"', '"!htp"'),
    );
    const wanted = { findings: [], cards: 5, sum: 6, runtime: "function" };
    if (JSON.stringify(clean) !== JSON.stringify(wanted) || errors.length > 0)
      throw new Error(`in the browser: ${JSON.stringify(clean)} ${errors.join("; ")}`);
    if (!broken.findings.includes("command/unknown-command"))
      throw new Error(`in the browser a misspelled command gave ${broken.findings.join(", ") || "nothing"}`);
    return `bundled for a browser (${kilobytes(contents.length)}) and used in Chromium ${browser.version()}`;
  } finally {
    await browser.close();
  }
}
