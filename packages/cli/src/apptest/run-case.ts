import { resourceSettings } from "@configc/compiler/internal";
import {
  caseEffects,
  caseOptions,
  type RecordedExchange,
  type ReplayedHttp,
  record,
  replayHttp,
  startOf,
  systemClock,
  unexpectedOf,
} from "@configc/host";
import type { Json } from "@configc/jq";
import {
  type Credentials,
  createRuntime,
  createTracer,
  type Effects,
  type ProgramRun,
  redactedValue,
  runNode,
} from "@configc/runtime";
import { plural } from "../command-line/words.ts";
import { findRunnable, type LoadedConfig } from "../run/config.ts";
import { type Failure, failureOf } from "../run/failure.ts";
import { difference } from "./compare.ts";
import type { CoverageOf } from "./coverage.ts";
import type { TestCase } from "./test-file.ts";
import type { Verifier } from "./verify/verify.ts";

export interface CaseResult {
  readonly name: string;
  readonly passed: boolean;
  /** Why it failed; for people. */
  readonly reasons: readonly string[];
  /** Those of the reasons that have nothing to do with what is expected. */
  readonly beside: readonly string[];
  /** Lines of expected (`- `) and given (`+ `). */
  readonly diff?: readonly string[];
  /** How the run itself failed, expected or not. */
  readonly failure?: Failure;
  readonly output?: Json;
  readonly milliseconds: number;
  /** What was sent and answered: with `--record`. */
  readonly recorded?: readonly RecordedExchange[];
}

/** The network, for recording. */
export interface Network {
  readonly effects: Pick<Effects, "http">;
  readonly credentials: (Credentials & { names(): string[] }) | undefined;
}

export interface CaseOptions {
  /** Given: requests are sent, and their answers kept. */
  readonly network: Network | undefined;
  readonly signal: AbortSignal;
  /** Given: the jq programs that ran are run by jq itself too. */
  readonly verifier: Verifier | undefined;
  /** Takes what ran. */
  readonly coverage: CoverageOf | undefined;
}

/** Runs a case: nothing of it depends on the network, on the time, or on other cases. */
export async function runCase(
  test: TestCase,
  config: LoadedConfig,
  options: CaseOptions,
): Promise<CaseResult> {
  const started = performance.now();
  const done = (rest: Omit<CaseResult, "name" | "milliseconds">): CaseResult => ({
    name: test.name,
    milliseconds: Math.round(performance.now() - started),
    ...rest,
  });
  const runnable = findRunnable(config, test.run);
  if ("problem" in runnable)
    return done({ passed: false, reasons: [runnable.problem], beside: [runnable.problem] });
  const { network } = options;
  const replayed = replayHttp(test.http ?? []);
  const recorder = record(effectsOf(test, config, network, replayed));
  const { effects } = recorder;
  const connected = test.credentials === undefined ? network?.credentials?.names() : undefined;
  const { coverage, verifier } = options;
  const trace = createTracer(effects.clock, (event) => coverage?.add(event));
  const runtime = createRuntime(config.app, effects, { origins: config.settings.origins ?? [] });
  const programs: ProgramRun[] = [];
  let outcome: { readonly output: Json } | { readonly failure: Failure };
  try {
    const output = await runNode(runtime, runnable.pointer, {
      ...caseOptions(test, config.app, runnable.pointer, connected),
      onProgram(run) {
        if (verifier !== undefined) programs.push(run);
        coverage?.addProgram(run);
      },
      signal: options.signal,
      trace,
    });
    // It may be written to the file, and a service may echo a secret.
    outcome = {
      output: network === undefined ? output : (redactedValue(output, (text) => trace.redact(text)) as Json),
    };
  } catch (error) {
    outcome = { failure: failureOf(error, config.model) };
  }
  const judged = judge(test, outcome);
  const recorded = network === undefined ? undefined : recorder.recording((text) => trace.redact(text)).http;
  const unused = network === undefined ? leftOver(replayed.unused()) : [];
  const different = (await verifier?.compare(programs, options.signal)) ?? [];
  const beside = [...unused, ...different];
  const reasons = [...judged.reasons, ...beside];
  return done({
    ...judged,
    ...outcome,
    passed: reasons.length === 0,
    reasons,
    beside,
    ...(recorded === undefined ? {} : { recorded }),
  });
}

function effectsOf(
  test: TestCase,
  { settings }: LoadedConfig,
  network: Network | undefined,
  replayed: ReplayedHttp,
): Effects {
  const effects = caseEffects(test, network?.effects.http ?? replayed, resourceSettings(settings));
  if (network === undefined) return effects;
  const { credentials } = network;
  return {
    ...effects,
    // Real waits between real requests; the time is that of the case all the same.
    clock: shiftedClock(startOf(test)),
    ...(test.credentials === undefined && credentials !== undefined ? { credentials } : {}),
  };
}

function shiftedClock(start: number) {
  const shift = start - systemClock.now();
  return { ...systemClock, now: () => systemClock.now() + shift };
}

function judge(
  { expect, expectError }: TestCase,
  outcome: { readonly output: Json } | { readonly failure: Failure },
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

function leftOver(unused: readonly RecordedExchange[]): string[] {
  if (unused.length === 0) return [];
  const requests = unused.slice(0, 5).map(({ request }) => `${request.method ?? "GET"} ${request.url}`);
  const verb = unused.length === 1 ? "wasn't" : "weren't";
  return [`${plural(unused.length, "recorded request")} ${verb} sent: ${requests.join(", ")}`];
}
