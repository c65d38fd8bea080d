import type { ParameterMeaning } from "@configc/compiler";
import type { Indicator } from "../protocol/protocol.ts";
import type { KnownParameter } from "./known-api.ts";

/** What a document's description of a parameter says that it is, where it says it in the usual words. */
export function meaningOf({ text, isTime }: KnownParameter): ParameterMeaning | undefined {
  const said = firstSentence(text);
  if (isTime) {
    if (/\bas (?:of|it was)\b|\bsnapshot\b/i.test(said)) return "as-of";
    if (/\b(?:before|until|up to|earlier than|older than|less than|ends?|latest)\b|<=?/i.test(said))
      return "to";
    return /\b(?:since|after|from|newer than|later than|greater than|starts?|earliest|minimum)\b|>=?/i.test(
      said,
    )
      ? "from"
      : undefined;
  }
  if (/\b(?:page[- ](?:token|cursor)|cursor|continuation|opaque|next[- ]token)\b/i.test(said))
    return "cursor";
  if (
    /\b(?:page size|size of (?:a|the|each) page|(?:per|on each|on a|in a) page|maximum number of|max(?:imum)? (?:results|records|items)|how many \w+ (?:to|are) return)/i.test(
      said,
    )
  )
    return "size";
  if (/\bmany pages\b|\bpages to skip\b/i.test(said)) return "page";
  if (
    /\b(?:number of \w+ to skip|(?:\w+ )?(?:are|is|to be) skipped|\w+ to skip|skip)\b|\boffset\b|\bindex of the first\b/i.test(
      said,
    )
  )
    return "offset";
  if (/\bid of the last\b|\bafter (?:this|the) (?:id|\w+ with)/i.test(said)) return "after";
  if (/\b(?:page number|number of (?:a|the) page|which page|page to (?:return|get|fetch|read))\b/i.test(said))
    return "page";
  return undefined;
}

/** Whether a bound takes in what lies on it; undefined where the document doesn't say. */
export function boundOf({ text }: KnownParameter): boolean | undefined {
  if (/\binclusive\b|\bor equal\b|\b(?:at|on) or (?:after|later)\b|>=|≥/i.test(text)) return true;
  return /\bexclusive\b|\bstrictly\b|\b(?:later|greater|newer) than\b/i.test(text) ? false : undefined;
}

/** What a document's description of a member beside the list says that it says of the paging. */
export function saidIn(text: string): Indicator["says"] | undefined {
  const said = firstSentence(text);
  if (
    /\b(?:total )?number of pages\b|\bhow many pages\b|\bpage count\b|\btotal pages\b|\bnumber of the last page\b|\blast page number\b/i.test(
      said,
    )
  )
    return "pages";
  if (/\bnumber of (?:this|the current) page\b|\bcurrent page\b/i.test(said)) return "page";
  if (/\b(?:on|in|of) (?:this|the|each) page\b|\bpage size\b|\bper page\b/i.test(said)) return "size";
  if (/\btotal (?:number|count)\b|\bhow many (?:\w+ )?(?:there are|match)\b|\bnumber of all\b/i.test(said))
    return "count";
  if (/\b(?:is|whether this is) the last page\b|\bno more\b|\bnothing more\b/i.test(said)) return "last";
  return /\bwhether there (?:are|is) (?:more|further|another)\b|\bmore (?:results|records|items|pages) (?:are|is) (?:available|left)\b|\bthere (?:are|is) more\b/i.test(
    said,
  )
    ? "more"
    : undefined;
}

/** What comes later are examples, limits and exceptions. Of a link only its words count. */
function firstSentence(whole: string): string {
  const text = whole.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return /^[\s\S]{0,300}?[.;\n]/.exec(text)?.[0] ?? text.slice(0, 300);
}
