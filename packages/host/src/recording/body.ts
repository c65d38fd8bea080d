import { type HttpResponse, type Json, printExact } from "@configc/runtime";
import type { RecordedRequest, RecordedResponse } from "./recording.ts";

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
  redact: (text: string) => string,
): Pick<RecordedResponse, "body" | "text" | "base64"> {
  if (body.length === 0) return {};
  const text = decode(body, headers["content-type"] ?? "");
  if (text === undefined) return { base64: inBase64(body) };
  return asJson(redact(text)) ?? { text: redact(text) };
}

function inBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** `{body}` if writing it again gives the same text. */
export function asJson(text: string): { readonly body: unknown } | undefined {
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
