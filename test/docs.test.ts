import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compile, rules } from "@configc/compiler";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parseArguments, splitVerb } from "../packages/cli/src/command-line/arguments.ts";
import { commonOptions, verbs } from "../packages/cli/src/verbs/table.ts";
import { setAt } from "../packages/compiler/test/rule-examples.ts";
import { parseAnsi } from "../scripts/docs/ansi.ts";
import { generateDocs, generatedFolders } from "../scripts/docs/generate.ts";
import { layOut } from "../scripts/docs/layout.ts";
import { anchor } from "../scripts/docs/markdown.ts";

/** The documentation is true: generated pages are those of the code, and what people wrote was tried. */

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const pagesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));

const generated = generateDocs(read);
const written = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...pagesBelow("docs")].filter(
  (path) =>
    path.endsWith(".md") &&
    (!generated.files.has(path) || path === "README.md" || path === "docs/settings.md"),
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

describe("links", () => {
  const pages = [...written, ...generated.files.keys(), ...pagesBelow("examples")].filter((path) =>
    path.endsWith(".md"),
  );
  test.each([...new Set(pages)])("%s", (path) => {
    const broken = linksOf(textOf(path)).filter((link) => !leadsSomewhere(path, link));
    expect(broken).toEqual([]);
  });
});

function textOf(path: string): string {
  return generated.files.get(path) ?? read(path);
}

function linksOf(text: string): string[] {
  const prose = text.replace(/^(`{3,})[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "code");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
}

function leadsSomewhere(from: string, link: string): boolean {
  if (/^https?:/.test(link)) return true;
  const [file = "", id] = link.split("#");
  const path = file === "" ? from : relative(root, resolve(root, dirname(from), file)).replaceAll("\\", "/");
  if (!generated.files.has(path) && !existsSync(join(root, path))) return false;
  if (id === undefined) return true;
  const text = textOf(path);
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading]) => anchor(heading!));
  const ids = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, name]) => name!);
  return headings.includes(id) || ids.includes(id);
}

interface Block {
  readonly page: string;
  readonly language: string;
  /** What follows the language after the opening fence: where a fragment of a config belongs. */
  readonly meta: string;
  readonly text: string;
}

const blocks: readonly Block[] = written.flatMap((page) =>
  [...read(page).matchAll(/^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm)].map(([, language, meta, text]) => ({
    page,
    language: language!,
    meta: meta!,
    text: text!,
  })),
);
const label = ({ page, text }: Block) => `${page}: ${text.slice(0, 50).replaceAll("\n", " ")}`;

describe("JSON in pages that people wrote", () => {
  const json = blocks.filter(({ language }) => language === "json");
  const settings = new Ajv({ strict: false }).compile(
    JSON.parse(read("packages/cli/schemas/configc.config.schema.json")) as object,
  );
  test.each(json.map((block) => [label(block), block] as const))("%s", (_, { text, meta }) => {
    const value = JSON.parse(text) as Record<string, unknown>;
    if (meta.startsWith("/"))
      expect(loudFindings(setAt(read("packages/cli/templates/outbound.app.json"), meta, text))).toEqual([]);
    else if ("$version" in value) expect(loudFindings(text)).toEqual([]);
    else if (!("json.schemas" in value)) expect(settings(value), JSON.stringify(settings.errors)).toBe(true);
  });
});

function loudFindings(text: string): string[] {
  return compile(text, { uri: "example.app.json" })
    .diagnostics.filter(({ severity }) => severity === "error" || severity === "warning")
    .map(({ finding }) => `${finding.rule.id}: ${finding.rule.message(finding.args)}`);
}

describe("command lines in pages that people wrote", () => {
  const lines = blocks
    .filter(({ language }) => language === "sh" || language === "yaml")
    .flatMap(({ text }) => text.split("\n"))
    .flatMap((line) => /(?:^|[\s/:])configc (.+?)(?: [>|].*| +#.*)?$/.exec(line)?.[1] ?? []);
  test.each([...new Set(lines)])("configc %s", (line) => {
    const argv = line.split(/\s+/).map((word) => word.replace(/^'(.*)'$/, "$1"));
    const { verb: name, rest } = splitVerb(argv, commonOptions);
    const verb = verbs.find((candidate) => candidate.name === name);
    expect(verbs.map((candidate) => candidate.name)).toContain(name);
    expect(() => parseArguments(rest, [...verb!.options, ...commonOptions], name!)).not.toThrow();
  });

  test("are there", () => {
    expect(lines.length).toBeGreaterThan(10);
  });

  test("npm scripts exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const used = written.flatMap((page) =>
      [...read(page).matchAll(/npm (?:run (\w+)|(start|test)\b)/g)].map(([, run, direct]) => run ?? direct!),
    );
    expect(used.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
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
