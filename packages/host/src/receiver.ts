import type { IncomingMessage, ServerResponse } from "node:http";
import { type ReceivedDelivery, RunError, type Runtime, type WebhookAnswer } from "@configc/runtime";
import { ByteCollector, lengthOf } from "./http/byte-collector.ts";

/** Milliseconds in which a third party is answered: most of them don't wait for much longer. */
const PATIENCE = 9_000;

/** Bytes of a delivery's body at most. */
const MOST_BYTES = 10 * 1024 * 1024;

export interface ReceiverOptions {
  readonly runtimes: ReadonlyMap<string, Runtime>;
  /** Path below which webhooks arrive, without a slash at its end. */
  readonly path: string;
  /** Is told for whom something waits. */
  readonly deliver: (app: string, installation: string) => void;
  /** Is told what was sent, when it is kept and answered. */
  readonly received: (app: string, delivery: ReceivedDelivery) => void;
  readonly failed: (app: string, error: unknown) => void;
}

/** Takes the requests to webhook URLs: `PATH/APP/HOOK`. Answers false, and does nothing, for any other path. */
export function webhookReceiver({ runtimes, path, deliver, received, failed }: ReceiverOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const place = placeOf(request.url ?? "/", path);
    const runtime = place === undefined ? undefined : runtimes.get(place.app);
    if (place === undefined || runtime === undefined) return false;
    try {
      const body = await readAll(request);
      if (body === undefined) {
        // What is left of the body isn't read, so nothing else can come on this connection.
        const tooLarge = text(413, `A delivery has at most ${MOST_BYTES} bytes.`);
        answer(response, { ...tooLarge, headers: { ...tooLarge.headers, connection: "close" } });
        request.destroy();
        return true;
      }
      const { hook, query, app } = place;
      const headers = headersOf(request);
      const method = request.method ?? "GET";
      const kept = runtime.receive({ hook, method, headers, query, body }, { answers: true });
      const given = await inTime(kept);
      answer(response, given);
      if (given.answered !== undefined && (await hasGone(response))) await given.answered();
      for (const installation of given.installations) deliver(app, installation);
      if (given.delivery !== undefined) received(app, given.delivery);
    } catch (error) {
      // Whoever sends hung up in the middle: nobody waits for an answer, and nothing of ours failed.
      if (!request.complete) return true;
      failed(place.app, error);
      answer(response, { ...text(503, "Try again later."), headers: { "retry-after": "30" } });
    }
    return true;
  };
}

/** What comes too late was kept, maybe, and is delivered; but its sender is told to send it again, which comes to the same. */
async function inTime<R>(work: Promise<R>): Promise<R> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `It couldn't be kept within ${PATIENCE / 1_000} s.`;
    timer = setTimeout(() => reject(new RunError("StoreError", message, undefined)), PATIENCE);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

type Answer = Pick<WebhookAnswer, "status" | "headers" | "body">;

function text(status: number, body: string): Answer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

function answer(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { ...headers, "x-content-type-options": "nosniff" });
  response.end(body);
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

/** Undefined if it is too large. */
async function readAll(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const body = new ByteCollector(MOST_BYTES, lengthOf(request.headers["content-length"]));
  for await (const chunk of request as AsyncIterable<Buffer>) if (!body.add(chunk)) return undefined;
  return body.bytes();
}
