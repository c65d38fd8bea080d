import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { allPages, blocksOf, root } from "./support/pages.ts";

/**
 * TypeScript in pages that people write has the types that it says, as strictly as our own. JavaScript, which leaves out what only
 * its reader knows, is read without mistakes, and what it imports of our packages is there.
 */

const packages = ["jq", "compiler", "runtime", "host", "language-server"];
const blocks = allPages()
  .filter((page) => /^[^/]+\.md$|^docs\/[^/]+\.md$|^packages\/[^/]+\/README\.md$/.test(page))
  .flatMap((page) => blocksOf(page))
  .filter(({ language }) => language === "ts" || language === "js");
/** No such module, or no such export. */
const ofImports = new Set([2305, 2307, 2614, 2724]);

test("TypeScript and JavaScript in pages", () => {
  expect(blocks.length).toBeGreaterThan(1);
  // Beside node_modules, where the packages are found.
  const folder = join(root, "node_modules/.cache/configc-docs", String(process.pid));
  mkdirSync(folder, { recursive: true });
  try {
    const files = blocks.map(({ page, line, text, language }) => {
      const extension = language === "ts" ? "ts" : "mjs";
      const file = join(folder, `${page.replace(/\W/g, "-")}-${line}.${extension}`);
      // Each is a module of its own, also one that imports nothing.
      writeFileSync(file, `${text}\nexport {};\n`);
      return file;
    });
    const program = ts.createProgram(files, {
      strict: true,
      noEmit: true,
      allowJs: true,
      checkJs: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      allowImportingTsExtensions: true,
      typeRoots: [join(root, "node_modules/@types")],
      types: ["node"],
      paths: Object.fromEntries(packages.map((name) => [`@configc/${name}`, [entryOf(name)]])),
    });
    const mistakes = files.flatMap((file, index) => {
      const { page, line, language } = blocks[index]!;
      const source = program.getSourceFile(file);
      const semantic = program.getSemanticDiagnostics(source).filter(({ code, start = 0, length }) => {
        const isOwnFile = source?.text.slice(start, start + (length ?? 0)).includes("./") === true;
        return language === "ts" || (ofImports.has(code) && !isOwnFile);
      });
      return [...program.getSyntacticDiagnostics(source), ...semantic].map(({ start = 0, messageText }) => {
        const at = line + 1 + (source?.getLineAndCharacterOfPosition(start).line ?? 0);
        return `${page}:${at}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
      });
    });
    expect(mistakes).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What was built is quicker to read; the sources serve where it isn't there or has become old. */
function entryOf(name: string): string {
  const [built, source] = ["dist/index.d.ts", "src/index.ts"].map((path) =>
    join(root, "packages", name, path),
  );
  const time = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return time(built!) > time(source!) ? built! : source!;
}
