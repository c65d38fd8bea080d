import type { Json } from "@configc/jq";
import { decode } from "../http/response.ts";
import { parseJson, setOwn } from "../json.ts";

/** A request to a webhook's URL, as the host received it. */
export interface WebhookRequest {
  /** The unguessable id in the URL. */
  readonly hook: string;
  readonly method: string;
  /** Names in lower case; several of one name joined by a comma and a blank. */
  readonly headers: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly query?: string;
  readonly body: Uint8Array;
}

/**
 * D16: what `verification` takes. `raw_body` is the text that signatures are made of, `query_params` another name of `query`
 * (D45).
 */
export function verificationInput(request: WebhookRequest): Json {
  const { headers, query, body } = numberInput(request);
  return {
    method: request.method.toUpperCase(),
    headers,
    query,
    query_params: query,
    body,
    // Signatures are made of every byte.
    raw_body: decode(request.body, request.headers["content-type"] ?? "", true),
  };
}

/** D51: what `delivery_id` takes. */
export function numberInput(request: WebhookRequest): Readonly<Record<"headers" | "query" | "body", Json>> {
  const headers: Record<string, Json> = {};
  for (const [name, value] of Object.entries(request.headers)) setOwn(headers, name, value);
  return { headers, query: fieldsOf(request.query ?? ""), body: readPayload(request) ?? null };
}

/** The payload of a delivery: a JSON or form-encoded body (D31); undefined if it is neither. */
export function readPayload({ headers, body }: WebhookRequest): Json | undefined {
  const contentType = headers["content-type"] ?? "";
  return payloadOf(decode(body, contentType), contentType);
}

function payloadOf(text: string, contentType: string): Json | undefined {
  if (/^\s*application\/x-www-form-urlencoded\b/i.test(contentType)) return fieldsOf(text);
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Fields of a form or a query; one that comes several times is a list. */
function fieldsOf(text: string): Json {
  const fields = new Map<string, Json>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name);
    fields.set(
      name,
      before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value],
    );
  }
  const object: Record<string, Json> = {};
  for (const [name, value] of fields) setOwn(object, name, value);
  return object;
}
