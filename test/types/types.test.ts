import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { commandTypes, compile, language, type PayloadSample, rules, type Sample } from "@configc/compiler";
import { readSamples } from "@configc/compiler/internal";
import { printType } from "@configc/jq";
import { describe, expect, test } from "vitest";
import { setAt } from "../../packages/compiler/test/rule-examples.ts";
import { baseFile } from "../../packages/compiler/test/support/bases.ts";
import { type Block, type Section, sectionsOf } from "./markdown.ts";

/** The pages of this folder say what is true (`markdown.ts`). */

const folder = fileURLToPath(new URL(".", import.meta.url));
const pages = readdirSync(folder)
  .filter((name) => name.endsWith(".md") && name !== "README.md")
  .map((name) => ({ name, text: readFileSync(folder + name, "utf8") }));

describe.each(pages)("$name", ({ text }) => {
  test.each(sectionsOf(text).map((section) => [section.title, section] as const))("%s", (_, section) => {
    expect(said(section)).toEqual(claimed(section));
  });
});

/** What the blocks of a section claim, by line of the page. */
function claimed({ blocks }: Section): string[] {
  return blocks
    .flatMap(({ line, comments }) =>
      comments.map((each) => [line + each.line, `${each.kind}: ${each.text}`] as const),
    )
    .sort(([a], [b]) => a - b)
    .map(([line, text]) => `${line}: ${text}`);
}

/** Rules about what an app does with values, not about their types. */
const otherAreas = /^(?:unused|polling|intake)\//;

/** What the compiler says, in the same form: of all lines what is wrong, and of those that ask for it the type. */
function said({ blocks, line }: Section): string[] {
  const configs = blocks.filter(({ kind }) => kind === "config");
  const [template] = new Set(configs.map((block) => block.template));
  let text = readFileSync(baseFile(template ?? ""), "utf8");
  for (const { pointer, text: part } of configs) text = setAt(text, pointer, part);
  const { model, diagnostics } = compile(text, { uri: "test.app.json", samples: samplesOf(blocks) });
  const found: (readonly [number, string])[] = [];
  const lineOf = placing(text, configs, line);
  for (const { finding, severity, span } of diagnostics) {
    const at = lineOf(span.start);
    const asked = blocks.some((block) =>
      block.comments.some(
        (each) =>
          block.line + each.line === at && each.kind === severity && each.text === `[${finding.rule.id}]`,
      ),
    );
    const isLoud = severity === "error" || severity === "warning";
    if (asked || (isLoud && !otherAreas.test(finding.rule.id)))
      found.push([at, `${severity}: [${finding.rule.id}]`]);
  }
  for (const block of configs) {
    for (const { kind, line: own } of block.comments) {
      if (kind !== "revealed") continue;
      const at = block.line + own;
      const command = model.commands.find(({ member }) => lineOf(member.key.start) === at);
      const type = command === undefined ? undefined : commandTypes(model, command.node)[0]?.output;
      found.push([at, `revealed: ${type === undefined ? "no command" : printType(type)}`]);
    }
  }
  return found.sort(([a], [b]) => a - b).map(([at, each]) => `${at}: ${each}`);
}

/** The line of the page for an offset of the document; what lies outside of the blocks is put on the section's own line. */
function placing(document: string, blocks: readonly Block[], otherwise: number): (offset: number) => number {
  const starts = blocks.map(({ text }) => document.indexOf(text));
  return (offset) => {
    const index = blocks.findIndex(
      ({ text }, at) => starts[at]! <= offset && offset < starts[at]! + text.length,
    );
    const block = blocks[index];
    if (block === undefined) return otherwise;
    return block.line + document.slice(starts[index], offset).split("\n").length - 1;
  };
}

function samplesOf(blocks: readonly Block[]) {
  const responses: Sample[] = [];
  const payloads: PayloadSample[] = [];
  const documents: { name: string; content: unknown }[] = [];
  for (const { kind, text } of blocks) {
    if (kind === "openapi") documents.push({ name: "openapi.json", content: JSON.parse(text) });
    if (kind !== "sample") continue;
    const read = readSamples(`sample-${responses.length + payloads.length + 1}.json`, JSON.parse(text));
    if ("problem" in read) throw new Error(read.problem);
    responses.push(...read.samples);
    payloads.push(...read.payloads);
  }
  return { responses, payloads, documents };
}

describe("the pages show", () => {
  const all = pages.map(({ text }) => text).join("\n");

  test.each(language.commandSpecs.map(({ key }) => key))("what %s gives", (key) => {
    const line = new RegExp(`"${key}".*# revealed: `);
    expect(all).toMatch(line);
  });

  test.each(Object.keys(language.roots))("the type of the root %s", (root) => {
    expect(all).toMatch(new RegExp(`\\b${root}\\b.*# revealed: `));
  });

  const contracts = rules.filter(({ id }) => /^(contract|response|payload|openapi)\//.test(id));
  test.each(contracts.map(({ id }) => id))("where %s is found", (id) => {
    expect(all).toContain(`: [${id}]`);
  });
});
