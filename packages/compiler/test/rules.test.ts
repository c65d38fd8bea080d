import { type Edit, fixesOf, type RuleExample, rules } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { type Diagnosed, diagnose, exampleDocument } from "./rule-examples.ts";

/** Every rule's examples do what its page says (see `RuleExample`). */

const loud = new Set(["error", "warning"]);

test("no two rules have one id", () => {
  const ids = rules.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

describe.each(rules.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
  test("has an id, a summary and guards in the house style", () => {
    expect(id).toMatch(/^[a-z]+\/[a-z]+(-[a-z]+)*$/);
    expect(rule.summary).not.toMatch(/\.$/);
    expect(rule.why).toMatch(/[.!]$/);
    expect(rule.guards.length).toBeGreaterThan(0);
  });

  const examples = rule.examples.filter((example) => example.also?.includes("bytes") !== true);
  test.each(examples.map((example, index) => [example.title ?? `example ${index + 1}`, example] as const))(
    "%s",
    (_, example) => {
      const diagnosed = diagnose(example, example.bad);
      bad(id, example, diagnosed);
      good(id, example);
      if (example.fixed !== undefined || rule.fixes !== undefined) fixed(id, example, diagnosed);
    },
  );
});

function bad(id: string, example: RuleExample, { text, mark, diagnostics }: Diagnosed): void {
  const own = diagnostics.filter(({ finding }) => finding.rule.id === id);
  expect(own.map(({ span }) => text.slice(span.start, span.end))).not.toEqual([]);
  if (mark !== undefined) {
    expect(
      own.map(({ span }) => span),
      `marked: ${text.slice(mark.start, mark.end)}`,
    ).toContainEqual(mark);
  }
  const allowed = new Set([id, ...(example.also ?? [])]);
  const others = diagnostics.filter(
    ({ finding, severity }) => loud.has(severity) && !allowed.has(finding.rule.id),
  );
  expect(others.map(({ finding }) => `${finding.rule.id}: ${finding.rule.message(finding.args)}`)).toEqual(
    [],
  );
  for (const { finding } of own) expect(finding.rule.message(finding.args)).toMatch(/^[^a-z].*[.?!]$/s);
}

/** What was said of the right cases: several rules show the same one. */
const saidOfGood = new Map<string, readonly { id: string; isLoud: boolean; says: string }[]>();

function good(id: string, example: RuleExample): void {
  const { text, uri } = exampleDocument(example, example.good);
  const { settings, samples, published } = example;
  const key = JSON.stringify(published === undefined ? [text, uri, settings, samples] : example);
  const said =
    saidOfGood.get(key) ??
    diagnose(example, example.good).diagnostics.map(({ finding: { rule, args }, severity }) => ({
      id: rule.id,
      isLoud: loud.has(severity),
      says: `${rule.id}: ${rule.message(args)}`,
    }));
  saidOfGood.set(key, said);
  // A whole document given as "good" may be a fragment that shows one thing only.
  const relevant = said.filter((each) => each.id === id || (example.in !== "document" && each.isLoud));
  expect(relevant.map(({ says }) => says)).toEqual([]);
}

function fixed(id: string, example: RuleExample, { text, diagnostics, model }: Diagnosed): void {
  const edits = diagnostics
    .filter(({ finding }) => finding.rule.id === id)
    .flatMap((diagnostic) => fixesOf(model, diagnostic)[0]?.edits ?? []);
  const result = apply(text, edits);
  const expected = example.fixed === undefined ? text : exampleDocument(example, example.fixed).text;
  expect(result).toBe(expected);
}

function apply(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((result, { start, end, newText }) => result.slice(0, start) + newText + result.slice(end), text);
}
