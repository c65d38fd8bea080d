import type { SyntaxNode } from "../parse/syntax-tree.ts";
import { documentedSample } from "./documented-samples.ts";
import { commentsAround } from "./documented-words.ts";
import type { TimeForm } from "./time-form.ts";

/** What comments say of how a service writes a signature (E261). */
export interface SignatureForm {
  /** What stands before it, such as `sha256=`. */
  readonly before: string | undefined;
  readonly letters: "lower" | "upper" | undefined;
}

/** `X-Signature: sha256=HEX`, `Acme-Mac is sha1=<hex>`: not of what goes on as `;sig=HEX`. */
const prefixed =
  /(?<![\w-])([A-Za-z][\w-]*)(?::| is| =| holds)\s+["`]?(\w+=)(?:HEX\b|<hex\w*>|hex\b|…|<signature>)(?!["`]?\s*[,;&]\s*\w+=)/g;
const lettered = /\bhex(?:adecimal)?\b[^.;]{0,30}?\b(upper|capital|lower)|\b(upper|lower)[- ]case hex\b/gi;

/** How a signature is written that a header has, by the comments around a place. */
export function documentedSignature(header: string, place: SyntaxNode): SignatureForm {
  const comments = commentsAround(place, []);
  const prefixes = new Set<string>();
  const letters = new Set<"lower" | "upper">();
  for (const { value } of comments) {
    for (const [, name, prefix] of value.matchAll(prefixed))
      if (name!.toLowerCase() === header) prefixes.add(prefix!);
    for (const [, behind, before] of value.matchAll(lettered))
      letters.add(/^lower$/i.test(behind ?? before!) ? "lower" : "upper");
  }
  return { before: only(prefixes), letters: only(letters) };
}

/** How the time is written that a header has, by the comments around a place. */
export function documentedTimeForm(header: string, place: SyntaxNode): TimeForm | undefined {
  const sample = documentedSample(header, place);
  if (sample === undefined) return undefined;
  if (typeof sample.value === "string") return "date";
  return sample.value > 1e11 ? "milliseconds" : "seconds";
}

/** The item of a set that has one. */
function only<T>(all: ReadonlySet<T>): T | undefined {
  const [first, ...others] = all;
  return others.length === 0 ? first : undefined;
}
