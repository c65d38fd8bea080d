import { Readable } from "node:stream";
import { HttpFailure, type HttpRequest, type HttpResponse, LONGEST_TIMER, onAbort } from "@configc/runtime";
import type { Dispatcher } from "undici";
import { ByteCollector, CoveredBytes, lengthOf } from "./byte-collector.ts";
import { type BodyLimits, readBody, tooLarge } from "./read-body.ts";

type Controller = Dispatcher.DispatchController;
type Received = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

/**
 * Sends a request by a dispatcher and collects its response. The handlers stand below undici's `request`, whose streams and signals
 * cost more than all the rest of an exchange.
 *
 * @param headers as they are sent
 * @throws HttpFailure if it takes too long or is too large; the signal's reason; what the dispatcher fails with
 */
export function dispatch(
  dispatcher: Dispatcher,
  target: URL,
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
      reader?.end(ended);
    };
    const timer = setTimeout(
      () => fail(new HttpFailure("timeout", `no answer within ${timeout} ms`)),
      Math.min(timeout, LONGEST_TIMER),
    );
    const off = onAbort(signal, () => fail(signal.reason));
    dispatcher.dispatch(
      {
        origin: target.origin,
        path: target.pathname + target.search,
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
        onResponseStart(given, status, received) {
          // Informational ones come before the response.
          if (status < 200) return;
          const named = headersOf(received);
          const encoding = named["content-encoding"];
          const finish = (bytes: Uint8Array): void => {
            if (ended !== undefined) return;
            settle();
            resolve({ status, headers: named, body: bytes });
          };
          // These have no body, whatever length they name: that of what there would be.
          if (status === 204 || status === 304) return finish(new Uint8Array());
          reader =
            encoding === undefined
              ? plainBody(given, limits, named["content-length"], finish, fail)
              : encodedBody(given, encoding, limits, finish, fail);
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
  end(error?: Error): void;
}

type Finish = (bytes: Uint8Array) => void;
type Fail = (error: unknown) => void;

/** Collects a body, and waits for room where there is none (E23). */
function plainBody(
  controller: Controller,
  { maxBytes, room }: BodyLimits,
  length: string | undefined,
  finish: Finish,
  fail: Fail,
): BodyReader {
  const body = new ByteCollector(maxBytes, lengthOf(length));
  const covered = room && new CoveredBytes(room);
  const add = (chunk: Buffer): void => {
    if (!body.add(chunk)) fail(tooLarge(maxBytes));
  };
  return {
    add(chunk) {
      const wait = covered?.cover(Math.min(body.needsFor(chunk.length), 2 * maxBytes));
      if (wait === undefined) return add(chunk);
      controller.pause();
      wait
        .then(() => {
          add(chunk);
          controller.resume();
        })
        .catch(fail);
    },
    end(error) {
      if (error === undefined) finish(body.bytes());
    },
  };
}

/** A body that unfolds is read no faster than it can be unfolded. */
function encodedBody(
  controller: Controller,
  encoding: string,
  limits: BodyLimits,
  finish: Finish,
  fail: Fail,
): BodyReader {
  const source = new Readable({ read: () => controller.resume() });
  readBody(source, encoding, limits).then(finish, fail);
  return {
    add(chunk) {
      if (!source.push(chunk)) controller.pause();
    },
    end(error) {
      if (error === undefined) source.push(null);
      else source.destroy(error);
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
