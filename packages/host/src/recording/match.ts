import { type HttpRequest, parseExact } from "@configc/runtime";
import { MASK, shownUrl } from "@configc/runtime/internal";
import { textOf } from "./body.ts";
import type { RecordedRequest } from "./recording.ts";
import { isMasked } from "./redact.ts";
import { sameValue } from "./same-value.ts";

/** What tells two requests apart, the weightiest first: `[place, sent, recorded]`. Empty if they are the same. */
export function differences(sent: HttpRequest, recorded: RecordedRequest): [string, string, string][] {
  const found: [string, string, string][] = [];
  const compare = (place: string, a: string | undefined, b: string | undefined): void => {
    if (a !== b) found.push([place, a ?? "(nothing)", b ?? "(nothing)"]);
  };
  compare("method", sent.method, (recorded.method ?? "GET").toUpperCase());
  const [here, there] = [partsOf(shownUrl(sent.url)), partsOf(shownUrl(recorded.url))];
  compare("URL", here.base, there.base);
  for (const name of new Set([...here.query.keys(), ...there.query.keys()]))
    compare(`parameter ${name}`, here.query.get(name)?.join(", "), there.query.get(name)?.join(", "));
  for (const [name, value] of Object.entries(recorded.headers ?? {}))
    if (!isMasked(value)) compare(`header ${name}`, sent.headers[name.toLowerCase()], value);
  const body = textOf(recorded);
  const anyBody = body === undefined && recorded.headers === undefined;
  if (!anyBody && !sameBody(sent.body, body)) compare("body", sent.body, body);
  return found;
}

interface Parts {
  readonly base: string;
  readonly query: ReadonlyMap<string, readonly string[]>;
}

/** The order of parameters doesn't matter, that of values of one parameter does. */
function partsOf(url: string): Parts {
  const [base = "", search = ""] = unmasked(url).split(/\?(.*)/s, 2);
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(search))
    query.set(name, [...(query.get(name) ?? []), value]);
  return { base, query };
}

/** A masked secret that was sent again is encoded as any text. */
function unmasked(text: string): string {
  return text.replace(/%5Bsecret%5D/gi, "[secret]");
}

/** Anything may stand where a secret was masked, such as the id of the client, which the file doesn't have. */
function fits(sent: string, recorded: string): boolean {
  const [first = "", ...rest] = recorded.split(MASK);
  const last = rest.pop() ?? "";
  if (!sent.startsWith(first) || !sent.endsWith(last) || sent.length < first.length + last.length)
    return false;
  let at = first.length;
  const end = sent.length - last.length;
  for (const piece of rest) {
    const found = sent.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

function sameBody(sent: string | undefined, recorded: string | undefined): boolean {
  if (sent === recorded) return true;
  if (sent === undefined || recorded === undefined) return false;
  const [here, there] = [unmasked(sent), unmasked(recorded)];
  if (here === there || (isMasked(there) && fits(here, there))) return true;
  try {
    return sameValue(parseExact(here), parseExact(there));
  } catch {
    return false;
  }
}
