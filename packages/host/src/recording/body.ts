import { type HttpResponse, type Json, printExact } from "@configc/runtime";
import { redactedValue } from "@configc/runtime/internal";
import type { RecordedRequest, RecordedResponse } from "./recording.ts";
import type { Redact } from "./redact.ts";

/** The bytes of a recorded body. */
export function bytesOf({ body, text, base64 }: RecordedResponse): Uint8Array {
  if (base64 !== undefined) return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new TextEncoder().encode(text ?? (body === undefined ? "" : printExact(body as Json)));
}

/** The text of a recorded request's body; undefined if it has none, or one that doesn't matter. */
export function textOf({ body, text }: RecordedRequest): string | undefined {
  return text ?? (body === undefined ? undefined : printExact(body as Json));
}

/** A response's body as it is recorded: as JSON where that says the same, byte by byte. */
export function recordedBody(
  { headers, body }: Pick<HttpResponse, "headers" | "body">,
  redact: Redact,
): Pick<RecordedResponse, "body" | "text" | "base64"> {
  if (body.length === 0) return {};
  const text = decode(body, headers["content-type"] ?? "");
  if (text === undefined) return { base64: inBase64(redactedBytes(body, redact)) };
  return recordedText(text, redact);
}

/** A text as it is recorded. In JSON, secrets are masked in its strings, so that it stays JSON. */
export function recordedText(
  text: string,
  redact: Redact,
): { readonly body: unknown } | { readonly text: string } {
  const json = asJson(text);
  return json === undefined ? { text: redact(text) } : { body: redactedValue(json.body, redact) };
}

/** Each byte is taken for a letter, as secrets mostly are; those of two bytes a letter have zeros in between. */
function redactedBytes(bytes: Uint8Array, redact: Redact): Uint8Array {
  const letters = lettersOf(bytes);
  const sparse = letters.replaceAll("\0", "");
  if (redact(sparse) !== sparse && redact(letters) === letters)
    return new TextEncoder().encode(redact(sparse));
  const safe = redact(letters);
  return safe === letters ? bytes : Uint8Array.from(safe, (letter) => letter.charCodeAt(0));
}

function lettersOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

function inBase64(bytes: Uint8Array): string {
  return btoa(lettersOf(bytes));
}

/** `{body}` if writing it again gives the same text. */
function asJson(text: string): { readonly body: unknown } | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return JSON.stringify(body) === text ? { body } : undefined;
  } catch {
    return undefined;
  }
}

function decode(body: Uint8Array, contentType: string): string | undefined {
  const [, charset = "utf-8"] = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? [];
  // Only what is written in the same bytes again can stand as text.
  if (!/^utf-?8$/i.test(charset) && body.some((byte) => byte > 127)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}
