import type { App } from "@configc/compiler";
import {
  credentialsInMemory,
  differences,
  embeddedPlatform,
  type RecordedExchange,
  replayHttp,
  replayRun,
  type SavedRun,
  saveRun,
} from "@configc/host";
import { sameValue } from "@configc/host/internal";
import type { Json, JsonObject } from "@configc/jq";
import { type Credential, type Effects, portableEffects, RunError, savedInMemory } from "@configc/runtime";
import { type PollResult, shownUrl } from "@configc/runtime/internal";
import type { Exchange, Replayed, ReplayedCycle } from "@configc/simulate";

/** A run of a story as a file that `configc run --replay` takes. */
export interface RecordedRun {
  /** What of the story it is, for the file's name: `cycle-1`, `item`. */
  readonly part: string;
  /** JSON Pointer. */
  readonly node: string;
  readonly saved: SavedRun;
}

/** The recordings of a story, and why there are no more of them. */
export interface Recordings {
  readonly runs: readonly RecordedRun[];
  readonly missing?: string;
}

/**
 * Runs the cycles of a story again, each by itself on what it was answered, and keeps them as saved runs; the item at which a pipeline
 * failed too. What is kept was replayed: it is the same, event by event.
 */
export async function recordingsOf(app: App, replayed: Replayed): Promise<Recordings> {
  const runs: RecordedRun[] = [];
  const data = savedInMemory(undefined);
  let state: JsonObject | undefined;
  for (const cycle of replayed.cycles) {
    if (cycle.isQuiet && cycle.reason !== "failed") break;
    const given = { ...replayed.context, ...(state === undefined ? {} : { polling_state: state }) };
    const run = async (node: string, input?: Json): ReturnType<typeof saveRun> =>
      await saveRun(
        app,
        node,
        {
          context: given,
          ...(input === undefined ? {} : { input }),
          ...(replayed.auth === undefined ? {} : { connection: replayed.auth }),
          ...(node === replayed.intake ? { limits: { pollingRequests: replayed.requests } } : {}),
        },
        { effects: effectsOf(app, replayed, cycle), saved: data },
      );
    const { saved, outcome } = await run(replayed.intake);
    const problem = await problemOf(app, saved, cycle, outcome);
    if (problem !== undefined) return { runs, missing: `cycle ${cycle.number} ${problem}` };
    runs.push({ part: `cycle-${cycle.number}`, node: replayed.intake, saved });
    if ("error" in outcome) return { runs };
    const { results, polling_state } = outcome.output as unknown as PollResult & {
      polling_state: JsonObject;
    };
    state = polling_state;
    for (const input of results) {
      const item = await run(replayed.workflow, input);
      if (!("error" in item.outcome) || isUnanswered(item.outcome.error)) continue;
      return { runs: [...runs, { part: "item", node: replayed.workflow, saved: item.saved }] };
    }
  }
  return { runs };
}

/** Why a run isn't that of the story; undefined where it is. */
async function problemOf(
  app: App,
  saved: SavedRun,
  { state, reason }: ReplayedCycle,
  outcome: { readonly output: Json } | { readonly error: unknown },
): Promise<string | undefined> {
  if ("error" in outcome) {
    if (isUnanswered(outcome.error) || reason !== "failed")
      return "takes more than one run of its intake: the process ends in it, or it is tried again";
  } else {
    const { polling_state, reason: ended } = outcome.output as unknown as PollResult;
    if (ended !== reason || !sameValue(polling_state, state))
      return "ends otherwise when it is run by itself";
  }
  const { departure } = await replayRun(app, saved);
  return departure === undefined ? undefined : `can't be run again to the same trace: ${departure.message}`;
}

function isUnanswered(error: unknown): boolean {
  return error instanceof RunError && error.kind === "NotFound";
}

/** The world as a cycle found it: each answer comes when it came then. */
function effectsOf(app: App, { auth }: Replayed, { startedAt, exchanges }: ReplayedCycle): Effects {
  let now = startedAt;
  let ids = 0;
  const left = exchanges.map((exchange) => ({ exchange, recorded: recordedOf(exchange) }));
  return portableEffects({
    clock: {
      now: () => now,
      sleep: async (milliseconds) => {
        now += milliseconds;
      },
    },
    random: { next: () => 0.5, id: () => `id-${++ids}` },
    log: { write: () => undefined },
    http: {
      async request(sent) {
        const at = left.findIndex(({ recorded }) => differences(sent, recorded.request).length === 0);
        const [found] = at < 0 ? [] : left.splice(at, 1);
        if (found === undefined)
          throw new RunError("NotFound", `${sent.method} ${shownUrl(sent.url)} wasn't sent.`, undefined);
        now = Math.max(now, found.exchange.answeredAt);
        return await replayHttp([found.recorded]).request(sent);
      },
    },
    credentials: {
      ...credentialsInMemory(auth === undefined ? {} : { [auth]: credentialFor(app, auth) }),
      sessions: { read: async () => ({ access_token: "simulated" }), write: async () => undefined },
    },
    platform: embeddedPlatform(),
  });
}

/** Invented ones of the kind that an auth entry takes: nobody looks at them. */
export function credentialFor(app: App, auth: string): Credential {
  switch (app.auth[auth]?.type) {
    case "basic":
    case "session":
      return { username: "customer", password: "simulated" };
    case "token":
      return { token: "simulated" };
    default:
      return { access_token: "simulated" };
  }
}

/** An exchange as test files and recordings have it; headers of requests don't matter there. */
export function recordedOf({
  method,
  url,
  body,
  status,
  responseHeaders,
  responseBody,
  failure,
}: Exchange): RecordedExchange {
  const request = { method, url: shownUrl(url), ...(body === undefined ? {} : contentOf(body)) };
  if (status === undefined)
    return { request, failure: { kind: failure ?? "network", message: "no answer came" } };
  return { request, response: { status, headers: responseHeaders, ...contentOf(responseBody) } };
}

function contentOf(text: string): { readonly body: unknown } | { readonly text: string } {
  try {
    return { body: JSON.parse(text) };
  } catch {
    return { text };
  }
}
