import type { CaseGiven, ExpectedError } from "@configc/host";
import { type Json, parseExact } from "@configc/jq";
import { readWhole } from "@configc/language-server/samples";
import { CONFIG_NAME } from "../files/discover.ts";
import { reasonOf } from "../files/failure.ts";
import type { Source } from "../files/source.ts";
import { validate } from "../generated/apptest-validator.ts";
import { readChecked, type Validator } from "../settings/schema-mistakes.ts";

/** What names of test files end in. */
export const TEST_NAME = /\.apptest\.json$/;

/** A file of tests as written; `schemas/configc.apptest.schema.json` describes it. */
export interface TestFile {
  readonly config: string;
  readonly cases: readonly TestCase[];
}

export interface TestCase extends CaseGiven {
  readonly name: string;
  readonly expect?: Json;
  readonly expectError?: ExpectedError;
}

export type ReadTests =
  | { readonly text: string; readonly tests: TestFile }
  /** Nothing in it can be run: exit status 2. */
  | { readonly problems: readonly string[] };

/** Reads a file of tests. Every mistake in it is told at its place. */
export function readTests({ absolute, path }: Source): ReadTests {
  if (CONFIG_NAME.test(path))
    return { problems: [`${path} is a config. Its tests stand in a file whose name ends in .apptest.json.`] };
  let text: string;
  try {
    text = readWhole(absolute).toString("utf8");
  } catch (error) {
    return { problems: [`${path}: ${reasonOf(error)}.`] };
  }
  const { mistakes, at } = readChecked(text, path, validate as unknown as Validator, "member");
  if (mistakes.length === 0) {
    // Big numbers keep their digits.
    const tests = parseExact(text) as unknown as TestFile;
    mistakes.push(...contradictions(tests, at));
    if (mistakes.length === 0) return { text, tests };
  }
  return { problems: mistakes.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`) };
}

function contradictions({ cases }: TestFile, at: ReturnType<typeof readChecked>["at"]) {
  const seen = new Set<string>();
  return cases.flatMap((test, index) => {
    const found = [];
    if (test.expect !== undefined && test.expectError !== undefined)
      found.push(
        at(["cases", `${index}`, "expectError"], "A case expects an output or a failure, not both."),
      );
    if (seen.has(test.name))
      found.push(at(["cases", `${index}`, "name"], `Another case is called “${test.name}” too.`));
    seen.add(test.name);
    return found;
  });
}
