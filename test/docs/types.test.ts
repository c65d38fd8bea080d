import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { allPages, blocksOf, root } from "./support/pages.ts";

/** TypeScript in pages that people write has the types that it says, as strictly as our own. */

const packages = ["jq", "compiler", "runtime", "host", "language-server"];
const blocks = allPages()
  .filter((page) => /^[^/]+\.md$|^docs\/[^/]+\.md$|^packages\/[^/]+\/README\.md$/.test(page))
  .flatMap((page) => blocksOf(page))
  .filter(({ language }) => language === "ts");

test("TypeScript in pages", () => {
  // Beside node_modules, where the packages are found.
  const folder = join(root, "node_modules/.cache/configc-docs", String(process.pid));
  mkdirSync(folder, { recursive: true });
  try {
    const files = blocks.map(({ page, line, text }) => {
      const file = join(folder, `${page.replace(/\W/g, "-")}-${line}.ts`);
      // Each is a module of its own, also one that imports nothing.
      writeFileSync(file, `${text}\nexport {};\n`);
      return file;
    });
    const program = ts.createProgram(files, {
      strict: true,
      noEmit: true,
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
      const { page, line } = blocks[index]!;
      const source = program.getSourceFile(file);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        ({ start = 0, messageText }) => {
          const at = line + 1 + (source?.getLineAndCharacterOfPosition(start).line ?? 0);
          return `${page}:${at}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
        },
      );
    });
    expect(mistakes).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What was built is quicker to read; the sources serve where nothing was. */
function entryOf(name: string): string {
  const built = join(root, "packages", name, "dist/index.d.ts");
  return existsSync(built) ? built : join(root, "packages", name, "src/index.ts");
}
