import { wordsOf } from "./protocol/bound-names.ts";

/** How many of the smallest one has, by what is counted. */
const sizes = {
  time: {
    milliseconds: 1,
    seconds: 1_000,
    minutes: 60_000,
    hours: 3_600_000,
    days: 86_400_000,
    weeks: 604_800_000,
  },
  money: { micros: 1, mills: 1_000, minor: 10_000, major: 1_000_000 },
  share: { basisPoints: 1, thousandths: 10, percent: 100, fractions: 10_000 },
  energy: { wattHours: 1, kilowattHours: 1_000, megawattHours: 1_000_000 },
  data: { bytes: 1, kilobytes: 1_000, megabytes: 1_000_000, gigabytes: 1_000_000_000 },
  weight: {
    micrograms: 1,
    milligrams: 1_000,
    grams: 1_000_000,
    kilograms: 1_000_000_000,
    tonnes: 1_000_000_000_000,
  },
  length: { millimetres: 1, centimetres: 10, metres: 1_000, kilometres: 1_000_000 },
  volume: { millilitres: 1, litres: 1_000 },
} as const;

/** What a number counts. `minor` are cents and the like, `major` the money that people write. */
export type Unit = { [K in keyof typeof sizes]: keyof (typeof sizes)[K] }[keyof typeof sizes];

const named: readonly (readonly [Unit, RegExp])[] = [
  ["milliseconds", /(?:^|_)(?:ms|millis|msec|milliseconds?)$|[a-z\d](?:Ms|Millis|Msec|Milliseconds?)$/],
  [
    "seconds",
    /_(?:seconds?|secs?)$|[a-z](?:Seconds?|Secs?)$|^expires_?[iI]n$|(?:^|_)(?:epoch|unix|at|time|timestamp|ts|duration|length|delay|ttl|age|elapsed|timeout|interval)_s$|[a-z](?:Epoch|Unix|At|Time|Timestamp|Ts|Duration|Length|Delay|Ttl)S$|(?:^|_)unix(?:_?(?:time|timestamp|ts|at))?$/,
  ],
  ["minutes", /_(?:minutes?|mins?)$|[a-z]Minutes?$/],
  ["hours", /_(?:hours?|hrs?)$|[a-z]Hours?$/],
  ["days", /_days?$|[a-z]Days?$/],
  ["weeks", /_weeks$|[a-z]Weeks$/],
  ["basisPoints", /_bps?$|(?:^|_)basis_?points$|[a-z](?:Bps?|BasisPoints)$/],
  ["thousandths", /(?:^|_)(?:per_?mille|thousandths)$/],
  ["percent", /(?:^|_)(?:percent|pct|percentage)$|[a-z](?:Percent|Pct|Percentage)$/],
  ["fractions", /(?:^|_)(?:ratio|fraction)$|[a-z](?:Ratio|Fraction)$/],
  ["wattHours", /(?:^|_)wh$|[a-z]Wh$/],
  ["kilowattHours", /(?:^|_)kwh$|[a-z]K[wW]h$/],
  ["megawattHours", /(?:^|_)mwh$|[a-z]M[wW]h$/],
  ["bytes", /(?:^|_)bytes$|[a-z]Bytes$/],
  ["kilobytes", /_(?:kb|kib)$|(?:^|_)kilobytes$|[a-z]Kilobytes$/],
  ["megabytes", /_(?:mb|mib)$|(?:^|_)megabytes$|[a-z]Megabytes$/],
  ["gigabytes", /_(?:gb|gib)$|(?:^|_)gigabytes$|[a-z]Gigabytes$/],
  ["tonnes", /(?:^|_)tonnes$|[a-z]Tonnes$/],
  ["major", /_(?:eur|euros?|usd|dollars?|gbp|chf)$|[a-z](?:Eur|Usd|Gbp|Chf)$/],
  ["micrograms", /(?:^|_)micrograms$|[a-z]Micrograms$/],
  ["milligrams", /_mg$|(?:^|_)milligrams$|[a-z](?:Mg|Milligrams)$/],
  ["grams", /_g$|(?:^|_)grams?$|[a-z]Grams?$/],
  ["kilograms", /(?:^|_)(?:kgs?|kilos?|kilograms?)$|[a-z](?:Kg|Kilograms?)$/],
  ["millimetres", /(?:^|_)(?:mm|millimet(?:re|er)s?)$|[a-z](?:Mm|Millimet(?:re|er)s?)$/],
  ["centimetres", /(?:^|_)(?:cm|centimet(?:re|er)s?)$|[a-z](?:Cm|Centimet(?:re|er)s?)$/],
  ["kilometres", /(?:^|_)(?:km|kilomet(?:re|er)s?)$|[a-z](?:Km|Kilomet(?:re|er)s?)$/],
  ["metres", /_m$|(?:^|_)met(?:re|er)s?$|[a-z]Met(?:re|er)s?$/],
  ["millilitres", /(?:^|_)(?:ml|millilit(?:re|er)s?)$|[a-z](?:Ml|Millilit(?:re|er)s?)$/],
  ["litres", /_l$|(?:^|_)lit(?:re|er)s?$|[a-z]Lit(?:re|er)s?$/],
  [
    "micros",
    /(?:^|_)(?:price|amount|cost|budget|bid|cpm|cpc|fee|spend|revenue|total)_micros$|(?:^|[a-z_])(?:[pP]rice|[aA]mount|[cC]ost|[bB]udget|[bB]id|[cC]pm|[cC]pc|[fF]ee|[sS]pend|[rR]evenue|[tT]otal)Micros$/,
  ],
  ["mills", /(?:^|_)mills$|[a-z]Mills$/],
  ["minor", /(?:^|_)(?:cents?|pence|pennies|minor|minor_units?|subunits?)$|[a-z](?:Cents?|Pence|Minor)$/],
];

