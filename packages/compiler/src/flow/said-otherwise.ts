import type { Expression } from "@configc/jq";
import { escapedPattern, memoize } from "@configc/jq/internal";
import type { StringNode } from "../parse/syntax-tree.ts";
import { singular } from "./nouns.ts";
import { wordsOf } from "./protocol/bound-names.ts";

type Postfix = Extract<Expression, { kind: "Postfix" }>;

/**
 * Whether a comment takes back what it says of a member: for an old version, or for what comes here.
 * “fee_cents is null until the visit is invoiced. The hook is only sent then.” It counts in a sentence that names the member, and in
 * the one behind it.
 */
export function isSaidOtherwise(name: string, comments: Iterable<Pick<StringNode, "value">>): boolean {
  let named: RegExp | undefined;
  for (const { value } of comments) {
    if (!value.includes(name) || !takesBack.test(value)) continue;
    named ??= new RegExp(`(?<![\\w-])${escapedPattern(name)}(?![\\w-])`);
    const sentences = sentencesOf(value);
    for (const [index, sentence] of sentences.entries())
      if (named.test(sentence) && (takesBack.test(sentence) || takesBack.test(sentences[index + 1] ?? "")))
        return true;
  }
  return false;
}

/** An edit leaves most comments as they are. */
const sentencesOf = memoize((comment: string): readonly string[] => comment.split(/(?<=[.;])\s+/), 100);

const old = String.raw`\b(?:until|before|up to|in|since) (?:version |v)\d|\b(?:until|before|since|up to) (?:19|20)\d\d\b|\b(?:formerly|used to|in the past|no longer)\b|\bold(?:er)? versions?\b|\bnow (?:it|they|there|is|are)\b`;
const things = `(?:events?|hooks?|webhooks?|deliver(?:y|ies)|payloads?|notices?|notifications?|calls?)`;
const here = String.raw`\bin (?:this|these|our) ${things}\b|\b${things}\b[^.;]{0,20}\bonly (?:sent|comes?|for|when|once|if|after)\b|\b${things} (?:is|are|comes?) (?:sent )?only\b|\b(?:regist\w+|subscrib\w+) (?:for|to) [\w.-]+ only\b|\b(?:regist\w+|subscrib\w+) only (?:for|to)\b|\bthe ${things} (?:has|have|sends?) \w+ (?:as|only)\b|\b${things} sends? forms?\b`;
const takesBack = new RegExp(`${old}|${here}`, "i");

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
