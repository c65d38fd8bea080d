import type { StringNode } from "../parse/syntax-tree.ts";
import { countWords } from "./durations.ts";
import { isPlural, singular } from "./nouns.ts";

/** How many of one unit or thing another one is, as a comment says it. */
export interface DocumentedFactor {
  readonly one: string;
  readonly number: number;
  readonly other: string;
  readonly comment: StringNode;
}

/** `1 mmol/L is 18.016 mg/dL`, `one credit is 30 hours` */
const said =
  /(?:\b1|\b[Oo]ne) ([A-Za-zµ°²³%/]+(?: [a-z]+)?) (?:is|are|=|equals|makes|stands for|corresponds to|has) (\d+(?:\.\d+)?) ((?:(?:square|cubic) )?[A-Za-zµ°²³%/]+)/g;

/** `size is in square rods, one is 25.29 square metres` */
const saidOfOne =
  /\bin ([a-z]+(?: [a-z]+)?)(?:, | \()(?:1|one|each)(?: of them)? (?:is|are|=|equals|makes|has) (\d+(?:\.\d+)?) ((?:(?:square|cubic) )?[a-z]+)/g;

/** `Acme keeps cubic metres: 1 cubic foot = 0.0283168` */
const saidBefore =
  /\b([a-z]+(?: [a-z]+)?): (?:1|one) ([a-z]+(?: [a-z]+)?) (?:is|=|equals|makes) (\d+(?:\.\d+)?)(?=[.;)]? |[.;)]?$)(?! [a-z])/g;

/** Factors between units, as they are written. */
export function factorsOfUnits(comment: StringNode): readonly DocumentedFactor[] {
  const { value: text } = comment;
  const found = [
    ...[...text.matchAll(said), ...text.matchAll(saidOfOne)].map(([, one, number, other]) => [
      one,
      number,
      other,
    ]),
    ...[...text.matchAll(saidBefore)].map(([, other, one, number]) => [one, number, other]),
  ];
  return found.map(([one, number, other]) => ({ one: one!, number: Number(number), other: other!, comment }));
}

const numbers = Object.keys(countWords)
  .filter((word) => countWords[word]! > 1)
  .join("|");
/** `A sheet has two pages`, `each crate holds 12 bottles`, `one credit is 30 hours` */
const each = new RegExp(
  String.raw`\b(?:1|one|an?|each|every) ([a-z]+) (?:is|equals|makes|has|holds|contains|stands for|counts (?:as|for)) (\d+(?:\.\d+)?|${numbers}) ([a-z]+)\b(?! (?:or|to)\b|-)`,
  "gi",
);
/** `units of six minutes` */
const unitsOf = new RegExp(String.raw`\b([a-z]+s) of (\d+(?:\.\d+)?|${numbers}) ([a-z]+)\b`, "gi");

/** `{variety: {stems_per_bunch: 10}}`: what a record shows is the factor that such a record has. */
const shown = /(?<![\w-])"?([a-z]+s)(?:_per_([a-z]+)|Per([A-Z][a-z]+))"?: (\d+(?:\.\d+)?)(?![\w.-])/g;

/** Factors between things of which the records themselves say how many one is of the other. */
const factorsShown = (comment: StringNode): readonly DocumentedFactor[] =>
  /_per_|Per[A-Z]/.test(comment.value)
    ? [...comment.value.matchAll(shown)].flatMap(([, other = "", snake, camel, count]) => {
        const one = singular((snake ?? camel!).toLowerCase());
        return Number(count) > 1 && isPlural(other) && !ofTime.test(one)
          ? [{ one, number: Number(count), other, comment }]
          : [];
      })
    : [];

/** `visits_per_week` is how often, and nothing that a week is made of. */
const ofTime =
  /^(?:second|minute|hour|day|night|week|month|year|time|page|request|call|person|user|member|head)$/;

/** Factors between things that are counted, whose words are in lower case and singular for the one. */
export function factorsOfThings(comment: StringNode): readonly DocumentedFactor[] {
  const { value: text } = comment;
  const ofRecords = factorsShown(comment);
  if (!/\b(?:of|is|has|equals|makes|holds|contains|stands|counts)\b/i.test(text)) return ofRecords;
  const inWords = [...text.matchAll(each), ...text.matchAll(unitsOf)].flatMap(
    ([, one = "", count = "", other = ""]) => {
      const number = countWords[count.toLowerCase()] ?? Number(count);
      const isOfPlural = isPlural(other);
      return number > 1 && isOfPlural
        ? [{ one: singular(one.toLowerCase()), number, other: other.toLowerCase(), comment }]
        : [];
    },
  );
  return [...inWords, ...ofRecords];
}
