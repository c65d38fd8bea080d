import { HttpFailure, type HttpRequest, type HttpResponse } from "@configc/runtime";
import { LONGEST_TIMER, onAbort } from "@configc/runtime/internal";
import type { Dispatcher } from "undici";
import { CoveredBody, lengthOf } from "./byte-collector.ts";
import { type BodyLimits, decodedBody, tooLarge } from "./read-body.ts";

type Controller = Dispatcher.DispatchController;
type Received = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

/** What a connection is for, and what is asked of it. */
export interface Target {
  readonly origin: string;
  /** With its query. */
  readonly path: string;
}

/**
 * Sends a request by a dispatcher and collects its response. The handlers stand below undici's `request`, whose streams and signals
 * cost more than all the rest of an exchange.
 *
 * @param target of the request's URL
 * @param headers as they are sent
 * @throws HttpFailure if it takes too long or is too large; the signal's reason; what the dispatcher fails with
 */
export function dispatch(
  dispatcher: Dispatcher,
  { origin, path }: Target,
  { method, body, signal, timeout, ...limits }: HttpRequest,
  headers: Readonly<Record<string, string>>,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let controller: Controller | undefined;
    let ended: Error | undefined;
    let reader: BodyReader | undefined;
    const settle = (): void => {
      clearTimeout(timer);
      off();
    };
    const fail = (error: unknown): void => {
      if (ended !== undefined) return;
      ended = error instanceof Error ? error : new Error(String(error));
      settle();
      reject(error);
      controller?.abort(ended);
    };
    const timer = setTimeout(
      () => fail(new HttpFailure("timeout", `no answer within ${timeout} ms`)),
      Math.min(timeout, LONGEST_TIMER),
    );
    const off = onAbort(signal, () => fail(signal.reason));
    dispatcher.dispatch(
      {
        origin,
        path,
        method: method as Dispatcher.HttpMethod,
        headers,
        body: body ?? null,
      },
      {
        onRequestStart(given) {
          controller = given;
          // It may have taken its time to connect.
          if (ended !== undefined) given.abort(ended);
        },
        onResponseStart(_, status, received) {
          // Informational ones come before the response.
          if (status < 200) return;
          const named = headersOf(received);
          const finish = (bytes: Uint8Array): void => {
            if (ended !== undefined) return;
            settle();
            resolve({ status, headers: named, body: bytes });
          };
          // These have no body, whatever length they name: that of what there would be.
          if (status === 204 || status === 304) return finish(new Uint8Array());
          reader = bodyReader(limits, named, finish, fail);
        },
        onResponseData(_, chunk) {
          try {
            reader?.add(chunk);
          } catch (error) {
            fail(error);
          }
        },
        onResponseEnd: () => reader?.end(),
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}

/** Takes the parts of a body. */
interface BodyReader {
  add(chunk: Buffer): void;
  end(): void;
}

/** Collects a body as it comes in, and unfolds it when it is there. */
function bodyReader(
  limits: BodyLimits,
  { "content-length": length, "content-encoding": encoding }: Readonly<Record<string, string>>,
  finish: (bytes: Uint8Array) => void,
  fail: (error: unknown) => void,
): BodyReader {
  const body = new CoveredBody(limits, lengthOf(length));
  const whole = async (): Promise<Uint8Array> => {
    const bytes = await body.whole();
    return encoding === undefined ? bytes : await decodedBody(bytes, encoding, limits);
  };
  return {
    add(chunk) {
      if (!body.add(chunk)) fail(tooLarge(limits.maxBytes));
    },
    end() {
      try {
        const bytes = encoding === undefined ? body.ready() : undefined;
        if (bytes !== undefined) return finish(bytes);
      } catch (error) {
        return fail(error);
      }
      void whole().then(finish, fail);
    },
  };
}

/** Names in lower case; no name can reach a prototype. */
function headersOf(received: Received): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(received))
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  return headers;
}
