import { memoize } from "@configc/jq/internal";
import type { StringNode } from "../parse/syntax-tree.ts";
import { singular } from "./nouns.ts";
import { wordsOf } from "./protocol/bound-names.ts";

/** What stands between the values of a text that is a list, as a comment says it. */
export interface DocumentedSeparator {
  readonly character: string;
  /** As the comment calls it, in the plural. */
  readonly text: string;
  readonly comment: StringNode;
}

/** What a member's values are parted by: `labels are keys with commas between`, `rides is one field with commas`. */
export function documentedSeparator(
  name: string,
  comments: readonly StringNode[],
): DocumentedSeparator | undefined {
  const wanted = keyOf(name);
  for (const comment of comments) {
    const found = separatorsIn(comment.value).filter(({ names }) => names.includes(wanted));
    const [first, ...others] = found;
    if (first === undefined) continue;
    return others.some(({ character }) => character !== first.character)
      ? undefined
      : { character: first.character, text: first.text, comment };
  }
  return undefined;
}

interface Said {
  readonly names: readonly string[];
  readonly character: string;
  readonly text: string;
}

const characters: Readonly<Record<string, string>> = {
  comma: ",",
  semicolon: ";",
  colon: ":",
  pipe: "|",
  bar: "|",
  slash: "/",
  blank: " ",
  space: " ",
  dash: "-",
  hyphen: "-",
};
const mark = `(?:vertical )?(${Object.keys(characters).join("|")})`;
const parted = new RegExp(
  [
    `\\bwith ${mark}s\\b`,
    `\\b${mark}s? between\\b`,
    `\\b${mark}[- ](?:separated|delimited)\\b`,
    `\\b(?:separated|parted|divided|joined|delimited|split) (?:by|with|at) (?:an? )?${mark}s?\\b`,
    `\\bin one (?:text|field), ${mark}s?\\b`,
  ].join("|"),
  "i",
);

/** An edit leaves most comments as they are. */
const separatorsIn: (text: string) => readonly Said[] = memoize(
  (text) =>
    text
      .split(/(?<=[.;])\s+/)
      .filter((sentence) => parted.test(sentence) && !/\b(?:no|not|never|without|decimal)\b/i.test(sentence))
      .flatMap((sentence) => {
        const clauses = sentence.split(/,\s+(?:and )?/);
        return clauses.flatMap((clause, index) => {
          const found = parted
            .exec(clause)
            ?.slice(1)
            .find((each) => each !== undefined)
            ?.toLowerCase();
          if (found === undefined) return [];
          // `labels is a text, parted by commas`: the name stands in the clause before.
          const own = namesIn(clause);
          const names = own.length > 0 ? own : namesIn(clauses[index - 1] ?? "");
          return [{ names, character: characters[found]!, text: `${found}s` }];
        });
      }),
  200,
);

const prose =
  /^(?:an?|the|is|are|as|of|one|text|texts|string|field|fields|with|between|by|commas?|semicolons?|separated|parted|joined|divided|delimited|in|them|its?|their|list|lists|values?|several|all|may|be|empty|or|and|kept|sent|written|given|each)$/i;

/** What a clause may speak of, by its first two words that name something: `section (code)`, `areas are one text`. */
const namesIn = (clause: string): readonly string[] =>
  clause
    .replace(/\([^()]*\)?/g, " ")
    .match(/[A-Za-z_][\w-]*/g)
    ?.filter((word) => !prose.test(word))
    .slice(0, 2)
    .map(keyOf) ?? [];

const keyOf = (name: string): string => wordsOf(name).map(singular).join(" ");
