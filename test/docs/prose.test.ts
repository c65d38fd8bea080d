import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "./support/pages.ts";

/**
 * What people read keeps to the glossary and to the rules for prose in CONTRIBUTING, as far as a machine can see it. A finding names file,
 * line and what to write. Messages are held to more than pages that people wrote at length: pages get each rule once they keep it.
 */

interface Line {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** A way of writing that has a better one; `pages` where the pages keep to it as well as the messages. */
interface Wording {
  readonly found: RegExp;
  readonly write: string;
  readonly pages?: boolean;
}

const wordings: readonly Wording[] = [
  { found: /\bthird part(?:y|ies)\b/i, write: "service" },
  { found: /\b(?:vendor|end users?|tenants? account)\b/i, write: "service, or customer", pages: true },
  {
    found: /\b(?:silently|quietly) and without a word\b|\bwithout a word\b|\bword by word\b/,
    write: "silently, or as written",
  },
  { found: /\b[Ii]t (?:is|was) (?:the|this|a) \w+ that\b/, write: "the subject first: who does what" },
  { found: /\b(?:is|are) to be (?:\w+ed|sent|made|read|written)\b/, write: "must be, or will be" },
  { found: /, and this is\b/, write: "…, but is …, or a new sentence: It is …" },
  { found: /\b[Ww]hat (?:isn't|aren't|doesn't|hasn't)\b/, write: "name the thing" },
  { found: /\b(?:please|simply|obviously)\b/i, write: "nothing in its place", pages: true },
  { found: /\b(?:utili[sz]e|in order to|prior to)\b/i, write: "use, to, before", pages: true },
  { found: /\bcan not\b/, write: "can't" },
  { found: /(?:n't|\bnot|\bnever) [^.,;:()]*\b(?:nothing|nobody|no one)\b/, write: "one negation" },
];

/** Words of a sentence at most. */
const LONGEST = { messages: 45, pages: 75 };

const hidden = (text: string): string =>
  text
    .replace(/`[^`]*`/g, "`x`")
    .replace(/“\w+”/g, "“x”")
    .replace(/\]\([^)]*\)/g, "]");

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.includes("generated"))
    .map((path) => join(folder, path));
}

/** Literals of the compiler and the help of verbs, with “…” where something is put in. */
function messages(file: string): readonly Line[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest);
  const found: Line[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isPropertyAssignment(node) &&
      ts.isIdentifier(node.name) &&
      ["examples", "guards"].includes(node.name.text)
    )
      return;
    const text = ts.isTemplateExpression(node)
      ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…")
      : ts.isStringLiteralLike(node)
        ? node.text
        : undefined;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    if (text !== undefined && / \w+ /.test(text)) found.push({ file, line: line + 1, text: hidden(text) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Lines of a page outside of its blocks. */
function page(file: string): readonly Line[] {
  const text = readFileSync(join(root, file), "utf8").replace(/^( *)```[\s\S]*?^\1```/gm, (block) =>
    block.replace(/[^\n]/g, ""),
  );
  return text.split("\n").map((line, index) => ({ file, line: index + 1, text: hidden(line) }));
}

function mistakes(lines: readonly Line[], kept: readonly Wording[], longest: number): readonly string[] {
  return lines.flatMap(({ file, line, text }) => [
    ...kept.flatMap(({ found, write }) => {
      const words = found.exec(text)?.[0];
      return words === undefined ? [] : [`${file}:${line}: “${words}”. Write: ${write}`];
    }),
    ...text
      .split(/(?<=[.!?:;])\s|\|/)
      .filter((sentence) => sentence.split(/\s+/).length > longest)
      .map((sentence) => `${file}:${line}: more than ${longest} words: “${sentence.trim().slice(0, 60)}…”`),
  ]);
}

test("a finding names file, line and what to write", () => {
  const lines: Line[] = [
    { file: "a.ts", line: 3, text: "The third party must answer, and this is a list." },
    { file: "a.ts", line: 4, text: "It doesn't read nothing." },
    { file: "a.ts", line: 5, text: `${"word ".repeat(50)}.` },
    { file: "a.ts", line: 6, text: "The service must answer. It is a list." },
  ];
  expect(mistakes(lines, wordings, LONGEST.messages)).toEqual([
    "a.ts:3: “third party”. Write: service",
    "a.ts:3: “, and this is”. Write: …, but is …, or a new sentence: It is …",
    "a.ts:4: “n't read nothing”. Write: one negation",
    expect.stringMatching(/^a\.ts:5: more than 45 words/),
  ]);
});

test("messages of the compiler, of jq's checks and the help of verbs", () => {
  const files = ["packages/compiler/src", "packages/cli/src/verbs/specs"].flatMap(sourcesBelow);
  const lines = [...files, "packages/jq/src/diagnostics.ts", "packages/jq/src/types/findings.ts"].flatMap(
    messages,
  );
  expect(lines.length).toBeGreaterThan(2_000);
  expect(mistakes(lines, wordings, LONGEST.messages)).toEqual([]);
});

test("pages that people wrote", () => {
  const pages = ["README.md", "CONTRIBUTING.md", "extension/README.md"].concat(
    readdirSync(join(root, "docs"))
      .filter((name) => name.endsWith(".md") && !["glossary.md", "coverage.md"].includes(name))
      .map((name) => `docs/${name}`),
  );
  const kept = wordings.filter((wording) => wording.pages === true);
  expect(mistakes(pages.flatMap(page), kept, LONGEST.pages)).toEqual([]);
});
