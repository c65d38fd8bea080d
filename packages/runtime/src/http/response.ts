import type { Json } from "@configc/jq";
import type { HttpResponse } from "../effects.ts";
import { HttpFailure } from "../http-failure.ts";
import { isObject, parseJson } from "../json.ts";

/**
 * D20: an object is the value itself, with a hidden `body` that gives the whole object where it has no such member; any other
 * body gives `{body}`.
 *
 * Hidden is what isn't enumerable: jq and expansions read an own member by name, but don't list, compare or print it.
 */
export function responseValue(body: Json): Json {
  if (!isObject(body)) return { body };
  if (!Object.hasOwn(body, "body")) {
    Object.defineProperty(body, "body", {
      value: body,
      enumerable: false,
      configurable: true,
      writable: true,
    });
  }
  return body;
}

/**
 * The body as JSON if it is, else as text; `null` if it is empty.
 *
 * @throws HttpFailure `network` if it says that it is JSON and breaks off in the middle (E19)
 */
export function readBody({ headers, body }: Pick<HttpResponse, "headers" | "body">): Json {
  const contentType = headers["content-type"] ?? "";
  return bodyValue(decode(body, contentType), contentType);
}

/** The same of its text. */
export function bodyValue(text: string, contentType: string): Json {
  if (text === "") return null;
  if (!mayBeJson(contentType, text)) return text;
  try {
    return parseJson(text);
  } catch {
    if (/[/+]json\b/i.test(contentType) && breaksOff(text))
      throw new HttpFailure("network", "the answer is JSON that breaks off in the middle");
    return text;
  }
}

/** Whether a text begins as an object or array and ends before that does. What comes after its end says nothing of it. */
function breaksOff(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case "[":
      case "{":
        depth++;
        break;
      case "]":
      case "}":
        if (--depth === 0) return false;
    }
  }
  return true;
}

/** @returns the place of the quote that ends the string which begins at `start`, or one behind the text */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** Servers call JSON by many names, HTML too: an object or array is one whatever they say (D20), anything else where they say so. */
export function mayBeJson(contentType: string, text: string): boolean {
  return contentType === "" || /[/+]json\b/i.test(contentType) || /^\s*[[{]/.test(text);
}

/**
 * Text of a body, in the encoding that its byte order mark tells, or else its content type names.
 *
 * @param ignoreBOM keeps a byte order mark in the text; by default it is left out
 */
export function decode(body: Uint8Array, contentType: string, ignoreBOM = false): string {
  const [, named = "utf-8"] = /charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType) ?? [];
  const charset = markedEncoding(body) ?? named;
  // Nearly all are; to make a decoder costs more than to decode a page.
  if (charset.toLowerCase() === "utf-8" && !ignoreBOM) return usual.decode(body);
  try {
    return new TextDecoder(charset, { ignoreBOM }).decode(body);
  } catch {
    return new TextDecoder("utf-8", { ignoreBOM }).decode(body);
  }
}

const usual = new TextDecoder("utf-8");

/** As in browsers, what the bytes say goes before what is said of them. */
function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : undefined;
}
