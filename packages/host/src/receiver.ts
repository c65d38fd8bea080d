import type { IncomingMessage, ServerResponse } from "node:http";
import { type ReceivedDelivery, RunError, type Runtime } from "@configc/runtime";
import { answerEarly, text } from "./incoming/answer.ts";
import { BodyRefused, type IncomingBodies, SenderGone } from "./incoming/bodies.ts";
import { addressOf } from "./incoming/source.ts";

/** Milliseconds in which a third party is answered: most of them don't wait for much longer. */
const PATIENCE = 9_000;

interface ReceiverOptions {
  readonly runtimes: ReadonlyMap<string, Runtime>;
  /** Path below which webhooks arrive, without a slash at its end. */
  readonly path: string;
  readonly bodies: IncomingBodies;
  /** Whose a request is: each source has a share of what can be read at a time. */
  readonly sourceOf?: ((request: IncomingMessage) => string | undefined) | undefined;
  /** Is told for whom something waits. */
  readonly deliver: (app: string, installation: string) => void;
  /** Is told what was sent, when it is kept and answered. */
  readonly received: (app: string, delivery: ReceivedDelivery) => void;
  readonly failed: (app: string, error: unknown) => void;
  /** Is told what became of what was sent to a webhook that is there. */
  readonly became: (app: string, outcome: "taken" | "refused" | "failed") => void;
}

/** Answers to who has no business here: no webhook, one that was removed, and what is no delivery. */
const STRANGERS: ReadonlySet<number> = new Set([404, 405, 410]);

/** Takes the requests to webhook URLs: `PATH/APP/HOOK`. Answers false, and does nothing, for any other path. */
export function webhookReceiver(options: ReceiverOptions) {
  const { runtimes, path, bodies, sourceOf = addressOf, deliver, received, failed, became } = options;
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const place = placeOf(request.url ?? "/", path);
    const runtime = place === undefined ? undefined : runtimes.get(place.app);
    if (place === undefined || runtime === undefined) return false;
    const { hook, query, app } = place;
    const source = sourceOf(request) ?? `hook ${hook}`;
    const room = bodies.memory.open(source);
    try {
      const headers = headersOf(request);
      const method = request.method ?? "GET";
      const given = await inTime((apart) => {
        // Who isn't told by the hook that it is wanted can't make us read anything.
        const body = (): Promise<Uint8Array> => apart(() => bodies.read(request, source, room));
        const kept = runtime.receive({ hook, method, headers, query, body }, { answers: true });
        return kept.finally(() => room.close());
      });
      answerEarly(request, response, given);
      if (given.delivery !== undefined) became(app, "taken");
      else if (given.status >= 400 && !STRANGERS.has(given.status)) became(app, "refused");
      if (given.answered !== undefined && (await hasGone(response))) await given.answered();
      for (const installation of given.installations) deliver(app, installation);
      if (given.delivery !== undefined) received(app, given.delivery);
    } catch (error) {
      // Whoever sends hung up in the middle: nobody waits for an answer, and nothing of ours failed.
      if (error instanceof SenderGone || request.socket.destroyed) return true;
      const later = { "retry-after": "30" };
      if (error instanceof BodyRefused) {
        const { status, message } = error;
        answerEarly(request, response, text(status, message, status === 503 ? later : {}));
        return true;
      }
      failed(app, error);
      became(app, "failed");
      answerEarly(request, response, text(503, "Try again later.", later));
    }
    return true;
  };
}

/**
 * What comes too late was kept, maybe, and is delivered; but its sender is told to send it again, which comes to the same.
 *
 * @param work is given what has a time of its own
 */
function inTime<R>(work: (apart: <T>(wait: () => Promise<T>) => Promise<T>) => Promise<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const start = (): void => {
      const message = `It couldn't be kept within ${PATIENCE / 1_000} s.`;
      timer = setTimeout(() => reject(new RunError("StoreError", message, undefined)), PATIENCE);
    };
    const apart = async <T>(wait: () => Promise<T>): Promise<T> => {
      clearTimeout(timer);
      return await wait().finally(start);
    };
    start();
    work(apart)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** Whether an answer has been handed to the network as a whole. */
async function hasGone(response: ServerResponse): Promise<boolean> {
  if (response.writableFinished || response.destroyed) return response.writableFinished;
  return await new Promise((resolve) => {
    response.once("finish", () => resolve(true));
    response.once("close", () => resolve(response.writableFinished));
  });
}

function placeOf(
  url: string,
  path: string,
): { readonly app: string; readonly hook: string; readonly query: string } | undefined {
  const [pathname = "", query = ""] = url.split(/\?(.*)/s, 2);
  if (!pathname.startsWith(`${path}/`)) return undefined;
  const parts = pathname.slice(path.length + 1).split("/");
  if (parts.length !== 2) return undefined;
  try {
    const [app = "", hook = ""] = parts.map(decodeURIComponent);
    return { app, hook, query };
  } catch {
    return undefined;
  }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const named: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) named[name] = Array.isArray(value) ? value.join(", ") : value;
  return named;
}
