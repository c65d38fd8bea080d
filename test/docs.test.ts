import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rules } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { parseAnsi } from "../scripts/docs/ansi.ts";
import { generateDocs, generatedFolders } from "../scripts/docs/generate.ts";
import { layOut } from "../scripts/docs/layout.ts";
import { allPages } from "./docs/support/pages.ts";

/** The documentation is true: generated pages are those of the code, and what people wrote was tried. */

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const pagesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));

const generated = generateDocs(read);
const written = allPages().filter(
  (path) =>
    /^(?:docs\/)?[^/]+\.md$/.test(path) &&
    (!generated.files.has(path) || ["README.md", "docs/settings.md", "docs/editors.md"].includes(path)),
);

describe("generated pages", () => {
  test("are up to date: if not, `npm run docs` writes them again", () => {
    const stale = [...generated.files].filter(
      ([path, text]) => !existsSync(join(root, path)) || read(path) !== text,
    );
    const surplus = generatedFolders.flatMap(pagesBelow).filter((path) => !generated.files.has(path));
    expect([...stale.map(([path]) => path), ...surplus]).toEqual([]);
  });

  test("cover each row of the specification, by a rule or a reason", () => {
    expect(generated.problems).toEqual([]);
  });
});

test("rules that pages name exist", () => {
  const ids = new Set(rules.map(({ id }) => id));
  const areas = [...new Set(rules.map(({ id }) => id.split("/")[0]!))].join("|");
  // In the places where only a rule can stand, and anywhere else if the area is one of ours.
  const named = new RegExp(
    `(?:configc-ignore |--rule |explain |"rules": \\{ ")([a-z]+/[a-z-]+)|(?<![\\w/.-])((?:${areas})/[a-z]+(?:-[a-z]+)*)(?![\\w/.-]*[/.]\\w)`,
    "g",
  );
  const found = written.flatMap((page) =>
    [...read(page).matchAll(named)].map(([, certain, likely]) => ({ page, id: certain ?? likely! })),
  );
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter(({ id }) => !ids.has(id))).toEqual([]);
});

describe("examples on rule pages", () => {
  const fragments = [...new Set(rules.flatMap(({ examples }) => examples.map(({ bad }) => bad)))];

  test("carets stand below the marked characters", () => {
    for (const marked of fragments.filter((fragment) => fragment.includes("«"))) {
      const lines = layOut(marked).underlined.split("\n");
      const at = lines.findIndex((line, index) => index > 0 && /^\s*\^+$/.test(line));
      const caretLine = lines[at] ?? "";
      const above = [...(lines[at - 1] ?? "")].slice(caretLine.indexOf("^"), caretLine.length).join("");
      const meant = /«([\s\S]*?)»/.exec(marked)?.[1]?.split("\n")[0] ?? "";
      if (meant !== "")
        expect([marked, above.replace(/\s+/g, "")]).toEqual([marked, meant.replace(/\s+/g, "")]);
    }
  });

  test("a broken line keeps its meaning", () => {
    for (const marked of fragments) {
      const source = marked.replace(/[«»]/g, "");
      const parsed = parsedJson(source);
      if (parsed !== undefined) expect(parsedJson(layOut(marked).text)).toEqual(parsed);
    }
  });
});

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe("pictures of a terminal", () => {
  test("styles begin and end where the codes say", () => {
    const [line] = parseAnsi("a\x1b[1;31mb\x1b[22mc\x1b[39md", 80);
    expect(line?.map(({ text, column, bold, color }) => ({ text, column, bold, color }))).toEqual([
      { text: "a", column: 0, bold: false, color: undefined },
      { text: "b", column: 1, bold: true, color: "red" },
      { text: "c", column: 2, bold: false, color: "red" },
      { text: "d", column: 3, bold: false, color: undefined },
    ]);
  });

  test("long lines are broken as a terminal breaks them", () => {
    expect(parseAnsi("abcdef\ngh", 4).map((runs) => runs.map(({ text }) => text).join(""))).toEqual([
      "abcd",
      "ef",
      "gh",
    ]);
  });

  test("what isn't a style is refused", () => {
    expect(() => parseAnsi("\x1b[2J", 80)).toThrow();
    expect(() => parseAnsi("\x1b[38;5;1mx", 80)).toThrow();
  });
});
