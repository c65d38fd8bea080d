import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { describe, expect, test } from "vitest";

/** The rules about imports that `npm run lint` enforces: they know the phases of the compiler, and they can fail. */

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const { forbidden } = require("../.dependency-cruiser.cjs");
const phases: readonly string[] = require("../packages/compiler/phases.json");

describe("the order of phases", () => {
  test("has all that there is in the compiler's sources", () => {
    expect(readdirSync(join(root, "packages/compiler/src")).sort()).toEqual([...phases].sort());
  });

  test("is that of the table in docs/architecture.md", () => {
    const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
    const rows = page.matchAll(/^\| \[([^\]]+)\]\(\.\.\/packages\/compiler\/src\/[^)]+\) \|/gm);
    expect([...rows].map(([, phase]) => phase)).toEqual(phases);
  });
});

/** Files with what each imports (`type` for types alone), and the rules that are broken. */
const cases: readonly {
  readonly title: string;
  readonly files: Readonly<Record<string, readonly string[]>>;
  readonly broken: readonly string[];
}[] = [
  {
    title: "an earlier phase may be imported",
    files: { "compiler/src/flow/a.ts": ["../parse/b.ts"], "compiler/src/parse/b.ts": [] },
    broken: [],
  },
  {
    title: "a later phase may not",
    files: { "compiler/src/parse/a.ts": ["../flow/b.ts"], "compiler/src/flow/b.ts": [] },
    broken: ["compiler-parse"],
  },
  {
    title: "not for its types either",
    files: { "compiler/src/findings/a.ts": ["type ../check/b.ts"], "compiler/src/check/b.ts": [] },
    broken: ["compiler-findings"],
  },
  {
    title: "single files are phases too",
    files: { "compiler/src/check/a.ts": ["../rules.ts"], "compiler/src/rules.ts": [] },
    broken: ["compiler-check"],
  },
  {
    title: "two files may not import each other",
    files: { "compiler/src/bind/a.ts": ["./b.ts"], "compiler/src/bind/b.ts": ["./a.ts"] },
    broken: ["no-circles"],
  },
  {
    title: "not for types either, nor by way of a third",
    files: {
      "compiler/src/bind/a.ts": ["type ./b.ts"],
      "compiler/src/bind/b.ts": ["./c.ts"],
      "compiler/src/bind/c.ts": ["type ./a.ts"],
    },
    broken: ["no-circles"],
  },
  {
    title: "a package may not import one that stands on it",
    files: { "jq/src/a.ts": ["../../compiler/src/index.ts"], "compiler/src/index.ts": [] },
    broken: ["jq-arrows"],
  },
];

describe("the rules of imports", () => {
  test.each(cases)("$title", async ({ files, broken }) => {
    const folder = mkdtempSync(join(tmpdir(), "arrows-"));
    try {
      for (const [path, imports] of Object.entries(files)) write(join(folder, "packages", path), imports);
      expect(await brokenRules(folder)).toEqual(broken);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function write(path: string, imports: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true });
  const lines = imports.map((each) =>
    each.startsWith("type ")
      ? `import type { Name } from "${each.slice(5)}";\nexport type Own = Name;`
      : `import { name } from "${each}";\nexport const own = name;`,
  );
  writeFileSync(path, `${lines.join("\n")}\nexport const name = 1;\nexport type Name = string;\n`);
}

async function brokenRules(baseDir: string): Promise<string[]> {
  const { output } = await cruise(["packages"], {
    baseDir,
    validate: true,
    ruleSet: { forbidden },
    tsPreCompilationDeps: true,
  });
  const { violations } = (output as ICruiseResult).summary;
  return [...new Set(violations.map(({ rule }) => rule.name))]
    .filter((name) => name !== "through-the-front-door")
    .sort();
}
