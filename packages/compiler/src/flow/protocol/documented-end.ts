import { escapedPattern, memoize } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { partOfUnit } from "../../bind/unit-part.ts";
import type { SyntaxNode } from "../../parse/syntax-tree.ts";
import { commentsAround, hasComments } from "../documented-words.ts";

/** What a comment says stands for a token where there is no further page, and how it calls the token. */
interface SaidEnd {
  readonly names: readonly string[];
  readonly end: null | "";
}

const isOfEnd =
  /\b(?:(?:last|final) (?:page|one)|(?:on|in|with) the (?:last|final)(?=[\s)"'`]*(?:[.,:]|$))|no (?:more|further|other|next) (?:page|one|result|record|entr)\w*|nothing (?:more|further|follows|is left)|(?:at|on|in) (?:either|both) ends?\b|(?:at|means|marks|says|is) the end\b|(?:all|everything) (?:is|was|has been) read)/i;
/** What is missing is null to a program. */
const saysNull =
  /\bnull\b|\b(?:is|are|be|then) (?:missing|absent|left out|omitted)\b|\bno (?=next_?\w+|\w+_?(?:token|cursor)\b)/i;
const saysEmpty = /\bempty\b(?! (?:list|page|array|result|answer))|""|\bblank\b/i;
const saysNot = /\b(?:never|not|isn't) (?:null|empty|an empty)/i;
const names =
  /(?<![\w$])(?:next|end)(?:_?(?:cursor|token|page|page_?token|link|url|marker))?\b|\bcontinuation_?token\b|\b(?:page )?(?:token|cursor|marker)\b/gi;

/** A mark of an answer, whatever its name. */
const owned =
  /\b(?:answer|page|response|list|part|batch)(?:'s|’s|s'|s’) ["'`]?(\w+)|["'`](\w+)["'`] of (?:each|every|an|the) (?:answer|page|response)/i;

/** An edit leaves most comments as they are. */
const endsIn: (text: string) => readonly SaidEnd[] = memoize(
  (text) =>
    text.split(/[.;]\s+/).flatMap((sentence) => {
      if (!isOfEnd.test(sentence) || saysNot.test(sentence)) return [];
      const [isNull, isEmpty] = [saysNull.test(sentence), saysEmpty.test(sentence)];
      if (isNull === isEmpty) return [];
      // “Each answer's mark leads on, and is null in the last one.”
      const [, own] = owned.exec(sentence) ?? [];
      const called = sentence.match(names) ?? (own === undefined ? [] : [own]);
      return [{ names: called, end: isNull ? null : "" }];
    }),
  500,
);

/**
 * What stands for a token behind the last page by the comments around a request, of a token that the intake's programs read; undefined where
 * they say nothing, or both.
 */
export function documentedEnd(intake: IntakeSymbol, place: SyntaxNode, model: Model): null | "" | undefined {
  if (!hasComments(model)) return undefined;
  const { api } = model;
  const said = commentsAround(place, api === undefined ? [] : [api.node]).flatMap(({ value }) =>
    endsIn(value),
  );
  if (said.length === 0) return undefined;
  const texts = partOfUnit(intake, model).programs.map(({ node }) => node.value);
  const ends = new Set(
    said.flatMap(({ names: called, end }) =>
      called.some((name) => texts.some((text) => isRead(name, text))) ? [end] : [],
    ),
  );
  const [end] = ends;
  return ends.size === 1 ? end : undefined;
}

/** `.next_page_token` and `.page.nextToken` for `next_page_token`, `nextToken` or `token`. */
const isRead = (name: string, text: string): boolean =>
  /(?:^|[^_a-z])(?:token|cursor|marker)$/i.test(name)
    ? /\.\w*(?:token|cursor|marker)\b/i.test(text)
    : new RegExp(String.raw`\.${escapedPattern(name)}(?!\w)`, "i").test(text);
