import { type Json, parseExact, printExact } from "@configc/runtime";

/** A row as text: exact numbers as they were written, at any depth. */
export function encodeRow(row: object): string {
  // Rows are JSON, although their interfaces don't say so.
  return printExact(row as Json);
}

/** The exact reader is slower; without a long run of digits there is nothing it could keep. */
export function decodeRow(text: string): unknown {
  return /\d{16}/.test(text) ? parseExact(text) : JSON.parse(text);
}
