import type { Json } from "@configc/jq";
import { decode } from "../http/response.ts";
import { parseCost, parseJson, setOwn } from "../json.ts";
import type { Room } from "../memory/memory.ts";

/** A request to a webhook's URL, as the host received it. */
export interface WebhookRequest {
  /** The unguessable id in the URL. */
  readonly hook: string;
  readonly method: string;
  /** Names in lower case; several of one name joined by a comma and a blank. */
  readonly headers: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly query?: string;
  /** A function is called when it is clear that somebody wants the body: nobody else can make the host read one. */
  readonly body: Uint8Array | (() => Promise<Uint8Array>);
}

/** A request whose body was read. */
export interface ReadRequest extends WebhookRequest {
  readonly body: Uint8Array;
  /** A JSON or form-encoded body (D31); undefined if it is neither. */
  readonly payload: Json | undefined;
}

/**
 * Reads the body of a request, and what it says.
 *
 * @param room is taken for the body's text, twice, for its value, and for the text that it is kept as
 * @throws MemoryFailure; what the body's function throws
 */
export async function readRequest(
  request: WebhookRequest,
  room: Room | undefined,
  signal: AbortSignal,
): Promise<ReadRequest> {
  const body = typeof request.body === "function" ? await request.body() : request.body;
  const contentType = request.headers["content-type"] ?? "";
  await room?.take(8 * body.length, signal);
  const text = decode(body, contentType);
  if (room !== undefined) await room.take(isForm(contentType) ? formCost(text) : parseCost(text), signal);
  return { ...request, body, payload: payloadOf(text, contentType) };
}

/**
 * D16: what `verification` takes. `raw_body` is the text that signatures are made of, `query_params` another name of `query`
 * (D45).
 */
export function verificationInput(request: ReadRequest): Json {
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
export function numberInput(request: ReadRequest): Readonly<Record<"headers" | "query" | "body", Json>> {
  const headers: Record<string, Json> = {};
  for (const [name, value] of Object.entries(request.headers)) setOwn(headers, name, value);
  return { headers, query: fieldsOf(request.query ?? ""), body: request.payload ?? null };
}

function payloadOf(text: string, contentType: string): Json | undefined {
  if (isForm(contentType)) return fieldsOf(text);
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function isForm(contentType: string): boolean {
  return /^\s*application\/x-www-form-urlencoded\b/i.test(contentType);
}

/** Bytes of memory for the fields of a form: name, value, and places in the tables that they go through. */
const FIELD = 300;

function formCost(text: string): number {
  let fields = 1;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) fields++;
  return FIELD * fields + 4 * text.length;
}

/** Fields of a form or a query; one that comes several times is a list. */
function fieldsOf(text: string): Json {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name);
    if (before === undefined) fields.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else fields.set(name, [before, value]);
  }
  const object: Record<string, Json> = {};
  for (const [name, value] of fields) setOwn(object, name, value);
  return object;
}
