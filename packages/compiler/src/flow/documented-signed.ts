import { memoize } from "@configc/jq/internal";
import type { StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { commentedBelow, commentsAround } from "./documented-words.ts";

/** A part of what is signed, as a comment names it. */
export type SignedPart =
  | { readonly kind: "body" }
  /** A line feed, a full stop: the character, if it is known. */
  | { readonly kind: "separator"; readonly character: string | undefined }
  | { readonly kind: "value"; readonly text: string; readonly words: readonly string[] };

/** What a comment says is signed, in its order (E261): `the hex HMAC-SHA256 of nonce, line feed, raw body`. */
export interface DocumentedSigned {
  readonly parts: readonly SignedPart[];
  readonly text: string;
  readonly comment: StringNode;
}

/** What the comments around a place and below it say is signed; undefined where they say nothing, or two things. */
export function documentedSigned(place: SyntaxNode): DocumentedSigned | undefined {
  const found = commentsAround(place, [...commentedBelow(place)]).flatMap((comment) =>
    signedIn(comment.value).map((each) => ({ ...each, comment })),
  );
  const [first] = found;
  return first !== undefined && found.every(({ text }) => text === first.text) ? first : undefined;
}

const hash = String.raw`\b(?:hmac|mac|hash|digest|signature|sha-?\d{1,3})\b[\w-]*`;
const aside = `(?:,? (?:keyed |made |taken )?(?:with|under|by|in) [^,;.]{1,60},)?`;
const list = new RegExp(
  `${hash}(?: (?:value|digest|signature|sum))?${aside} (?:over|of) (?:the (?:text|string|bytes) )?([^;()]{3,160})`,
  "gi",
);
/** What follows the list. */
const behind =
  /(?:,| and)? *(?<![\w-])(?:keyed|under|using|signed|made|encoded|hashed|computed|written|joined|glued|concatenated|separated|with|without|as|in|by|at|for|which|that|where|so|not|lower|upper|lower-case|upper-case|byte-for-byte|capital|hex|hexadecimal|base64|bytes? (?:for|by)|(?:unchanged|untouched|unaltered)(?! body)|verbatim)(?![\w-])|\.(?=\s|$)|:/i;
const separator =
  /^(?:an? |one |the )?(?:single )?(?:line ?feeds?|line ?breaks?|new ?lines?|LF|full ?stops?|dots?|periods?|points?|colons?|commas?|pipes?|hyphens?|dashes|blanks?|spaces?|\\n|["'`].["'`]|[.:|])$/i;
const characters: readonly (readonly [RegExp, string])[] = [
  [/line|\bLF\b|\\n/i, "\n"],
  [/stop|dot|period|point|^\W*\.\W*$/i, "."],
  [/colon|^\W*:\W*$/i, ":"],
  [/comma/i, ","],
  [/pipe|\|/i, "|"],
  [/hyphen|dash/i, "-"],
  [/blank|space/i, " "],
];
const body = /\bbody\b|\bpayload\b|\bbytes\b/i;

const signedIn: (text: string) => readonly { parts: readonly SignedPart[]; text: string }[] = memoize(
  (text) =>
    !body.test(text)
      ? []
      : [...text.matchAll(list)].flatMap(([, found]) => {
          const end = found!.search(behind);
          const said = (end < 0 ? found! : found!.slice(0, end)).trim();
          const parts = said
            .split(/,? (?:and|then|followed by|plus) (?:then )?|, (?:and )?(?:then )?| ?\+ ?/)
            .map(partOf);
          if (parts.some((part) => part === undefined) || !parts.some((part) => part?.kind === "body"))
            return [];
          return [{ parts: parts as SignedPart[], text: said }];
        }),
  200,
);

/** Words that say nothing of what they stand before. */
const filler =
  /^(?:the|a|an|its|value|values|content|contents|of|header|headers|raw|request|this|that|same|number|text|sent|in|from|as)$/i;

function partOf(given: string): SignedPart | undefined {
  const text = given.trim();
  if (body.test(text)) return { kind: "body" };
  if (separator.test(text))
    return { kind: "separator", character: characters.find(([said]) => said.test(text))?.[1] };
  const all = text.split(/\s+/);
  const words = all.filter((word) => !filler.test(word)).map((word) => word.toLowerCase());
  // A sentence names nothing.
  if (all.length > 6 || words.length === 0 || words.length > 3) return undefined;
  return words.every((word) => /^["'`]?[\w-]+["'`]?$/.test(word))
    ? { kind: "value", text, words: words.map((word) => word.replace(/["'`]/g, "")) }
    : undefined;
}
