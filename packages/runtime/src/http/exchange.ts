import type { AppNode } from "@configc/compiler";
import type { HttpResponse } from "../effects.ts";
import { abortError, RunError } from "../errors.ts";
import { type HttpFailure, isHttpFailure } from "../http-failure.ts";
import { parseCost } from "../json.ts";
import { isMemoryFailure, type Room } from "../memory/memory.ts";
import { MASK, shownUrl } from "../redact/index.ts";
import type { Frame } from "../step.ts";
import { shownHeaders, type TraceData } from "../trace.ts";
import { readMethods } from "./body.ts";
import type { Hop } from "./redirect.ts";
import { bodyValue, decode, mayBeJson } from "./response.ts";
import type { Outcome } from "./retry.ts";
import { isWebPage, WebPage } from "./web-page.ts";

const ASK_LESS = " Ask for less at a time, for example by a smaller page size.";

/** Bytes of a response that an error quotes (D21). */
const QUOTED = 2_048;

/** Bytes of an answer with a token at most: it is read whatever becomes of the run, so it has no room of the run's. */
const TOKEN_BYTES = 256 * 1024;

/** Bytes of a body of failure that a trace looks at. */
const TRACED = 256 * 1024;

interface ExchangeOptions {
  /** Ends it: the run's own, but for requests that several runs wait for. */
  readonly signal?: AbortSignal;
  /** Whether the bodies are credentials, so that nothing of them may be told (D29). */
  readonly confidential?: boolean;
}

/**
 * Sends one request and gives its response or why there was none; one that breaks off is none (E19). Counts it, and writes both down.
 *
 * @throws RunError if the run is over, or its answer needs more memory than there is: `LimitError` where it always would, else `MemoryError` (E24)
 */
export async function exchange(
  hop: Hop,
  frame: Frame,
  place: AppNode,
  { signal = frame.signal, confidential = false }: ExchangeOptions = {},
): Promise<Outcome> {
  const { effects, limits, usage, tracer } = frame;
  if (signal.aborted) throw abortError(signal, place);
  if (++usage.requests > limits.requests)
    throw new RunError(
      "LimitError",
      `The run sent ${limits.requests} requests, the most that it may.`,
      place,
    );
  const { method, url, headers, body } = hop;
  const event = tracer.listening
    ? tracer.event(frame.span, place.pointer, "request", {
        method,
        url: shownUrl(url),
        headers: shownHeaders(headers),
        ...(body === undefined ? {} : { body: confidential ? MASK : body }),
      })
    : 0;
  const start = effects.clock.now();
  const ended = (data: Omit<TraceData["response"], "milliseconds">): void => {
    if (tracer.listening)
      tracer.event(event, place.pointer, "response", { ...data, milliseconds: effects.clock.now() - start });
  };
  const room = confidential ? undefined : frame.room;
  // Its bytes are needed until it was read.
  const transfer = room?.part();
  try {
    const response = await effects.http.request({
      method,
      url,
      headers,
      ...(body === undefined ? {} : { body }),
      signal,
      timeout: limits.requestTime,
      maxBytes: confidential ? Math.min(limits.responseBytes, TOKEN_BYTES) : limits.responseBytes,
      ...(transfer === undefined ? {} : { room: transfer }),
    });
    const { text, outcome } = await understood(response, confidential ? undefined : hop, room, signal);
    if (tracer.listening) {
      const { status, headers: received } = response;
      const failed =
        "failure" in outcome ? { failure: outcome.failure.kind, message: outcome.failure.message } : {};
      ended({ status, headers: shownHeaders(received), body: confidential ? MASK : text, ...failed });
    }
    return outcome;
  } catch (error) {
    if (signal.aborted) throw abortError(signal, place);
    if (isHttpFailure(error)) {
      ended({ failure: error.kind, message: error.message });
      return { failure: error };
    }
    ended({ failure: "error", message: String(error) });
    if (isMemoryFailure(error)) {
      // What may have changed something mustn't be sent again only because nobody could hold the answer (E20).
      const isOwn = error.kind === "too-large" || !readMethods.has(method);
      throw new RunError(
        isOwn ? "LimitError" : "MemoryError",
        `The answer to ${method} ${shownUrl(url)} can't be held: ${error.message}.${ASK_LESS}`,
        place,
        { cause: error },
      );
    }
    if (error instanceof RunError)
      throw new RunError(error.kind, error.message, place, { cause: error.cause });
    throw new RunError("NetworkError", `The request to ${shownUrl(url)} failed: ${String(error)}`, place, {
      cause: error,
    });
  } finally {
    transfer?.close();
  }
}

