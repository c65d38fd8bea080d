import type { RecordedExchange } from "@configc/host";
import type { CaseGiven, ExpectedError } from "@configc/host/internal";
import { type Json, type JsonObject, parseExact } from "@configc/jq";
import { readWhole } from "@configc/language-server/samples";
import { CONFIG_NAME } from "../files/discover.ts";
import { reasonOf } from "../files/failure.ts";
import type { Source } from "../files/source.ts";
import { validate } from "../generated/apptest-validator.ts";
import { readChecked, type Validator } from "../settings/schema-mistakes.ts";

/** What names of test files end in. */
export const TEST_NAME = /\.apptest\.json$/;

/** A file of tests as written; `schemas/configc.apptest.schema.json` describes it. */
interface TestFile {
  readonly config: string;
  readonly cases: readonly TestCase[];
}

export interface TestCase extends CaseGiven {
  readonly name: string;
  readonly expect?: Json;
  readonly expectError?: ExpectedError;
  /** Of a polling intake, one after the other. */
  readonly cycles?: readonly CaseCycle[];
  /** Parts of items that have to be among what the cycles gave. */
  readonly arrives?: readonly Json[];
  /** A `World` of `@configc/simulate`, instead of recorded answers; it is checked when it is run. */
  readonly world?: JsonObject;
}

/** One cycle of a case. */
export interface CaseCycle {
  /** When it begins. Default: half an hour after the one before it. */
  readonly now?: string;
  readonly http?: readonly RecordedExchange[];
  /** Members of `PollResult`; those that don't stand here may be anything. */
  readonly expect?: JsonObject;
}

type ReadTests =
  | { readonly text: string; readonly tests: TestFile }
  /** Nothing in it can be run: exit status 2. */
  | { readonly problems: readonly string[] };

/** Reads a file of tests. Every mistake in it is told at its place. */
export function readTests({ absolute, path }: Source): ReadTests {
  if (CONFIG_NAME.test(path))
    return { problems: [`${path} is a config. Its tests are in a file whose name ends in .apptest.json.`] };
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
    found.push(
      ...kindMistakes(test).map(({ member, message }) => at(["cases", `${index}`, member], message)),
    );
    if (seen.has(test.name))
      found.push(at(["cases", `${index}`, "name"], `Another case is called “${test.name}” too.`));
    seen.add(test.name);
    return found;
  });
}

const givens = ["input", "context", "credentials", "now", "search"] as const;

/** Members that only another kind of case has. */
function kindMistakes(test: TestCase): { readonly member: keyof TestCase; readonly message: string }[] {
  const among = (names: readonly (keyof TestCase)[], message: (name: string) => string) =>
    names.filter((name) => test[name] !== undefined).map((member) => ({ member, message: message(member) }));
  if (test.world !== undefined)
    return among(
      [...givens, "http", "cycles", "arrives", "expect", "expectError"],
      (name) => `A case with \`world\` has no \`${name}\`: the simulation gives and expects all of it.`,
    );
  if (test.cycles === undefined)
    return among(["arrives"], (name) => `\`${name}\` is for a case with \`cycles\`.`);
  if (test.cycles.length === 0) return [{ member: "cycles", message: "A cycle is required here." }];
  return among(["input", "http", "expect"], (name) =>
    name === "input"
      ? "A cycle takes no `input`: its state is `polling_state` of `context`."
      : `A case with \`cycles\` has its \`${name}\` in each cycle.`,
  );
}
