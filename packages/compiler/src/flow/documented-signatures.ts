import { memoize } from "@configc/jq/internal";
import type { ObjectNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { documentedSample } from "./documented-samples.ts";
import { commentedBelow, commentsAround } from "./documented-words.ts";
import type { TimeForm } from "./time-form.ts";

/** What comments say of how a service writes a signature (E261). */
export interface SignatureForm {
  /** What stands before it in its header, such as `sha256=`, or `t=…,v1=`. */
  readonly before: string | undefined;
  readonly letters: "lower" | "upper" | undefined;
}

/** A sentence of a comment that shows a signature with something before it. */
interface Shown {
  readonly prefix: string;
  /** The headers that the sentence names, in lower case. */
  readonly headers: readonly string[];
  readonly isOfSigning: boolean;
}

/** A placeholder in brackets, `<hex HMAC of the raw body>`, `{hmac}`, a word, or the beginning of a sample. */
const hashWord = "(?:hex|base64|hmac|hash|digest|mac|signature|sig)";
const hash = String.raw`(?:[<{[](?:[\w-]+ ){0,4}?${hashWord}\w*(?:[ -][^<>{}[\]]{0,60})?[>}\]]|${hashWord}\b|…|[0-9a-f]{6,}(?:…|\.\.\.|\b))`;
const named = String.raw`(?:[\w-]+ ){0,5}?(?:hmac|hash|digest|mac|signature|hex)\b`;
/** How a prefix is shown before a signature. */
const shown = [
  // `X-Signature: sha256=HEX`, `alg=sha256;sig=HEX`
  String.raw`(?<![\w-])((?:\w+=[\w…<>]+[,;&]\s?){0,4}\w+[=:])["\`']?${hash}`,
  // `sha512= and the hex HMAC of the body`, `"sha256=" followed by the digest`
  String.raw`(?<![\w-])(\w+[=:])["\`']?(?:,| and| then| plus|, then| followed by| before| in front of)(?: then| followed by)? (?:the |its |a )?${named}`,
  // `the hex HMAC with sha256= in front of it`, `prefixed with "sha256="`
  String.raw`(?:\bprefix(?:ed)?(?: is| with| by)?|\bpreceded by|\b(?:begins|starts) with|\b(?:behind|after|following)) ["\`']?(\w+[=:])`,
  String.raw`\bwith ["\`']?(\w+[=:])["\`']? (?:in front|before)\b`,
].map((form) => new RegExp(form, "gi"));

const headerName = /(?<![\w-])(?:[A-Z][A-Za-z0-9]*(?:-[A-Z][A-Za-z0-9]*)+|[a-z]+(?:-[a-z0-9]+)+)(?![\w-])/g;
const isSigned = /\bsign|\bheader\b|\bhmac\b|\bdeliver/i;
/** What is said of a check of the URL is about its answer. */
const isAnswered = /\bchallenge|\banswer|\bback\b|\brepl(?:y|ie)|\brespon/i;
/** `isn't prefixed with sha256=`, `without the prefix sha256=` */
const isDenied = /(?:\b(?:not|never|no|without|no longer)|n't)(?: \w+){0,2} ?["'`]?$/i;
/** A header that has a signature by its name. */
const isProof = /sign|hmac|digest|hash|(?:^|-)(?:sig|mac)(?:$|-)/;
const lettered =
  /\bhex(?:adecimal)?\b[^.;]{0,30}?\b(upper|capital|lower)|\b(upper|lower)[- ]?case hex(?:adecimal)?\b|\b(capital)s? hex\b/gi;

const shownIn: (text: string) => readonly Shown[] = memoize(
  (text) =>
    !/[=:]/.test(text)
      ? []
      : text.split(/\.\s+(?=[A-Z])|;\s+(?!\w+=)/).flatMap((sentence) => {
          const [match, ...others] = shown.flatMap((form) => [...sentence.matchAll(form)]);
          const prefix = match?.[1];
          if (prefix === undefined || others.some(([, other]) => other !== prefix)) return [];
          // It goes on with further parts, whatever they are.
          const behind = sentence.slice(match!.index + match![0].length);
          if (/^["`]?\s*[,;&]\s*["`]?\w+=/.test(behind)) return [];
          if (isAnswered.test(sentence) || isDenied.test(sentence.slice(0, match!.index))) return [];
          const headers = (sentence.match(headerName) ?? [])
            .filter((name) => !/^(?:hmac|sha|hex|lower|upper|url)-/i.test(name))
            .map((name) => name.toLowerCase());
          return [{ prefix, headers, isOfSigning: isSigned.test(sentence) }];
        }),
  200,
);

/**
 * How a signature is written that a header has, by the comments around a place and below it.
 *
 * @param isOnly whether it is the only header with a signature that is read: what is said of signatures without a name is said of it
 */
export function documentedSignature(header: string, place: SyntaxNode, isOnly: boolean): SignatureForm {
  const prefixes = new Set<string>();
  const letters = new Set<"lower" | "upper">();
  for (const { value } of commentsAround(place, [...commentedBelow(place)])) {
    for (const { prefix, headers, isOfSigning } of shownIn(value)) {
      const isOfAny = isOnly && isOfSigning && !headers.some((name) => isProof.test(name));
      if (isOfAny || headers.includes(header)) prefixes.add(prefix);
    }
    for (const [, behind, before, capital] of value.matchAll(lettered))
      letters.add(/^lower$/i.test(behind ?? before ?? capital!) ? "lower" : "upper");
  }
  return { before: only(prefixes), letters: only(letters) };
}

/**
 * How the time is written that a header has, by the comments around a place and below it.
 *
 * @param also objects whose own comments count too, after those
 */
export function documentedTimeForm(
  header: string,
  place: SyntaxNode,
  also: readonly ObjectNode[],
): TimeForm | undefined {
  const sample = documentedSample(header, place, [...commentedBelow(place), ...also]);
  if (sample === undefined) return undefined;
  if (typeof sample.value === "string") return "date";
  return sample.value > 1e11 ? "milliseconds" : "seconds";
}

/** The item of a set that has one. */
function only<T>(all: ReadonlySet<T>): T | undefined {
  const [first, ...others] = all;
  return others.length === 0 ? first : undefined;
}
