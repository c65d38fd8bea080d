import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "@configc/compiler";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseArguments, splitVerb } from "../../packages/cli/src/command-line/arguments.ts";
import { commonOptions, verbs } from "../../packages/cli/src/verbs/table.ts";
import { ensureBuilt } from "../../packages/cli/test/build.ts";
import { setAt } from "../../packages/compiler/test/rule-examples.ts";
import { PageFolder } from "./support/folder.ts";
import { outputDifference } from "./support/output.ts";
import { allPages, type Block, blocksOf, root } from "./support/pages.ts";
import { configcArguments, type ShellLine, shellLines } from "./support/shell.ts";
import { concerns, reasonToSkip, skipped } from "./support/skipped.ts";

/**
 * Every block of a page that people write is tried as a reader would try it: files are written, edits made and commands run in one
 * folder per page, in the page's order. CONTRIBUTING.md lists the marks behind a fence.
 */

// The language and the rules are generated, and their examples are tests of their own.
const pages = allPages().filter(
  (page) =>
    /^[^/]+\.md$|^docs\/[^/]+\.md$|^packages\/[^/]+\/README\.md$/.test(page) && page !== "CHANGELOG.md",
);
const read = (path: string) => readFileSync(join(root, path), "utf8");
const scripts = Object.keys((JSON.parse(read("package.json")) as { scripts: object }).scripts);
const template = read("packages/cli/templates/outbound.app.json");
const settingsSchema = JSON.parse(read("packages/cli/schemas/configc.config.schema.json")) as {
  readonly properties: object;
};
const areSettings = new Ajv({ strict: false }).compile(settingsSchema);

const runs: Readonly<Record<string, (block: Block, folder: PageFolder, next: Block | undefined) => unknown>> =
  {
    json: checkJson,
    jsonc: checkJson,
    sh: runCommands,
    diff: ({ meta, text }, folder) => folder.edit(meta, text),
    js: ({ meta, text }, folder) => {
      if (meta !== "") folder.write(meta, text);
    },
    yaml: ({ page, text }) => {
      for (const line of text.split("\n")) {
        const command = /(?:^|[\s:])((?:npx )?configc .*)$/.exec(line)?.[1];
        if (command !== undefined) for (const each of shellLines(command)) checkArguments(page, each);
      }
    },
  };
/** Nothing to try: types are tried by types.test.ts, output with the command before it, the rest isn't ours. */
const shown = new Set(["", "text", "ts", "mermaid", "lua", "toml", "elisp", "rust", "scheme"]);

// Nothing to do under `npm test`, which has built already.
beforeAll(ensureBuilt, 120_000);

describe.each(pages.filter((page) => blocksOf(page).length > 0))("%s", (page) => {
  const blocks = blocksOf(page);
  const folder = new PageFolder(page);
  afterAll(() => folder.remove());

  test("has blocks of known kinds, and output behind commands", () => {
    const strange = blocks.filter(({ language }) => !shown.has(language) && runs[language] === undefined);
    expect(strange).toEqual([]);
    const alone = blocks.filter(
      (block, index) => block.meta === "output" && blocks[index - 1]?.language !== "sh",
    );
    expect(alone).toEqual([]);
  });
  for (const [index, block] of blocks.entries()) {
    const run = runs[block.language];
    if (run === undefined) continue;
    test(`line ${block.line}: ${block.language} ${block.meta}`, async () => {
      await run(block, folder, blocks[index + 1]);
    });
  }
});

function checkJson({ meta, text }: Block, folder: PageFolder): void {
  if (meta.startsWith("/")) {
    expect(loudFindings(setAt(template, meta, text))).toEqual([]);
    return;
  }
  const [, expected] = /\berror=(\S+)/.exec(meta) ?? [];
  const [, name] = /^([^\s=]+)(?:\s|$)/.exec(meta) ?? [];
  if (name !== undefined) folder.write(name, text);
  const value = JSON.parse(text.replace(/^\s*\/\/.*$/gm, "")) as unknown;
  if (typeof value !== "object" || value === null) return;
  if ("$version" in value) {
    const found = loudFindings(text);
    if (expected === undefined) expect(found).toEqual([]);
    else expect(found.map((each) => each.split(":")[0])).toEqual([expected]);
  } else if (Object.keys(value).some((member) => Object.hasOwn(settingsSchema.properties, member)))
    expect(areSettings(value), JSON.stringify(areSettings.errors)).toBe(true);
}

function loudFindings(text: string): string[] {
  return compile(text, { uri: "example.app.json" })
    .diagnostics.filter(({ severity }) => severity === "error" || severity === "warning")
    .map(({ finding }) => `${finding.rule.id}: ${finding.rule.message(finding.args)}`);
}

async function runCommands({ page, meta, text }: Block, folder: PageFolder, next?: Block): Promise<void> {
  const [, exit = "0"] = /\bexit=(\d+)/.exec(meta) ?? [];
  const lines = shellLines(text);
  let printed = "";
  let status = 0;
  for (const line of lines) {
    checkArguments(page, line);
    if (reasonToSkip(page, line.text) !== undefined) continue;
    const outcome = await folder.run(line);
    expect(
      outcome,
      `nobody knows how to run “${line.text}”: list it in skipped.ts, with a reason`,
    ).toBeDefined();
    printed += outcome!.all;
    ({ status } = outcome!);
    // Only the last may be meant to fail.
    if (line !== lines.at(-1)) expect([line.text, printed, status]).toEqual([line.text, printed, 0]);
  }
  expect([printed, status]).toEqual([printed, Number(exit)]);
  if (next?.language === "text" && next.meta === "output") compareOutput(next, printed);
}

/** With `DOCS_UPDATE=1` the page is made to show what was printed; read the change before you commit it. */
function compareOutput({ page, text }: Block, printed: string): void {
  const difference = outputDifference(text, printed);
  if (difference !== undefined && process.env["DOCS_UPDATE"] === "1") {
    const [before, after] = [text, `${printed.trimEnd()}\n`].map(
      (each) => `\`\`\`text output\n${each}\`\`\``,
    );
    writeFileSync(
      join(root, page),
      read(page).replace(before!, () => after!),
    );
  } else expect(difference?.printed).toBe(difference?.shown);
}

/** Verbs, options and npm scripts exist, whether the line is run or not. */
function checkArguments(page: string, { text, words }: ShellLine): void {
  const script = words[0] === "npm" ? (words[1] === "run" ? words[2] : words[1]) : undefined;
  if (script !== undefined && !["pack", "install", "ci"].includes(script)) expect(scripts).toContain(script);
  const argv = configcArguments(words);
  if (argv === undefined) return;
  const { verb: name, rest } = splitVerb(argv, [
    ...commonOptions,
    ...verbs.flatMap(({ options }) => options),
  ]);
  const verb = verbs.find((candidate) => candidate.name === name);
  expect(verb, `${page}: ${text}`).toBeDefined();
  expect(() => parseArguments(rest, [...verb!.options, ...commonOptions], name!)).not.toThrow();
}

test("what is skipped is there", () => {
  const lines = pages.flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => language === "sh")
      .flatMap(({ text }) => shellLines(text).map((line) => ({ page, line: line.text }))),
  );
  const idle = skipped.filter(
    (each) => each.page !== undefined && !lines.some(({ page, line }) => concerns(each, page, line)),
  );
  expect(idle).toEqual([]);
});
