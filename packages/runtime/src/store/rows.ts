import { type Json, parseExact } from "@configc/jq";
import { jsonText } from "../json.ts";

/** A row as text that every database keeps: exact numbers as they were written, at any depth, and nothing that isn't Unicode. */
export function encodeRow(row: object): string {
  // Rows are JSON, although their interfaces don't say so.
  return jsonText(row as Json).replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}

/** The exact reader is slower; without a long run of digits there is nothing it could keep. */
export function decodeRow(text: string): unknown {
  return /\d{16}/.test(text) ? parseExact(text) : JSON.parse(text);
}