/** Whether any of some patterns matches: most names and titles match none, and one pattern is found out faster than all of them. */
const anyOf = (patterns: readonly (readonly [Unit, RegExp])[], flags: string): RegExp =>
  new RegExp(patterns.map(([, { source }]) => source).join("|"), flags);

const anyNamed = anyOf(named, "");

/** `price_cents` of `price_cents_per_month`. */
const perOther = /^(.+?)(?:_per_(?!mille|cent|thousand)[a-z]+|Per(?!Mille|Cent|Thousand)[A-Z][a-z]+)$/;

/** What a member counts by its name. */
export function unitOfName(name: string): Unit | undefined {
  // `started_day` may be the name of a day.
  const [, counted = name] = perOther.exec(name) ?? [];
  const own = anyNamed.test(counted) ? named.find(([, pattern]) => pattern.test(counted))?.[0] : undefined;
  // Only money is the same money for a month or a seat; kilometres an hour are none of a way.
  const unit = counted === name || own === "minor" || own === "major" ? own : undefined;
  return unit === "days" && !/days$/i.test(name) ? undefined : unit;
}

/** The sizes of what may be counted instead of a unit: minutes and hours of seconds. */
const sizesWith = (unit: Unit): Readonly<Record<string, number>> =>
  Object.values(sizes).find((each) => unit in each)!;

/** The unit after a division or multiplication that converts; undefined where it does something else. */
export function converted(unit: Unit, operator: string, number: number): Unit | undefined {
  const all = sizesWith(unit);
  const factor = "bytes" in all ? decimal(number) : number;
  const size = operator === "/" ? all[unit]! * factor : all[unit]! / factor;
  return (Object.keys(all) as Unit[]).find((other) => all[other] === size);
}

/** 1024 bytes count as a thousand. */
function decimal(number: number): number {
  const power = Math.log(number) / Math.log(1_024);
  return Number.isInteger(power) ? 1_000 ** power : number;
}

/** How many of a unit make one of another of its kind: 1000 grams a kilogram. */
export const ratio = (unit: Unit, other: Unit): number => sizesWith(other)[other]! / sizesWith(unit)[unit]!;

/** Whether both count the same thing: time, or money. */
export const areComparable = (a: Unit, b: Unit): boolean => sizesWith(a) === sizesWith(b);

const titled: readonly (readonly [Unit, RegExp])[] = [
  ["minor", /\b(?:cents|pence|minor units?)\b/i],
  ["basisPoints", /\bbasis points\b/i],
  ["percent", /%|\bper ?cent\b|\bpercentage\b/i],
  ["thousandths", /‰|\b(?:thousandths|per mille)\b/i],
  ["kilowattHours", /\bkwh\b/i],
  ["megawattHours", /\bmwh\b/i],
  ["wattHours", /\bwh\b/i],
  ["kilobytes", /\b(?:kb|kib|kilobytes)\b/i],
  ["megabytes", /\b(?:mb|mib|megabytes)\b/i],
  ["gigabytes", /\b(?:gb|gib|gigabytes)\b/i],
  ["bytes", /\bbytes\b/i],
  ["milliseconds", /\bmilliseconds\b|\((?:in )?ms\)/i],
  ["seconds", /\bseconds\b|\((?:in )?(?:s|secs?)\)/i],
  ["minutes", /\bminutes\b|\((?:in )?mins?\)/i],
  ["hours", /\bhours\b|\((?:in )?(?:h|hrs?)\)/i],
  ["days", /\bdays\b/i],
  ["weeks", /\bweeks\b/i],
  ["micrograms", /\bmicrograms\b|\((?:in )?µg\)/i],
  ["milligrams", /\bmilligrams\b|\((?:in )?mg\)/i],
  ["kilograms", /\b(?:kg|kilograms?)\b/i],
  ["grams", /\bgrams?\b|\((?:in )?g\)/i],
  ["tonnes", /\btonnes\b|\((?:in )?t\)/i],
  ["kilometres", /\b(?:km|kilomet(?:re|er)s)\b/i],
  ["centimetres", /\b(?:cm|centimet(?:re|er)s)\b/i],
  ["millimetres", /\b(?:mm|millimet(?:re|er)s)\b/i],
  ["metres", /\bmet(?:re|er)s\b|\((?:in )?m\)/i],
  ["millilitres", /\b(?:ml|millilit(?:re|er)s)\b/i],
  ["litres", /\blit(?:re|er)s\b|\((?:in )?l\)/i],
  ["major", /\b(?:EUR|euros?|USD|dollars?|GBP|CHF)\b|[€$£]/],
];

const anyTitled = anyOf(titled, "i");

/** What a title that people read says a number counts: “Duration in minutes”, “Opened in percent”; undefined where it says two. */
export function unitOfTitle(title: string): Unit | undefined {
  if (!anyTitled.test(title)) return undefined;
  const [unit, ...others] = titled.filter(([, pattern]) => pattern.test(title));
  return others.length > 0 ? undefined : unit?.[0];
}

/** Whether a name is an amount's. */
export const isMoney = (name: string): boolean => money.has(wordsOf(name).at(-1) ?? "");

const money: ReadonlySet<string> = new Set(
  "amount price fee cost balance deposit rent salary tax tip discount subtotal total refund sum".split(" "),
);
