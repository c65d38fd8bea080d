import type { App, ResourceSettings } from "@configc/compiler";
import type { Credential, Effects, Http, Json, RunContext, RunOptions } from "@configc/runtime";
import { authAt, searchAt } from "@configc/runtime/internal";
import { credentialsInMemory } from "../credentials/memory.ts";
import { embeddedPlatform } from "../platform/platform.ts";
import type { RecordedExchange } from "../recording/index.ts";
import { steppedClock } from "../recording/replay.ts";

export { type CaseFailure, type ExpectedError, unexpectedOf } from "./expected-error.ts";

/** A case of a test file, as far as it decides the run. */
export interface CaseGiven {
  /** A node, as for `configc run`. */
  readonly run: string;
  readonly input?: Json;
  readonly context?: RunContext;
  readonly credentials?: Readonly<Record<string, Credential>>;
  /** Where the clock stands at first. */
  readonly now?: string;
  /** What is typed into the form field whose options are run (D43). */
  readonly search?: string;
  readonly http?: readonly RecordedExchange[];
}

/** Where the clock of a case stands that doesn't say: milliseconds since 1970. */
const DEFAULT_NOW = Date.parse("2025-01-01T00:00:00Z");

/** When a test case begins, in milliseconds since 1970: its `now`, or a fixed time. */
export function startOf({ now }: Pick<CaseGiven, "now">): number {
  return now === undefined ? DEFAULT_NOW : Date.parse(now);
}

/**
 * The effects of a case: nothing of it depends on the time, on chance or on other cases. Waiting takes no time.
 *
 * @param http answers its requests: `replayHttp(test.http)`, or the network while it is recorded
 */
export function caseEffects(test: CaseGiven, http: Http, resources?: ResourceSettings): Effects {
  let ids = 0;
  return {
    clock: steppedClock(startOf(test)),
    random: { next: () => 0.5, id: () => `id-${++ids}` },
    log: { write: () => undefined },
    http,
    credentials: credentialsInMemory(test.credentials),
    platform: embeddedPlatform(resources === undefined ? {} : { resources }),
  };
}

/**
 * What the run of a case is given.
 *
 * @param pointer of the node that `run` names
 * @param connected names of the auths that there are credentials for
 */
export function caseOptions(
  { input, context, credentials = {}, search: term }: CaseGiven,
  app: App,
  pointer: string,
  connected: readonly string[] = Object.keys(credentials),
): Pick<RunOptions, "input" | "context" | "connection" | "search"> {
  const auth = authAt(app, pointer);
  const search = searchAt(app, pointer, term);
  return {
    ...(input === undefined ? {} : { input }),
    ...(context === undefined ? {} : { context }),
    ...(auth !== undefined && connected.includes(auth) ? { connection: auth } : {}),
    ...(search === undefined ? {} : { search }),
  };
}
