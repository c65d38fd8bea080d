import { type Json, parseExact } from "@configc/jq";
import { DescriptionError } from "../description.ts";
import { isObject, listOf, objectOf, textOf } from "./json.ts";
import type { SeenExchange } from "./traffic.ts";

/**
 * Reads the requests to APIs from a HAR file; pages, scripts and pictures are passed over.
 *
 * @param document a HAR file, parsed
 * @throws DescriptionError if it is none
 */
export function fromHar(document: unknown): SeenExchange[] {
  const { entries } = objectOf(objectOf(document)["log"]);
  if (!Array.isArray(entries)) throw new DescriptionError("This isn't a HAR file: it has no “log.entries”.");
  return entries.flatMap((entry, index) => exchangeOf(objectOf(entry), `log.entries[${index}]`));
}

function exchangeOf(
  { request: asked, response: answered }: Readonly<Record<string, unknown>>,
  source: string,
): SeenExchange[] {
  const request = objectOf(asked);
  const response = objectOf(answered);
  const url = textOf(request["url"]);
  const method = textOf(request["method"]).toUpperCase();
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || method === "OPTIONS") return [];
  const content = objectOf(response["content"]);
  const isJson = /\bjson\b/i.test(textOf(content["mimeType"]));
  const status = Number(response["status"]);
  const answer = isJson && status >= 200 && status < 300 ? jsonOf(content) : undefined;
  const body = bodyOf(objectOf(request["postData"]));
  // Pages, scripts and pictures of the site around the API.
  if (answer === undefined && body === undefined && (method === "GET" || method === "HEAD")) return [];
  return [
    {
      method,
      url,
      headers: headersOf(request["headers"]),
      ...(body === undefined ? {} : { body }),
      ...(answer === undefined ? {} : { answer }),
      source,
    },
  ];
}

function headersOf(value: unknown): Map<string, string> {
  return new Map(
    listOf(value)
      .map(objectOf)
      .map(({ name, value: text }) => [textOf(name).toLowerCase(), textOf(text)]),
  );
}

function jsonOf({ text, encoding }: Readonly<Record<string, unknown>>): Json | undefined {
  return parsed(encoding === "base64" ? decoded(textOf(text)) : textOf(text));
}

function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return "";
  }
}

function bodyOf({ mimeType, text, params }: Readonly<Record<string, unknown>>): SeenExchange["body"] {
  const type = textOf(mimeType);
  if (/\bjson\b/i.test(type)) {
    const value = parsed(textOf(text));
    return value === undefined ? undefined : { format: "json", value };
  }
  if (!/x-www-form-urlencoded/i.test(type)) return undefined;
  const pairs = Array.isArray(params)
    ? params.filter(isObject).map(({ name, value }) => [textOf(name), textOf(value)])
    : [...new URLSearchParams(textOf(text))];
  return { format: "form", value: Object.fromEntries(pairs) as Json };
}

function parsed(text: string): Json | undefined {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
