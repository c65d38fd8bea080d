import type { Expression } from "@configc/jq";
import { escapedPattern, memoize } from "@configc/jq/internal";
import type { StringNode } from "../../parse/syntax-tree.ts";
import { singular } from "../nouns.ts";
import { wordsOf } from "../protocol/bound-names.ts";
import { isOfThePast } from "./of-others.ts";

type Postfix = Extract<Expression, { kind: "Postfix" }>;

/**
 * Whether a comment takes back what it says of a member: for an old version, or for what comes here.
 * “fee_cents is null until the visit is invoiced. The hook is only sent then.” It counts in a sentence that names the member, and in
 * the one behind it.
 */
export function isSaidOtherwise(name: string, comments: Iterable<Pick<StringNode, "value">>): boolean {
  let named: RegExp | undefined;
  for (const { value } of comments) {
    if (!value.includes(name) || !takesBack(value)) continue;
    named ??= new RegExp(`(?<![\\w-])${escapedPattern(name)}(?![\\w-])`);
    const sentences = sentencesOf(value);
    for (const [index, sentence] of sentences.entries())
      if (named.test(sentence) && (takesBack(sentence) || takesBack(sentences[index + 1] ?? ""))) return true;
  }
  return false;
}

/** An edit leaves most comments as they are. */
const sentencesOf = memoize((comment: string): readonly string[] => comment.split(/(?<=[.;])\s+/), 100);

const things = `(?:events?|hooks?|webhooks?|deliver(?:y|ies)|payloads?|notices?|notifications?|calls?)`;
const here = String.raw`\bin (?:this|these|our) ${things}\b|\b${things}\b[^.;]{0,20}\bonly (?:sent|comes?|for|when|once|if|after)\b|\b${things} (?:is|are|comes?) (?:sent )?only\b|\b(?:regist\w+|subscrib\w+) (?:for|to) [\w.-]+ only\b|\b(?:regist\w+|subscrib\w+) only (?:for|to)\b|\bthe ${things} (?:has|have|sends?) \w+ (?:as|only)\b|\b${things} sends? forms?\b`;
const ofWhatComes = new RegExp(here, "i");
const takesBack = (text: string): boolean => isOfThePast(text) || ofWhatComes.test(text);

/**
 * Whether a comment says it of the member of something else than what a program reads it of: `A line's fee_cents is null …`, and the program reads
 * `.total.fee_cents`.
 */
export function isSaidOfOtherOwner(
  { suffixes }: Postfix,
  name: string,
  { value }: Pick<StringNode, "value">,
): boolean {
  if (!value.includes("'s ")) return false;
  const names = suffixes.flatMap((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? [suffix.key.text] : [],
  );
  const owner = names[names.indexOf(name) - 1];
  const said = [
    ...value.matchAll(new RegExp(`\\b([A-Za-z]\\w*)'s ${escapedPattern(name)}(?![\\w-])`, "g")),
  ].map(([, word]) => singular(word!.toLowerCase()));
  return owner !== undefined && said[0] !== undefined && said[0] !== singular(wordsOf(owner).at(-1) ?? "");
}
