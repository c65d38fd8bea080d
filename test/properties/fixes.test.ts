import { compile, fixesOf, fixText } from "@configc/compiler";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validConfigs } from "../../packages/compiler/test/support/configs.ts";
import { Config } from "../mutants/config.ts";
import { applyMutant } from "../mutants/kind.ts";
import { kinds } from "../mutants/kinds/index.ts";
import { mutantsOf } from "../mutants/run.ts";
import { cases, share } from "../support/cases.ts";
import { editedDocument } from "./arbitraries.ts";

/** Fixes keep documents whole: `--fix` never breaks one, leaves no more findings than there were, and comes to an end. */

const uri = "a.app.jsonc";

interface Summary {
  /** Syntax problems: what a broken document has and a fixed one mustn't get. */
  readonly problems: number;
  readonly loud: number;
}

function summaryOf(text: string): Summary {
  const { model, diagnostics } = compile(text, { uri });
  const loud = diagnostics.filter(({ severity }) => severity === "error" || severity === "warning");
  return { problems: model.document.problems.length, loud: loud.length };
}

function checkFixing(text: string): void {
  const before = summaryOf(text);
  const fixed = fixText(uri, text, {});
  const after = summaryOf(fixed.text);
  expect(after.problems).toBeLessThanOrEqual(before.problems);
  // Closing a bracket makes more of the document readable, and what is found there was there before.
  if (before.problems === after.problems) expect(after.loud).toBeLessThanOrEqual(before.loud);
  expect(fixText(uri, fixed.text, {})).toEqual({ text: fixed.text, fixed: 0 });
  if (fixed.fixed === 0) expect(fixed.text).toBe(text);
}

/** Documents with one mistake each: every kind that people make, so that most rules with fixes are reached. */
const mistakes = share(
  validConfigs()
    .map(({ path, text }) => new Config({ path, text }))
    .flatMap((config, i) =>
      kinds.flatMap((kind, k) =>
        // Each kind in one of the documents, or none: other tests try all of them.
        (i + k) % 14 === 0
          ? [...mutantsOf(kind, config, 1)].map(
              (mutant) => [kind.name, applyMutant(config.text, mutant).text] as const,
            )
          : [],
      ),
    ),
);

describe("safe fixes, applied until there are none", () => {
  test("leave valid documents as they are", () => {
    for (const { text } of validConfigs()) expect(fixText(uri, text, {})).toEqual({ text, fixed: 0 });
  });

  test("of documents with one mistake", () => {
    for (const [name, text] of mistakes) {
      try {
        checkFixing(text);
      } catch (error) {
        throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
      }
    }
  });

  test("of documents after random edits", () => {
    fc.assert(fc.property(editedDocument, checkFixing), { numRuns: cases(60) });
  });
});

describe("each fix by itself, safe or not", () => {
  test("keeps JSON that parses parsing, and its own finding is gone", () => {
    const broken: string[] = [];
    for (const [name, text] of mistakes) {
      const { model, diagnostics } = compile(text, { uri });
      for (const diagnostic of diagnostics) {
        const { finding, span } = diagnostic;
        for (const { title, edits } of fixesOf(model, diagnostic)) {
          const result = applyMutant(text, { edits, at: [] }).text;
          const after = compile(result, { uri });
          const what = `${name}: ${finding.rule.id} “${title}”`;
          if (after.model.document.problems.length > model.document.problems.length)
            broken.push(`${what} breaks the JSON`);
          const same = after.diagnostics.some(
            (each) =>
              each.finding.rule.id === finding.rule.id &&
              each.span.start === span.start &&
              JSON.stringify(each.finding.args) === JSON.stringify(finding.args),
          );
          // What is cut off may be missing however it is filled in.
          if (same && model.document.problems.length === 0) broken.push(`${what} fixes nothing`);
        }
      }
    }
    expect([...new Set(broken)]).toEqual([]);
  });
});
