import { readFileSync, writeFileSync } from "node:fs";
import { compile, type Model, type Rule, type RuleExample, rules } from "@configc/compiler";
import { expect, test } from "vitest";
import { isTried } from "../../../../test/support/cases.ts";
import { exampleDocument } from "../rule-examples.ts";
import { baseFile, baseWorld } from "../support/bases.ts";
import { documentSpellings, type Json } from "./documents.ts";
import { programSpellings } from "./programs.ts";

/*
 * A rule should tell a mistake however the rest is written. So each example of a rule is written in other ways that do the same, and the
 * right case too. `silent.txt` has the spellings in which a rule no longer tells its bad case, `alarms.txt` those in which it tells its
 * good one: both lists should shrink. Update: `MEANING_UPDATE=1 npm run test:long -- packages/compiler/test/spellings`.
 */

const keptFile = (name: string): URL => new URL(name, import.meta.url);

test("rules tell their mistakes in other spellings, and no right cases", () => {
  const tried = rules.filter((_, index) => isTried(index));
  const silent: string[] = [];
  const alarms: string[] = [];
  for (const rule of tried)
    for (const [index, example] of rule.examples.entries()) {
      if (example.also?.includes("bytes") === true || example.published !== undefined) continue;
      const where = `${rule.id} ${index + 1}`;
      const unheard = spellingsWhere(rule, example, example.bad, false);
      if (unheard.length > 0) silent.push(`${where} | ${unheard.join(", ")}`);
      const wrong = spellingsWhere(rule, example, example.good, true);
      if (wrong.length > 0) alarms.push(`${where} | ${wrong.join(", ")}`);
    }
  const ids = new Set(tried.map(({ id }) => id));
  compareWithKept("silent.txt", silent, ids);
  compareWithKept("alarms.txt", alarms, ids);
}, 900_000);

function compareWithKept(name: string, found: readonly string[], tried: ReadonlySet<string>): void {
  const isOfTried = (line: string): boolean => tried.has(line.split(" ")[0]!);
  if (process.env["MEANING_UPDATE"]) writeFileSync(keptFile(name), found.map((line) => `${line}\n`).join(""));
  const kept = readFileSync(keptFile(name), "utf8").split("\n").filter(isOfTried);
  expect(found).toEqual(kept);
}

/** The spellings of an example's case in which a rule tells it, or doesn't, although it says the contrary of the case as it is. */
function spellingsWhere(rule: Rule, example: RuleExample, fragment: string, isTold: boolean): string[] {
  const { text, uri } = exampleDocument(example, fragment);
  const { settings = {} } = example;
  const compiled = (spelled: string) =>
    compile(spelled, { uri, settings, samples: { world: baseWorld, ...example.samples } });
  const tells = (spelled: string): boolean =>
    compiled(spelled).diagnostics.some(({ finding }) => finding.rule.id === rule.id);
  if (tells(text) === isTold) return [];
  const { model } = compiled(text);
  const found = Object.entries(programSpellings).flatMap(([name, spelling]) => {
    const spelled = withPrograms(text, model, example, spelling);
    return spelled !== undefined && tells(spelled) === isTold ? [name] : [];
  });
  const root = jsonOf(text);
  // What depends on the text as it is written isn't the same in another layout.
  if (root === undefined || tells(JSON.stringify(root)) === isTold) return found;
  for (const [name, spelling] of Object.entries(documentSpellings)) {
    const spelled = spelling(root);
    if (spelled !== undefined && tells(JSON.stringify(spelled)) === isTold) found.push(name);
  }
  return found;
}

/** The text with those of its programs in another spelling that the template doesn't have; undefined if there are none. */
function withPrograms(
  text: string,
  model: Model,
  example: RuleExample,
  spelling: (typeof programSpellings)[string],
): string | undefined {
  const known = programsOf(example.in);
  let spelled = text;
  // From the last one on, so that places before it stay.
  for (const program of model.programs.toReversed()) {
    const { node, diagnostics } = program;
    const written = JSON.stringify(node.value);
    const isPlain = diagnostics.length === 0 && text.slice(node.start, node.end) === written;
    if (!isPlain || known.has(node.value)) continue;
    const by = JSON.stringify(spelling(program) ?? node.value);
    spelled = spelled.slice(0, node.start) + by + spelled.slice(node.end);
  }
  return spelled === text ? undefined : spelled;
}

const templates = new Map<string, ReadonlySet<string>>();

function programsOf(template: RuleExample["in"]): ReadonlySet<string> {
  if (template === "document") return new Set();
  let known = templates.get(template);
  if (known === undefined) {
    const { model } = compile(readFileSync(baseFile(template), "utf8"), { uri: "template.app.json" });
    templates.set(template, (known = new Set(model.programs.map(({ node }) => node.value))));
  }
  return known;
}

/** Undefined for what isn't plain JSON: comments, duplicates and mistakes would be lost. */
function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
