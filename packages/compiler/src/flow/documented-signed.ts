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
  return first !== undefined && found.every((each) => keyOf(each) === keyOf(first)) ? first : undefined;
}

/** What is said is the same in other words, too: `the raw body`, `the body`. */
const keyOf = ({ parts }: Pick<DocumentedSigned, "parts">): string =>
  parts
    .map((part) =>
      part.kind === "value"
        ? part.words.join(" ")
        : `<${part.kind} ${"character" in part ? part.character : ""}>`,
    )
    .join();

const hash = String.raw`\b(?:hmac|mac|hash|digest|signature|sha-?\d{1,3})\b[\w-]*`;
const aside = `(?:,? (?:keyed |made |taken )?(?:with|under|by|in) [^,;.]{1,60},)?`;
const lists = [
  new RegExp(
    `${hash}(?: (?:value|digest|signature|sum))?${aside} (?:over|of) (?:the (?:text|string|bytes) |the concatenation of )?([^;()]{3,160})`,
    "gi",
  ),
  // `hex(HMAC-SHA256(secret, timestamp + ":" + body))`
  /\bhmac[\w-]{0,12}\((?:(?:the |your )?[\w-]{0,20}(?:secret|key)[\w-]{0,20}, ?)?([^;()]{3,160}?)(?:, ?(?:the |your )?[\w-]{0,20}(?:secret|key)[\w-]{0,20})?\)/gi,
  // `The signed string is the timestamp and the body`, `what is signed is timestamp.body`
  /\b(?:signed (?:string|text|content|message|payload|value|data) (?:is|:)|(?:string|text|content|message|payload|value|data) to sign (?:is|:)|signed (?:string|text|content|message|payload|value|data):|what(?:'s| is) signed(?: is|:)|string to sign(?: is|:)|text to sign(?: is|:)) ([^;()]{3,160})/gi,
  // `They sign ${timestamp}.${body} with …`
  /\b(?:they|the (?:sender|service|API)|it) signs? (?:the concatenation of )?([^;()]{3,160})/gi,
];
/** A template of what is signed, `${timestamp}.${body}`, `{t}.{body}`, `timestamp.body`: written as a sum. */
const template = /["'`]?\$?\{([\w-]{1,40})\}(["'`]?)([.:|,_-])\$?\{([\w-]{1,40})\}["'`]?/g;
const dotted =
  /(?<![\w.])(t|ts|time|nonce|(?:\w{0,30}_)?(?:timestamp|ts|nonce|id))\.(body|payload|raw_body|rawBody)(?!\w|\.\w)/gi;
/** What the app signs itself. */
const ofApp =
  /\b(?:our (?:own )?(?:calls?|requests?|answers?|messages?)|we sign|calls to|requests to|outgoing|(?:each|every|all) (?:request|call)s? (?:that )?we)\b[^.;]{0,60}$/i;
const isDenied = /\b(?:not|never|no longer)\b[^.;,]{0,20}$|n't\b[^.;,]{0,20}$/i;
/** What follows the list. */
const behind =
  /, (?:one (?:after|behind|next to) (?:the other|another)|in (?:this|that) order|together|back to back|side by side|nothing between(?: them)?|directly after each other)\b|, (?:and )?(?:the |its |an? )?[\w-]+ (?:is|are|has|comes|goes)\b|(?:,| and)? *(?<![\w-])(?:keyed|under|using|signed|made|encoded|hashed|computed|written|joined|glued|concatenated|separated|with|without|as|in|by|at|for|which|that|where|so|not|lower|upper|lower-case|upper-case|byte-for-byte|capital|(?:and |then )?(?:sends?|puts?|writes?|passes|adds?|gives?|compares?)|(?:hex|base64|lower-hex)-?encoded|hex|hexadecimal|base64|bytes? (?:for|by)|(?:unchanged|untouched|unaltered)(?! body)|verbatim)(?![\w-])|\.(?=\s|$)|:/i;
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
const body = /(?:\b|raw_)body\b|\bpayload\b|\bbytes\b/i;

const signedIn: (text: string) => readonly { parts: readonly SignedPart[]; text: string }[] = memoize(
  (text) =>
    !body.test(text)
      ? []
      : lists.flatMap((list, at) =>
          [...summed(text).matchAll(list)].flatMap(({ 1: found, index, input }) => {
            const before = input.slice(Math.max(0, index - 80), index);
            if (ofApp.test(before) || isDenied.test(before)) return [];
            // A colon between quotes is signed, too.
            const end = found!.replace(/(["'`])[.:|,](["'`])/g, "$1_$2").search(behind);
            const said = (end < 0 ? found! : found!.slice(0, end)).trim();
            const parts = untilExplained(
              said
                .split(/,? (?:and|then|followed by|plus) (?:then )?|, (?:and )?(?:then )?| ?\+ ?/)
                .map(partOf),
            );
            if (parts.some((part) => part === undefined) || !parts.some((part) => part?.kind === "body"))
              return [];
            // What they do besides that isn't signed: “They sign the body, verify it with the secret”.
            if (parts.some((part) => part?.kind === "value" && !mayBeSigned(part.words, at > 0))) return [];
            return [{ parts: parts as SignedPart[], text: said }];
          }),
        ),
  200,
);

/** The parts up to where one is named again, to say more of it: “TIMESTAMP.BODY, the timestamp in seconds”. */
function untilExplained(parts: readonly (SignedPart | undefined)[]): readonly (SignedPart | undefined)[] {
  const named = new Set<string>();
  const end = parts.findIndex((part) => {
    if (part?.kind !== "value" && part?.kind !== "body") return false;
    const name = part.kind === "body" ? "<body>" : part.words.join(" ");
    if (named.has(name)) return true;
    named.add(name);
    return false;
  });
  return end < 0 ? parts : parts.slice(0, end);
}

const usual =
  /^(?:t|ts|v\d?|\w*time\w*|\w*stamp|date|nonce|\w*id|method|path|url|uri|query|host|version|salt|event|topic|\w+[_-][\w-]+)$/i;
const mayBeSigned = (words: readonly string[], isUsual: boolean): boolean =>
  !words.some((word) => /^(?:digest|hash|hmac|mac|signature|hex|base64|sha-?\d*)$/.test(word)) &&
  (!isUsual || words.some((word) => usual.test(word)));

const summed = (text: string): string =>
  text
    .replace(template, (_, first, _quote, between, second) => `${first} + "${between}" + ${second}`)
    .replace(dotted, '$1 + "." + $2');

/** Words that say nothing of what they stand before. */
const filler =
  /^(?:the|a|an|its|both|alone|only|value|values|content|contents|of|header|headers|raw|request|this|that|same|number|text|sent|in|from|as)$/i;

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
