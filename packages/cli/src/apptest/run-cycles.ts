import type { RecordedExchange } from "@configc/host";
import { sameValue, unexpectedOf } from "@configc/host/internal";
import type { Json, JsonObject } from "@configc/jq";
import { isMap } from "@configc/jq/internal";
import { printExact, type RunOptions, type Runtime, savedInMemory } from "@configc/runtime";
import { nodeKind, type PollResult, runNode } from "@configc/runtime/internal";
import type { LoadedConfig } from "../run/config.ts";
import type { Judged } from "./case-result.ts";
import { difference } from "./compare.ts";
import { startsOf } from "./cycle-times.ts";
import { type CaseOptions, runGiven } from "./run-given.ts";
import type { CaseCycle, TestCase } from "./test-file.ts";

/**
 * Runs the cycles of a polling intake one after the other, each with the state and the saved values that the one before it left. Of a
 * workflow its intake is polled, and each item goes through its pipeline. The first cycle that isn't as expected is told, and what
 * never arrives.
 */
export async function runCycles(
  test: TestCase,
  cycles: readonly CaseCycle[],
  pointer: string,
  config: LoadedConfig,
  options: CaseOptions,
): Promise<Judged> {
  const polling = polledBy(config, pointer);
  if (polling === undefined) {
    const problem = `“${test.run}” polls nothing, so it has no cycles: they are for a polling intake, or a workflow that has one.`;
    return { reasons: [problem], beside: [problem] };
  }
  const saved = savedInMemory(test.context?.data);
  const results: Json[] = [];
  const given: Json[] = [];
  const beside: string[] = [];
  let unexpected: { readonly reasons: readonly string[]; readonly diff?: readonly string[] } | undefined;
  let state = test.context?.polling_state;
  const starts = startsOf(test, cycles);
  for (const [index, cycle] of cycles.entries()) {
    const context = { ...test.context, ...(state === undefined ? {} : { polling_state: state }) };
    const ran = await runGiven(
      { ...test, run: polling, now: new Date(starts[index]!).toISOString(), context, http: cycle.http ?? [] },
      polling,
      config,
      options,
      saved,
      (runtime, node, own) => pollAndDeliver(runtime, node, pointer, own),
    );
    const inCycle = (text: string): string => (cycles.length === 1 ? text : `Cycle ${index + 1}: ${text}`);
    beside.push(...ran.beside.map(inCycle));
    if ("failure" in ran.outcome) {
      const { failure } = ran.outcome;
      // Only the last cycle can be the one that is expected to fail.
      const wanted = index === cycles.length - 1 ? test.expectError : undefined;
      const reasons = unexpected?.reasons ?? unexpectedOf(failure, wanted).map(inCycle);
      return { ...unexpected, reasons: [...reasons, ...beside], beside, failure };
    }
    const result = ran.outcome.output as unknown as PollResult & JsonObject;
    state = result.polling_state;
    results.push(...result.results);
    given.push(givenBy(cycle, result, ran.recorded));
    const { expect = {} } = cycle;
    const diff = difference(expect as Json, statedOf(expect, result));
    if (diff !== undefined) unexpected ??= { reasons: [inCycle("It isn't the expected one.")], diff };
  }
  for (const item of test.arrives ?? [])
    if (!results.some((each) => isIn(item, each))) beside.push(`This never arrives: ${printExact(item)}`);
  const reasons = [
    ...(unexpected?.reasons ?? []),
    ...(test.expectError === undefined ? [] : ["The cycles ended well; a failure was expected."]),
    ...beside,
  ];
  return { ...unexpected, reasons, beside, output: results, cycles: given };
}

/** Pointer of the intake that a node polls; undefined where it polls none. */
function polledBy({ app }: LoadedConfig, pointer: string): string | undefined {
  if (nodeKind(app, pointer) === "polling") return pointer;
  const workflow = app.workflows.find((each) => each.pointer === pointer);
  const index = workflow?.historicalIntake ?? workflow?.intake;
  const intake = index === undefined ? undefined : app.intakes[index];
  return intake?.type === "polling" ? intake.pointer : undefined;
}

/** @param pointer of the workflow, or of the intake itself: then nothing is delivered */
async function pollAndDeliver(
  runtime: Runtime,
  polling: string,
  pointer: string,
  options: RunOptions,
): Promise<Json> {
  const polled = await runNode(runtime, polling, options);
  if (pointer === polling) return polled;
  const { results, polling_state } = polled as unknown as PollResult;
  const context = { ...options.context, polling_state };
  for (const input of results) await runNode(runtime, pointer, { ...options, context, input });
  return polled;
}

/** A cycle as `--update` and `--record` write it: what it is expected to give is what it gave. */
function givenBy(
  { expect, ...cycle }: CaseCycle,
  result: JsonObject,
  recorded: readonly RecordedExchange[] | undefined,
): Json {
  return {
    ...cycle,
    ...(recorded === undefined ? {} : { http: recorded }),
    ...(expect === undefined ? {} : { expect: statedOf(expect, result) }),
  } as unknown as Json;
}

function statedOf(expect: object, result: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(expect).map((name) => [name, result[name] ?? null]));
}

/** Whether an item has what is stated of it. */
function isIn(stated: Json, item: Json): boolean {
  if (!isMap(stated)) return sameValue(stated, item);
  return (
    isMap(item) &&
    Object.entries(stated).every(
      ([name, value]) => Object.hasOwn(item, name) && isIn(value, item[name] ?? null),
    )
  );
}
