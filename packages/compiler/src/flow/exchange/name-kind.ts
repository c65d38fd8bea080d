import { memoize } from "@configc/jq/internal";
import { isCountName } from "../count-names.ts";
import { isIdName } from "../id-names.ts";
import { singular } from "../nouns.ts";
import { wordsOf } from "../protocol/bound-names.ts";

/** What a member holds, as its name says, or what a value is. */
export type Kind =
  | "id"
  | "email"
  | "phone"
  | "url"
  | "time"
  | "text"
  | "name"
  | "code"
  | "event"
  | "page"
  | "size"
  | "cursor"
  | "number"
  | "list"
  | "flag"
  | "object"
  /** The name of a member, such as lists are sorted by. */
  | "member"
  | "query"
  | "fields"
  | "order"
  | "direction"
  | "filter";

/** What a member's name says of its value; undefined where it may mean several things. */
export const kindOfName: (name: string) => Kind | undefined = memoize((name): Kind | undefined => {
  const all = wordsOf(name);
  // `filter[state]` is a state.
  const words = all[0] === "filter" && all.length > 1 ? all.slice(1) : all;
  const joined = words.join("_");
  for (const [kind, pattern] of byWhole) if (pattern.test(joined)) return kind;
  if (isIdName(joined)) return "id";
  if (isCountName(name)) return "number";
  const last = words.at(-1) ?? "";
  // By itself it may say where reading stands.
  if (joined === "at" || joined === "on") return undefined;
  return byLast.get(last) ?? (words.length === 1 ? byOnly.get(last) : undefined);
}, 5_000);

const byWhole: readonly (readonly [Kind, RegExp])[] = [
  ["email", /(?:^|_)e_?mail(?:_address)?$/],
  ["phone", /(?:^|_)(?:phone|mobile)(?:_number)?$/],
  ["name", /^(?:first|last|given|family|full|display)_?name$|^(?:given|family|sur)name$/],
  ["size", /^(?:per_page|page_size|page_limit|limit|top|max_results|page_per_page)$/],
  ["page", /^page(?:_number|_no)?$/],
  ["cursor", /^(?:next_)?(?:cursor|page_token|skip_?token|sync_token|continuation_token)$/],
  ["order", /^(?:sort|order_?by|sort_by|ordering)$/],
  ["direction", /^(?:dir|direction|sort_(?:dir|order|direction))$/],
  ["flag", /^has_(?:more|next|next_page)$/],
  ["fields", /^(?:include|expand|embed|select)$/],
];

const kinds = (...all: readonly (readonly [Kind, string])[]): ReadonlyMap<string, Kind> =>
  new Map(all.flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind] as const)));

const byLast = kinds(
  ["url", "url uri href"],
  ["time", "at on date day timestamp deadline since until"],
  ["text", "description note notes remark remarks comment summary greeting headline caption"],
  ["name", "title"],
  [
    "number",
    "cents percent amount price fee balance quantity weight age minutes hours months years kg km kwh",
  ],
  ["list", "tags"],
);

/** Names that say this only alone: a `sending_method` may be anything. */
const byOnly = kinds(
  [
    "code",
    "topic type kind status state format role currency locale language lang mode category stage channel",
  ],
  ["event", "event events"],
  ["flag", "required mandatory optional active enabled iterate more"],
  ["list", "results"],
  ["number", "count duration"],
  ["object", "variables"],
  ["query", "query"],
  ["filter", "filter"],
  ["name", "name label subject"],
  ["text", "message"],
);

/** Words that say in which form a value is, or that hold of any. */
const fillers: ReadonlySet<string> = new Set(
  "id ids uuid at on date time day timestamp ms utc value values key code name number no filter cents pence minor the of is has data item new".split(
    " ",
  ),
);

/** The words of a name that tell what it is of, as stems: `expir` of `expires_at`, nothing of `id`. */
export const subjectWords: (name: string) => readonly string[] = memoize(
  (name): readonly string[] =>
    // How many on a page is another thing than which page.
    kindOfName(name) === "size"
      ? ["size"]
      : wordsOf(name)
          .filter((word) => !fillers.has(word))
          .map(stem),
  5_000,
);

const formsOfWords = kindsOfForms(
  ["time", "at on date time day timestamp ms deadline until since"],
  ["key", "id ids uuid number no key code"],
  ["name", "name title"],
  ["email", "email mail"],
  ["phone", "phone mobile"],
);

/** In which form a name says that a value is: a time, a key or a name. */
export const formOfName = (name: string): string | undefined => formsOfWords.get(wordsOf(name).at(-1) ?? "");

function kindsOfForms(...all: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(all.flatMap(([form, words]) => words.split(" ").map((word) => [word, form] as const)));
}

/** `expir` of `expiry`, `expires` and `expired` */
export function stem(word: string): string {
  const noun = singular(word);
  const cut = noun.replace(/(?:ing|ed|es|s|y|e)$/, "");
  return cut.length >= 3 ? cut : noun;
}
