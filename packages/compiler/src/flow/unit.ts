import { memoize } from "@configc/jq/internal";
import { wordsOf } from "./protocol/bound-names.ts";
import { sizes, type Unit } from "./unit-sizes.ts";
import { titledUnits, unitOfWords } from "./unit-words.ts";

export type { Unit };

/** `price_cents` of `price_cents_per_month`. */
const perOther = /^(.+?)(?:_per_(?!mille|cent|thousand)[a-z]+|Per(?!Mille|Cent|Thousand)[A-Z][a-z]+)$/;

/** What a member counts by its name. */
export const unitOfName: (name: string) => Unit | undefined = memoize((name) => {
  const [, counted = name] = perOther.exec(name) ?? [];
  const unit = unitOfWords(wordsOf(counted));
  // Only money is the same money for a month or a seat; kilometres an hour are none of a way.
  return counted === name || unit === "minor" || unit === "major" ? unit : undefined;
  // The names of a large document.
}, 5_000);

/** The sizes of what may be counted instead of a unit: minutes and hours of seconds. */
const sizesWith = (unit: Unit): Readonly<Record<string, number>> =>
  Object.values(sizes).find((each) => unit in each)!;

/** The unit after a division or multiplication that converts; undefined where it does something else. */
export function converted(unit: Unit, operator: string, number: number): Unit | undefined {
  const all = sizesWith(unit);
  const factor = "bytes" in all ? decimal(number) : number;
  const size = operator === "/" ? all[unit]! * factor : all[unit]! / factor;
  return (Object.keys(all) as Unit[]).find((other) => areClose(all[other]!, size));
}

/** 0.4536 is a pound, and 0.0929 a square foot. */
const areClose = (size: number, other: number): boolean => Math.abs(other / size - 1) < 0.002;

/** 1024 bytes count as a thousand. */
function decimal(number: number): number {
  const power = Math.log(number) / Math.log(1_024);
  return Number.isInteger(power) ? 1_000 ** power : number;
}

/** How many of a unit make one of another of its kind: 1000 grams a kilogram. */
export const ratio = (unit: Unit, other: Unit): number => sizesWith(other)[other]! / sizesWith(unit)[unit]!;

/** Whether both count the same thing: time, or money. */
export const areComparable = (a: Unit, b: Unit): boolean => sizesWith(a) === sizesWith(b);

/** Most titles match none, and one pattern is found out faster than all of them. */
const anyTitled = new RegExp(titledUnits.map(([, { source }]) => source).join("|"), "i");

const span =
  /\b(?:in the |over the |of the |the )?(?:last|past|previous|next|first|within|every|each) (?:\d+|[a-z]+) (?:minutes|hours|days|weeks)\b/i;

/** What a title that people read says a number counts: “Duration in minutes”, “Opened in percent”; undefined where it says two. */
export function unitOfTitle(title: string): Unit | undefined {
  if (!anyTitled.test(title)) return undefined;
  const example = exampleIn(title);
  if (example !== undefined) return example.unit;
  // “Hours, last 28 days” counts hours.
  const counted = title.replace(span, "");
  const [unit, ...others] = titledUnits.filter(([, pattern]) => pattern.test(counted));
  return others.length > 0 ? undefined : unit?.[0];
}

/** A number, what it stands for, and in what: “0.15 = 15 %”, “1 means 30 minutes”, “15 % is 0.15”. */
const examples: readonly RegExp[] = [
  /(?<![\d.,])(?<number>\d+(?:[.,]\d+)?) ?(?:=|is|are|means?|stands? for|for) ?(?<stands>\d+(?:[.,]\d+)?) ?(?:%|[a-z])/i,
  /(?<![\d.,])(?<stands>\d+(?:[.,]\d+)?) ?(?:%|[a-z]+) ?(?:=|is|are|as) ?(?<number>\d+(?:[.,]\d+)?)(?![\d.,]| ?(?:%|[a-z]))/i,
];

/** What a title says by an example; where that is no unit, as in “1 = 30 minutes”, none is known. */
function exampleIn(title: string): { readonly unit: Unit | undefined } | undefined {
  if (!/\d/.test(title)) return undefined;
  for (const pattern of examples) {
    const { number, stands } = pattern.exec(title)?.groups ?? {};
    if (number === undefined || stands === undefined) continue;
    const [given, meant] = [number, stands].map((each) => Number(each.replace(",", "."))) as [number, number];
    // Of 5 = 5 % the title says what it says anyway.
    if (given === meant) return undefined;
    const isPart = /%|\bper ?cent\b/i.test(title) && areClose(given * 100, meant);
    return { unit: isPart ? "fractions" : undefined };
  }
  return undefined;
}

/** Whether a name is an amount's. */
export const isMoney = (name: string): boolean => money.has(wordsOf(name).at(-1) ?? "");

const money: ReadonlySet<string> = new Set(
  "amount price fee cost balance deposit rent salary tax tip discount subtotal total refund sum".split(" "),
);
