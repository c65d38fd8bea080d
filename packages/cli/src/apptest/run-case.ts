import { unexpectedOf } from "@configc/host/internal";
import { findRunnable, type LoadedConfig } from "../run/config.ts";
import type { CaseResult, Judged } from "./case-result.ts";
import { difference } from "./compare.ts";
import { runCycles } from "./run-cycles.ts";
import { type CaseOptions, type Outcome, runGiven } from "./run-given.ts";
import { runSimulated } from "./run-simulated.ts";
import type { TestCase } from "./test-file.ts";

/** Runs a case: nothing of it depends on the network, on the time, or on other cases. */
export async function runCase(
  test: TestCase,
  config: LoadedConfig,
  options: CaseOptions,
): Promise<CaseResult> {
  const started = performance.now();
  const judged = await judgedCase(test, config, options);
  return {
    name: test.name,
    milliseconds: Math.round(performance.now() - started),
    passed: judged.reasons.length === 0,
    ...judged,
  };
}

async function judgedCase(test: TestCase, config: LoadedConfig, options: CaseOptions): Promise<Judged> {
  const runnable = findRunnable(config, test.run);
  if ("problem" in runnable) return { reasons: [runnable.problem], beside: [runnable.problem] };
  const { pointer } = runnable;
  if (test.world !== undefined) return await runSimulated(test.world, pointer, config, options.signal);
  if (test.cycles !== undefined) return await runCycles(test, test.cycles, pointer, config, options);
  const { outcome, beside, ...rest } = await runGiven(test, pointer, config, options);
  const { reasons, diff } = judge(test, outcome);
  return {
    ...outcome,
    ...rest,
    ...(diff === undefined ? {} : { diff }),
    reasons: [...reasons, ...beside],
    beside,
  };
}

function judge(
  { expect, expectError }: TestCase,
  outcome: Outcome,
): { readonly reasons: readonly string[]; readonly diff?: readonly string[] } {
  if ("failure" in outcome) return { reasons: unexpectedOf(outcome.failure, expectError) };
  if (expectError !== undefined) {
    const what = expectError.kind === undefined ? "a failure" : `${expectError.kind}`;
    return {
      reasons: [`It gave an output; ${what} was expected.`],
      diff: difference(null, outcome.output) ?? [],
    };
  }
  // A case without an expectation shows that it runs.
  const diff = expect === undefined ? undefined : difference(expect, outcome.output);
  return diff === undefined ? { reasons: [] } : { reasons: ["The output isn't the expected one."], diff };
}
