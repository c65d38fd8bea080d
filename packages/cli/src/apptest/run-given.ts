import { resourceSettings } from "@configc/compiler/internal";
import { type RecordedExchange, type ReplayedHttp, record, replayHttp, systemClock } from "@configc/host";
import { type CaseGiven, caseEffects, caseOptions, startOf } from "@configc/host/internal";
import type { Json } from "@configc/jq";
import {
  type Credentials,
  createRuntime,
  createTracer,
  type Effects,
  type ProgramRun,
  type RunOptions,
  type Runtime,
} from "@configc/runtime";
import { redactedValue, runNode } from "@configc/runtime/internal";
import type { CoverageOf } from "@configc/simulate";
import { plural } from "../command-line/phrases.ts";
import type { LoadedConfig } from "../run/config.ts";
import { type Failure, failureOf } from "../run/failure.ts";
import type { Verifier } from "./verify/verify.ts";

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

/** How a run ended. */
export type Outcome = { readonly output: Json } | { readonly failure: Failure };

/** A run on a case's answers. */
interface RanGiven {
  readonly outcome: Outcome;
  /** Why it isn't right, whatever is expected: recorded requests that weren't sent, programs that jq itself runs otherwise. */
  readonly beside: readonly string[];
  /** What was sent and answered: with `--record`. */
  readonly recorded?: readonly RecordedExchange[];
}

/**
 * Runs a node once, on what is given: nothing of it depends on the network, on the time, or on other cases.
 *
 * @param saved what `!save` writes to, where several runs share it
 * @param perform what is done with the node; by default it is run
 */
export async function runGiven(
  test: CaseGiven,
  pointer: string,
  config: LoadedConfig,
  { network, signal, verifier, coverage }: CaseOptions,
  saved?: NonNullable<RunOptions["saved"]>,
  perform: (runtime: Runtime, pointer: string, options: RunOptions) => Promise<Json> = runNode,
): Promise<RanGiven> {
  const replayed = replayHttp(test.http ?? []);
  const recorder = record(effectsOf(test, config, network, replayed));
  const { effects } = recorder;
  const connected = test.credentials === undefined ? network?.credentials?.names() : undefined;
  const trace = createTracer(effects.clock, ({ kind, node }) => {
    if (kind === "step") coverage?.addCommand(node);
  });
  const runtime = createRuntime(config.app, effects, { origins: config.settings.origins ?? [] });
  const programs: ProgramRun[] = [];
  let outcome: Outcome;
  try {
    const output = await perform(runtime, pointer, {
      ...caseOptions(test, config.app, pointer, connected),
      ...(saved === undefined ? {} : { saved }),
      onProgram(run) {
        if (verifier !== undefined) programs.push(run);
        coverage?.addProgram(run);
      },
      signal,
      trace,
    });
    // It may be written to the file, and a service may echo a secret.
    outcome = {
      output: network === undefined ? output : (redactedValue(output, (text) => trace.redact(text)) as Json),
    };
  } catch (error) {
    outcome = { failure: failureOf(error, config.model) };
  }
  const unused = network === undefined ? leftOver(replayed.unused()) : [];
  const different = (await verifier?.compare(programs, signal)) ?? [];
  return {
    outcome,
    beside: [...unused, ...different],
    ...(network === undefined ? {} : { recorded: recorder.recording((text) => trace.redact(text)).http }),
  };
}

function effectsOf(
  test: CaseGiven,
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

function leftOver(unused: readonly RecordedExchange[]): string[] {
  if (unused.length === 0) return [];
  const requests = unused.slice(0, 5).map(({ request }) => `${request.method ?? "GET"} ${request.url}`);
  const verb = unused.length === 1 ? "wasn't" : "weren't";
  return [`${plural(unused.length, "recorded request")} ${verb} sent: ${requests.join(", ")}`];
}
