import {
  type Credential,
  createTracer,
  type Effects,
  type HttpRequest,
  type HttpResponse,
  isHttpFailure,
  type Platform,
  RunError,
} from "@configc/runtime";
import { MASK, redactedValue, shownHeaders, shownUrl } from "@configc/runtime/internal";
import { recordedBody, recordedText } from "./body.ts";
import type { RecordedCall, RecordedExchange, Recording } from "./recording.ts";
import type { Redact } from "./redact.ts";

/** Effects that remember what was exchanged. */
export interface Recorder {
  /** To run with: they do what the given ones do. */
  readonly effects: Effects;
  /** @param redact masks secrets (`tracer.redact`), once the run is over and all of them are known */
  recording(redact: Redact): Recording;
}

type Heard =
  | { readonly request: HttpRequest; readonly response: HttpResponse }
  | { readonly request: HttpRequest; readonly failure: { readonly kind: string; readonly message: string } };

/** Stands between a run and its effects, and writes down what it is told. */
export function record(effects: Effects): Recorder {
  const { clock, random, http, credentials, platform, sign = (make) => make() } = effects;
  const readings: number[] = [];
  const numbers: number[] = [];
  const ids: string[] = [];
  const signatures: string[] = [];
  const heard: Heard[] = [];
  const calls: RecordedCall[] = [];
  const seen = new Map<string, Credential>();
  let last = 0;
  const noted = <T>(list: T[], value: T): T => {
    list.push(value);
    return value;
  };
  return {
    effects: {
      ...effects,
      clock: {
        ...clock,
        now() {
          const now = clock.now();
          readings.push(now - last);
          last = now;
          return now;
        },
        sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
      },
      random: {
        next: () => noted(numbers, random.next()),
        id: () => noted(ids, random.id()),
      },
      http: {
        async request(request) {
          // Room is taken at once: the order is that of asking.
          const at = heard.length;
          heard.push({
            request,
            failure: { kind: "network", message: "the run ended before the answer came" },
          });
          try {
            const response = await http.request(request);
            heard[at] = { request, response };
            return response;
          } catch (error) {
            if (isHttpFailure(error))
              heard[at] = { request, failure: { kind: error.kind, message: error.message } };
            else if (!request.signal.aborted)
              heard[at] = { request, failure: { kind: "error", message: String(error) } };
            throw error;
          }
        },
      },
      credentials: {
        ...credentials,
        async read(connection) {
          const credential = await credentials.read(connection);
          if (credential !== undefined && !seen.has(connection)) seen.set(connection, credential);
          return credential;
        },
      },
      platform: heardPlatform(platform, calls),
      sign: (make) => noted(signatures, sign(make)),
    },
    recording: (redact) => ({
      version: 1,
      clock: [...readings],
      ...(clock.timeZone === undefined ? {} : { timeZone: clock.timeZone }),
      random: [...numbers],
      ids: [...ids],
      credentials: Object.fromEntries([...seen].map(([name, credential]) => [name, masked(credential)])),
      http: heard.map((exchange) => recorded(exchange, redact, withNames(seen.values(), redact))),
      platform: redactedValue(calls, redact) as RecordedCall[],
      ...(signatures.length === 0 ? {} : { signatures: [...signatures] }),
    }),
  };
}

/** Only what isn't secret stays: when a token runs out decides what is sent. */
function masked(credential: Credential): Credential {
  return Object.fromEntries(
    Object.entries(credential).map(([name, value]) => [name, typeof value === "number" ? value : MASK]),
  ) as unknown as Credential;
}

/** Masks the names in credentials too: a replay doesn't have them, so it asks without. */
function withNames(credentials: Iterable<Credential>, redact: Redact): Redact {
  const names = createTracer({ now: () => 0, sleep: async () => undefined });
  for (const credential of credentials)
    for (const value of Object.values(credential)) if (typeof value === "string") names.secret(value);
  return (text) => names.redact(redact(text));
}

function recorded(exchange: Heard, redact: Redact, redactRequest: Redact): RecordedExchange {
  const { method, url, headers, body } = exchange.request;
  const request = {
    method,
    url: redactRequest(shownUrl(url)),
    headers: redactedHeaders(headers, redactRequest),
    ...(body === undefined ? {} : recordedText(body, redactRequest)),
  };
  if ("failure" in exchange) {
    const { kind, message } = exchange.failure;
    return { request, failure: { kind, message: redact(message) } };
  }
  const { response } = exchange;
  const recordedAnswer = recordedBody(response, redact);
  const carriesSecret = body !== undefined && redact(body) !== body;
  return {
    request,
    response: {
      status: response.status,
      headers: redactedHeaders(response.headers, redact),
      ...(carriesSecret ? withoutIssued(recordedAnswer) : recordedAnswer),
    },
  };
}

/** What an answer with a token says of it that isn't secret; texts beside these may be further tokens. */
const told = new Set(["token_type", "expires_in", "expires_at", "scope"]);

/** An answer to a request that had a secret in it: if it is one with a token, nothing else in it is kept either. */
function withoutIssued(answer: ReturnType<typeof recordedBody>): ReturnType<typeof recordedBody> {
  const { body } = answer;
  if (typeof body !== "object" || body === null || !("access_token" in body)) return answer;
  const members = Object.entries(body).map(([name, value]) => [
    name,
    told.has(name) || typeof value === "number" ? value : MASK,
  ]);
  return { body: Object.fromEntries(members) };
}

function redactedHeaders(headers: Readonly<Record<string, string>>, redact: Redact): Record<string, string> {
  return Object.fromEntries(
    Object.entries(shownHeaders(headers)).map(([name, value]) => [name, redact(value)]),
  );
}

function heardPlatform(platform: Platform, calls: RecordedCall[]): Platform {
  const heard = async <T>(call: RecordedCall["call"], resource: string, answer: Promise<T>): Promise<T> => {
    try {
      const result = await answer;
      calls.push({ call, resource, result });
      return result;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      calls.push({
        call,
        resource,
        error: message,
        ...(error instanceof RunError ? { kind: error.kind } : {}),
      });
      throw error;
    }
  };
  return {
    fields: (resource, signal) => heard("fields", resource, platform.fields(resource, signal)),
    upsert: (resource, item, options) => heard("upsert", resource, platform.upsert(resource, item, options)),
    sync: (resource, action, data, signal, key) =>
      heard("sync", resource, platform.sync(resource, action, data, signal, key)),
  };
}
