import {
  type Credential,
  type Effects,
  type HttpRequest,
  type HttpResponse,
  isHttpFailure,
  type Platform,
  shownHeaders,
  shownUrl,
} from "@configc/runtime";
import { asJson, recordedBody } from "./body.ts";
import type { RecordedCall, RecordedExchange, Recording } from "./recording.ts";

export interface Recorder {
  /** To run with: they do what the given ones do. */
  readonly effects: Effects;
  /** @param redact masks secrets (`tracer.redact`), once the run is over and all of them are known */
  recording(redact: (text: string) => string): Recording;
}

type Heard =
  | { readonly request: HttpRequest; readonly response: HttpResponse }
  | { readonly request: HttpRequest; readonly failure: { readonly kind: string; readonly message: string } };

/** Stands between a run and its effects, and writes down what it is told. */
export function record(effects: Effects): Recorder {
  const { clock, random, http, credentials, platform } = effects;
  const readings: number[] = [];
  const numbers: number[] = [];
  const ids: string[] = [];
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
    },
    recording: (redact) => ({
      version: 1,
      clock: readings,
      ...(clock.timeZone === undefined ? {} : { timeZone: clock.timeZone }),
      random: numbers,
      ids,
      credentials: Object.fromEntries([...seen].map(([name, credential]) => [name, masked(credential)])),
      http: heard.map((exchange) => recorded(exchange, redact)),
      platform: redactedValue(calls, redact) as RecordedCall[],
    }),
  };
}

/** Only what isn't secret stays: when a token runs out decides what is sent. */
function masked(credential: Credential): Credential {
  return Object.fromEntries(
    Object.entries(credential).map(([name, value]) => [name, typeof value === "number" ? value : MASK]),
  ) as unknown as Credential;
}

/** As the runtime's redaction writes it, so that a replay sends what was recorded. */
const MASK = "[secret]";

function recorded(exchange: Heard, redact: (text: string) => string): RecordedExchange {
  const { method, url, headers, body } = exchange.request;
  const sent = body === undefined ? undefined : redact(body);
  const request = {
    method,
    url: redact(shownUrl(url)),
    headers: redactedHeaders(headers, redact),
    ...(sent === undefined ? {} : (asJson(sent) ?? { text: sent })),
  };
  if ("failure" in exchange) {
    const { kind, message } = exchange.failure;
    return { request, failure: { kind, message: redact(message) } };
  }
  const { response } = exchange;
  return {
    request,
    response: {
      status: response.status,
      headers: redactedHeaders(response.headers, redact),
      ...recordedBody(response, redact),
    },
  };
}

function redactedHeaders(
  headers: Readonly<Record<string, string>>,
  redact: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(shownHeaders(headers)).map(([name, value]) => [name, redact(value)]),
  );
}

function redactedValue(value: unknown, redact: (text: string) => string): unknown {
  return JSON.parse(redact(JSON.stringify(value)));
}

function heardPlatform(platform: Platform, calls: RecordedCall[]): Platform {
  const heard = async <T>(call: RecordedCall["call"], resource: string, answer: Promise<T>): Promise<T> => {
    try {
      const result = await answer;
      calls.push({ call, resource, result });
      return result;
    } catch (error) {
      calls.push({ call, resource, error: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  };
  return {
    fields: (resource, signal) => heard("fields", resource, platform.fields(resource, signal)),
    upsert: (resource, item, options) => heard("upsert", resource, platform.upsert(resource, item, options)),
    sync: (resource, action, data, signal) =>
      heard("sync", resource, platform.sync(resource, action, data, signal)),
  };
}