interface Understood {
  readonly text: string;
  readonly outcome: Outcome;
}

/**
 * A body of failure is only quoted.
 *
 * @param hop undefined: what a web page says may not be told
 */
async function understood(
  response: HttpResponse,
  hop: Hop | undefined,
  room: Room | undefined,
  signal: AbortSignal,
): Promise<Understood> {
  const contentType = response.headers["content-type"] ?? "";
  const isFailure = response.status >= 400;
  const bytes = isFailure ? response.body.subarray(0, TRACED) : response.body;
  // Two bytes a character where one isn't of Latin.
  await room?.take(2 * bytes.length, signal);
  const text = decode(bytes, contentType);
  if (isFailure) return { text, outcome: { response, body: null } };
  if (hop !== undefined && isWebPage(text, hop))
    return { text, outcome: { failure: new WebPage(response.status, contentType, text) } };
  try {
    if (room !== undefined && mayBeJson(contentType, text)) await room.take(parseCost(text), signal);
    return { text, outcome: { response, body: bodyValue(text, contentType) } };
  } catch (error) {
    if (isHttpFailure(error)) return { text, outcome: { failure: error } };
    throw error;
  }
}

/** The error of a request that gave no response. */
export function failureError(
  failure: HttpFailure,
  { method, url }: Hop,
  frame: Frame,
  place: AppNode,
): RunError {
  const request = `${method} ${shownUrl(url)}`;
  const { limits } = frame;
  const cause = { cause: failure };
  switch (failure.kind) {
    case "timeout":
      return new RunError(
        "NetworkError",
        `${request} gave no answer within ${limits.requestTime / 1_000} s.`,
        place,
        cause,
      );
    case "too-large":
      return new RunError(
        "LimitError",
        `${request} answered with more than ${limits.responseBytes} bytes, the most that is read.${ASK_LESS}`,
        place,
        cause,
      );
    case "refused-address":
      return new RunError("NetworkError", `${request} was refused: ${failure.message}`, place, cause);
    case "unavailable":
      return new RunError("NetworkError", `${request} wasn't sent: ${failure.message}`, place, cause);
    case "network":
      return new RunError("NetworkError", `${request} failed: ${failure.message}`, place, cause);
    case "web-page": {
      const message = frame.tracer.redact(failure.message, QUOTED);
      const { status } = failure as WebPage;
      // The message says it all: no cause stands behind it.
      return new RunError("HttpError", `${request} ${message}.`, place, { status });
    }
  }
}

/** The error of an answer with a status from 400: the status, and the beginning of what the server says. */
export function statusError(
  response: HttpResponse,
  { method, url }: Hop,
  frame: Frame,
  place: AppNode,
): RunError {
  const { status, body, headers } = response;
  // Redacted before it is cut: a secret may stand at the cut.
  const start = decode(body.subarray(0, 4 * QUOTED), headers["content-type"] ?? "");
  const text = frame.tracer.redact(start, 2 * QUOTED);
  const said = text.trim() === "" ? "." : `: ${cutBytes(text, QUOTED)}`;
  return new RunError("HttpError", `${method} ${shownUrl(url)} answered ${status}${said}`, place, { status });
}

function cutBytes(text: string, bytes: number): string {
  const encoded = new TextEncoder().encode(text);
  if (encoded.length <= bytes) return text;
  return `${new TextDecoder().decode(encoded.subarray(0, bytes)).replace(/\ufffd+$/, "")}…`;
}
