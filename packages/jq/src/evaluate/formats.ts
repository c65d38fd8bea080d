import type { Json } from "../json.ts";
import type { Span } from "../syntax-tree.ts";
import { inChunks } from "./chunked-text.ts";
import {
  decodeBase32,
  decodeBase64,
  encodeBase32,
  encodeBase64,
  strictUtf8Text,
  utf8Bytes,
  utf8Text,
} from "./encodings.ts";
import { fail } from "./error.ts";
import { countMade, countSteps, bytes as sizes } from "./meter.ts";
import { described, isArray, isObject, jsonText, textOf, typeName } from "./values.ts";

/** Applies `@name` to a value. */
export function formatText(name: string, value: Json, span: Span): string {
  switch (name) {
    case "text":
      return textOf(value);
    case "json":
      return jsonText(value);
    case "html":
      return inChunks(textOf(value), (text) =>
        text.replace(/[<>&'"\0]/g, (character) => htmlEntities.get(character)!),
      );
    case "uri":
      return inChunks(textOf(value), percentEncode);
    case "urid":
      countBits(value);
      return percentDecode(textOf(value), span);
    case "csv":
      return row(
        value,
        "csv",
        ",",
        (text) => `"${inChunks(text, (piece) => piece.replaceAll('"', '""').replaceAll("\0", "\\0"))}"`,
        span,
      );
    case "tsv":
      return row(
        value,
        "tsv",
        "\t",
        (text) => inChunks(text, (piece) => piece.replace(/[\\\t\r\n\0]/g, (c) => tsvEscapes.get(c)!)),
        span,
      );
    case "sh":
      countCells(value);
      return (isArray(value) ? value : [value]).map((item) => shellWord(item, span)).join(" ");
    case "base64":
      countBits(value);
      return encodeBase64(utf8Bytes(textOf(value)));
    case "base64d":
      countBits(value);
      return base64Text(textOf(value), span);
    case "base32":
      countBits(value);
      return encodeBase32(utf8Bytes(textOf(value)));
    case "base32d": {
      countBits(value);
      const bytes = decodeBase32(textOf(value));
      if (bytes === undefined) return fail(`${described(textOf(value))} is not valid base32 data`, span);
      return utf8Text(bytes);
    }
    default:
      return fail(`${name} is not a valid format`, span);
  }
}

/** Two buffers are made for the smallest text. */
const STEPS_OF_BUFFERS = 50;
const BYTES_OF_BUFFERS = 400;

/** Encodings go over the bytes one by one and keep them in lists. */
function countBits(value: Json): void {
  const length = typeof value === "string" ? value.length : 0;
  countSteps(STEPS_OF_BUFFERS + length * 2);
  countMade(BYTES_OF_BUFFERS + length * sizes.item);
}

function countCells(value: Json): void {
  if (!isArray(value)) return;
  countSteps(value.length * 4);
  countMade(value.length * (sizes.item + 2 * sizes.text));
}

const htmlEntities: ReadonlyMap<string, string> = new Map([
  ["<", "&lt;"],
  [">", "&gt;"],
  ["&", "&amp;"],
  ["'", "&apos;"],
  ['"', "&quot;"],
  ["\0", "\\0"],
]);
const tsvEscapes: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["\t", "\\t"],
  ["\r", "\\r"],
  ["\n", "\\n"],
  ["\0", "\\0"],
]);

function percentEncode(text: string): string {
  return text.replace(/[^A-Za-z0-9\-_.~]+/g, (characters) =>
    Array.from(utf8Bytes(characters), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(
      "",
    ),
  );
}

function percentDecode(text: string, span: Span): string {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at)!;
    if (text[at] === "%") {
      const digits = text.slice(at + 1, at + 3);
      if (!/^[0-9A-Fa-f]{2}$/.test(digits))
        return fail(`${described(text)} is not a valid uri encoding`, span);
      bytes.push(Number.parseInt(digits, 16));
      at += 2;
    } else {
      bytes.push(...utf8Bytes(String.fromCodePoint(code)));
      if (code > 0xffff) at++;
    }
  }
  return (
    strictUtf8Text(new Uint8Array(bytes)) ?? fail(`${described(text)} is not a valid uri encoding`, span)
  );
}

function row(
  value: Json,
  name: string,
  separator: string,
  quote: (text: string) => string,
  span: Span,
): string {
  if (!isArray(value)) return fail(`${described(value)} cannot be ${name}-formatted, only array`, span);
  countCells(value);
  return value
    .map((item) => {
      if (item === null) return "";
      if (typeof item === "boolean") return String(item);
      if (typeName(item) === "number") return Number.isNaN(item) ? "" : jsonText(item);
      if (typeof item === "string") return quote(item);
      // jq says csv of both.
      return fail(`${described(item)} is not valid in a csv row`, span);
    })
    .join(separator);
}

function shellWord(value: Json, span: Span): string {
  if (typeof value === "string")
    return `'${inChunks(value, (text) => text.replaceAll("'", "'\\''").replaceAll("\0", "\\0"))}'`;
  if (isArray(value) || isObject(value))
    return fail(`${described(value)} can not be escaped for shell`, span);
  return jsonText(value);
}

function base64Text(text: string, span: Span): string {
  const bytes = decodeBase64(text);
  if (bytes === "trailing") return fail(`${described(text)} trailing base64 byte found`, span);
  if (bytes === undefined) return fail(`${described(text)} is not valid base64 data`, span);
  return utf8Text(bytes);
}
