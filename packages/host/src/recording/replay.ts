import {
  type Clock,
  type Effects,
  type Http,
  HttpFailure,
  type HttpFailureKind,
  type HttpRequest,
  type HttpResponse,
  type Platform,
  RunError,
  type RunErrorKind,
} from "@configc/runtime";
import { shownUrl } from "@configc/runtime/internal";
import { credentialsInMemory } from "../credentials/memory.ts";
import { bytesOf } from "./body.ts";
import { differences } from "./match.ts";
import type { RecordedCall, RecordedExchange, RecordedResponse, Recording } from "./recording.ts";

/** The effect `http` that answers from a recording. */
export interface ReplayedHttp extends Http {
  /** Exchanges that the run didn't ask for. */
  unused(): readonly RecordedExchange[];
}

/** Answers from recorded exchanges: each once, the first one that is the same as what is asked. Reaches no network. */
export function replayHttp(exchanges: readonly RecordedExchange[]): ReplayedHttp {
  const left = [...exchanges];
  return {
    async request(sent) {
      sent.signal.throwIfAborted();
      const at = left.findIndex(({ request }) => differences(sent, request).length === 0);
      const [found] = at < 0 ? [] : left.splice(at, 1);
      if (found === undefined) throw notRecorded(sent, left, exchanges.length);
      const { response = {}, failure } = found;
      if (failure !== undefined) throw failureOf(failure);
      return responseOf(response);
    },
    unused: () => [...left],
  };
}

function failureOf({ kind, message }: NonNullable<RecordedExchange["failure"]>): Error {
  if (kind !== "error") return new HttpFailure(kind as HttpFailureKind, message);
  const error = new Error(message);
  // What was recorded has the name in it.
  error.name = "";
  return error;
}

function responseOf(recorded: RecordedResponse): HttpResponse {
  const headers: Record<string, string> = Object.create(null);
  if (recorded.body !== undefined) headers["content-type"] = "application/json";
  for (const [name, value] of Object.entries(recorded.headers ?? {})) headers[name.toLowerCase()] = value;
  return { status: recorded.status ?? 200, headers, body: bytesOf(recorded) };
}

/** Says what was asked, and how the recorded request that comes nearest differs. */
function notRecorded(sent: HttpRequest, left: readonly RecordedExchange[], all: number): RunError {
  const asked = `${sent.method} ${shownUrl(sent.url)}`;
  const [nearest] = left
    .map(({ request }) => ({ request, found: differences(sent, request) }))
    .sort((a, b) => weight(a.found) - weight(b.found));
  if (nearest === undefined) {
    const why = all === 0 ? "no request is recorded" : `all ${all} recorded ones are used`;
    return new RunError("NotFound", `The run asks ${asked}, but ${why}. Record it again.`, undefined);
  }
  const lines = nearest.found.map(
    ([place, mine, recorded]) => `  ${place}: sent ${short(mine)}, recorded ${short(recorded)}`,
  );
  return new RunError(
    "NotFound",
    `The run asks ${asked}, which isn't recorded. The nearest is ${nearest.request.method ?? "GET"} ${nearest.request.url}:\n${lines.join("\n")}`,
    undefined,
  );
}

/** A request to another path is further away than one with other parameters. */
function weight(found: readonly (readonly [string, string, string])[]): number {
  return found.reduce((sum, [place]) => sum + (place === "method" || place === "URL" ? 10 : 1), 0);
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** A clock that stands at a time, and goes on only by waiting: nothing really waits. */
export function steppedClock(start: number): Clock {
  let now = start;
  return {
    now: () => now,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      now += Math.max(0, milliseconds);
    },
  };
}

/** The effects that answer from a recording. */
export interface Replay {
  readonly effects: Pick<Effects, "clock" | "random" | "credentials" | "platform" | "sign"> & {
    readonly http: ReplayedHttp;
  };
}

/**
 * The effects of a run that was recorded: the same run gives the same trace, byte by byte; a changed one gets the recorded
 * answers as long as it asks the same.
 */
export function replay(recording: Recording): Replay {
  return {
    effects: {
      clock: recordedClock(recording),
      random: recordedRandom(recording),
      http: replayHttp(recording.http),
      credentials: credentialsInMemory(recording.credentials),
      platform: recordedPlatform(recording.platform),
      sign: recordedSignatures(recording),
    },
  };
}

function recordedClock({ clock, timeZone }: Recording): Clock {
  let at = 0;
  let now = 0;
  return {
    now() {
      // A changed run may look at the clock more often: it has stopped then.
      now += clock[at++] ?? 0;
      return now;
    },
    async sleep(_milliseconds, signal) {
      signal?.throwIfAborted();
    },
    ...(timeZone === undefined ? {} : { timeZone }),
  };
}

function recordedRandom({ random, ids }: Recording) {
  let numbers = 0;
  let names = 0;
  return {
    next: () => random[numbers++] ?? 0.5,
    id: () => ids[names++] ?? `replayed-id-${names}`,
  };
}

/** A changed run may sign something else: then with the secret that it has. */
function recordedSignatures({ signatures = [] }: Recording) {
  let at = 0;
  return (make: () => string): string => signatures[at++] ?? make();
}

function recordedPlatform(calls: readonly RecordedCall[]): Platform {
  const left = [...calls];
  // Recorded results are JSON, as the platform's own are.
  const take = async (call: RecordedCall["call"], resource: string): Promise<never> => {
    const at = left.findIndex((each) => each.call === call && each.resource === resource);
    const [found] = at < 0 ? [] : left.splice(at, 1);
    if (found === undefined)
      throw new RunError("NotFound", `The use of ${resource} (${call}) isn't recorded.`, undefined);
    const { error, kind } = found;
    if (error !== undefined)
      throw kind === undefined ? new Error(error) : new RunError(kind as RunErrorKind, error, undefined);
    return found.result as never;
  };
  return {
    fields: (resource) => take("fields", resource),
    upsert: (resource) => take("upsert", resource),
    sync: (resource) => take("sync", resource),
  };
}
