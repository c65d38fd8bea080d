import type { Json } from "@configc/jq";
import { isObject } from "@configc/jq/internal";
import type { PayloadSample, Sample } from "../options/samples.ts";

/** A sample file as it was read: its samples, or what is wrong with it. */
export type ReadSamples =
  | { readonly samples: readonly Sample[]; readonly payloads: readonly PayloadSample[] }
  /** A sentence for people, without the file's name. */
  | { readonly problem: string };

/**
 * Reads the content of a sample file: one exchange `{request: {method, url | path}, response: {status, body}}`, one delivery
 * `{webhook, payload}`, a list of these, or a recording of `configc run --record`, whose `http` is such a list. Requests
 * without an answer are left out.
 *
 * @param name of the file, for messages
 * @param content the parsed JSON
 */
export function readSamples(name: string, content: unknown): ReadSamples {
  const list = Array.isArray(content) ? content : isObject(content) ? listOf(content) : undefined;
  if (list === undefined)
    return {
      problem:
        "expected {request: {method, path}, response: {status, body}}, {webhook, payload}, a list of these, or a recording",
    };
  const samples: Sample[] = [];
  const payloads: PayloadSample[] = [];
  for (const [index, each] of list.entries()) {
    const called = list.length === 1 ? name : `${name} (${index + 1})`;
    const read = isDelivery(each) ? payloadOf(called, each) : sampleOf(called, each);
    if (typeof read === "string")
      return { problem: list.length === 1 ? read : `sample ${index + 1}: ${read}` };
    if (read !== undefined) "webhook" in read ? payloads.push(read) : samples.push(read);
  }
  return { samples, payloads };
}

function listOf(content: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  if (Array.isArray(content["http"])) return content["http"];
  return Object.hasOwn(content, "request") || isDelivery(content) ? [content] : undefined;
}

function isDelivery(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && Object.hasOwn(value, "webhook");
}

function payloadOf(
  name: string,
  { webhook, payload, numbered }: Readonly<Record<string, unknown>>,
): PayloadSample | string {
  if (typeof webhook !== "string" || webhook === "") return "its `webhook` isn't the name of an intake";
  if (payload === undefined) return "it has no `payload`";
  if (numbered !== undefined && typeof numbered !== "boolean") return "its `numbered` isn't true or false";
  return { name, webhook, payload: payload as Json, ...(numbered === undefined ? {} : { numbered }) };
}

/** @returns a text that says what is wrong; undefined for a request that got no answer */
function sampleOf(name: string, exchange: unknown): Sample | string | undefined {
  const request = isObject(exchange) ? exchange["request"] : undefined;
  if (!isObject(exchange) || !isObject(request)) return "its `request` isn't an object";
  const url = request["url"] ?? request["path"];
  if (typeof url !== "string" || url === "") return "its `request` has no `url` or `path`";
  const method = request["method"] ?? "GET";
  if (typeof method !== "string") return "the `method` of its `request` isn't a string";
  if (exchange["failure"] !== undefined) return undefined;
  const response = exchange["response"];
  if (!isObject(response)) return "its `response` isn't an object";
  const { status = 200, body, text } = response;
  if (typeof status !== "number") return "the `status` of its `response` isn't a number";
  // What isn't text has no type that anything could be read of.
  if (Object.hasOwn(response, "base64")) return undefined;
  return {
    name,
    method: method.toUpperCase(),
    url: /^[a-z][a-z\d+.-]*:\/\//i.test(url) || url.startsWith("/") ? url : `/${url}`,
    status,
    body: (body ?? (typeof text === "string" ? jsonOr(text) : null)) as Json,
  };
}

/** JSON that isn't written as its own `body` in a recording, because writing it again would give other bytes. */
function jsonOr(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
