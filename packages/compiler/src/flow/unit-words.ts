import type { Unit } from "./unit-sizes.ts";

/** The words with which names of members end that count something, each in one unit. */
interface UnitWords {
  /** These are enough: `ms`, `kwh`. */
  readonly alone?: readonly string[];
  /** These mean something else alone, such as a list of days, and only end a name: `duration_minutes`. */
  readonly behind?: readonly string[];
}

const clock = ["epoch", "unix", "at", "time", "timestamp", "ts", "duration", "length", "delay", "ttl"];
const money = ["price", "amount", "cost", "budget", "bid", "cpm", "cpc", "fee", "spend", "revenue", "total"];
const each = (words: readonly string[], last: string): readonly string[] =>
  words.map((word) => `${word} ${last}`);

const words: Readonly<Partial<Record<Unit, UnitWords>>> = {
  milliseconds: { alone: ["ms", "millis", "msec", "millisecond", "milliseconds"] },
  seconds: {
    alone: [
      ...["unix", "unixtime", "unix time", "unix timestamp", "unix ts", "unix at", "expires in"],
      ...each([...clock, "age", "elapsed", "timeout", "interval"], "s"),
      "seconds",
    ],
    // `size_s` is a small one.
    behind: ["second", "sec", "secs", "s"],
  },
  minutes: { alone: ["minutes", "mins"], behind: ["minute", "min"] },
  hours: { alone: ["hours", "hrs"], behind: ["hour", "hr"] },
  // `started_day` may be the name of a day.
  days: { behind: ["days"] },
  weeks: { behind: ["weeks"] },
  micros: { alone: each(money, "micros") },
  mills: { alone: ["mills"] },
  minor: {
    alone: [
      ...["cent", "cents", "pence", "pennies", "minor", "minor unit", "minor units"],
      ...["subunit", "subunits", "rappen", "centime", "centimes", "centavo", "centavos", "grosz", "groszy"],
      ...["kopecks", "kopeks", "paise", "öre", "øre", "fils"],
    ],
  },
  major: { behind: ["eur", "euro", "euros", "usd", "dollar", "dollars", "gbp", "chf"] },
  basisPoints: { alone: ["basis point", "basis points", "basispoints"], behind: ["bp", "bps"] },
  thousandths: { alone: ["per mille", "permille", "thousandths"] },
  percent: { alone: ["percent", "pct", "percentage"] },
  fractions: { alone: ["ratio", "fraction"], behind: ["share"] },
  wattHours: { alone: ["wh"] },
  kilowattHours: { alone: ["kwh"] },
  megawattHours: { alone: ["mwh"] },
  watts: { alone: ["watt", "watts"], behind: ["w"] },
  kilowatts: { alone: ["kw", "kilowatt", "kilowatts"] },
  megawatts: { alone: ["mw", "megawatt", "megawatts"] },
  millivolts: { alone: ["millivolt", "millivolts"], behind: ["mv"] },
  volts: { alone: ["volt", "volts"] },
  bytes: { alone: ["bytes"] },
  kilobytes: { alone: ["kilobytes"], behind: ["kb", "kib"] },
  megabytes: { alone: ["megabytes"], behind: ["mb", "mib"] },
  gigabytes: { alone: ["gigabytes"], behind: ["gb", "gib"] },
  micrograms: { alone: ["micrograms"] },
  milligrams: { alone: ["milligrams"], behind: ["mg"] },
  grams: { alone: ["gram", "grams"], behind: ["g"] },
  ounces: { alone: ["oz", "ounce", "ounces"] },
  pounds: { alone: ["lb", "lbs", "weight pounds"] },
  kilograms: { alone: ["kg", "kgs", "kilo", "kilos", "kilogram", "kilograms"] },
  tonnes: { alone: ["tonnes"] },
  millimetres: { alone: ["mm", "millimetre", "millimeter", "millimetres", "millimeters"] },
  centimetres: { alone: ["cm", "centimetre", "centimeter", "centimetres", "centimeters"] },
  decimetres: { alone: ["decimetre", "decimeter", "decimetres", "decimeters"], behind: ["dm"] },
  inches: { alone: ["inch", "inches"] },
  feet: { behind: ["ft", "feet"] },
  yards: { behind: ["yd", "yards"] },
  metres: { alone: ["metre", "meter", "metres", "meters"], behind: ["m"] },
  kilometres: { alone: ["km", "kilometre", "kilometer", "kilometres", "kilometers"] },
  miles: { alone: ["miles"], behind: ["mi"] },
  nauticalMiles: { alone: ["nmi", "nautical miles"] },
  squareDecimetres: { alone: ["dm2"] },
  squareFeet: { alone: ["sqft", "sq ft", "sq feet", "square feet"] },
  squareMetres: { alone: ["sqm", "sq m", "square metres", "square meters"], behind: ["m2"] },
  acres: { alone: ["acres"] },
  hectares: { alone: ["hectare", "hectares"], behind: ["ha"] },
  squareKilometres: { alone: ["sqkm", "sq km"], behind: ["km2"] },
  microlitres: { alone: ["microlitre", "microliter", "microlitres", "microliters"], behind: ["ul"] },
  millilitres: { alone: ["ml", "cm3", "ccm", "millilitre", "milliliter", "millilitres", "milliliters"] },
  litres: { alone: ["dm3", "litre", "liter", "litres", "liters"], behind: ["l"] },
  cubicMetres: { alone: ["cbm", "cubic metres", "cubic meters"], behind: ["m3"] },
  pascals: { behind: ["pa", "pascals"] },
  hectopascals: { alone: ["hpa", "mbar"] },
  kilopascals: { alone: ["kpa", "kilopascals"] },
  poundsPerSquareInch: { alone: ["psi"] },
  bars: { behind: ["bar"] },
  tenthsOfDegrees: { alone: ["decidegrees", "deci c", "tenths c"] },
  kilometresPerHour: { alone: ["kmh", "kph"] },
  milesPerHour: { alone: ["mph"] },
  knots: { alone: ["knots"], behind: ["kt", "kts"] },
  metresPerSecond: { behind: ["mps"] },
};

/** The words that say a unit, and whether they do so alone. */
const units: ReadonlyMap<string, { readonly unit: Unit; readonly isAlone: boolean }> = new Map(
  (Object.entries(words) as [Unit, UnitWords][]).flatMap(([unit, { alone = [], behind = [] }]) =>
    [...alone, ...behind].map((word) => [word, { unit, isAlone: alone.includes(word) }] as const),
  ),
);

const LONGEST = 2;

/** The unit with which the words of a name end, the most words that say one: `area sq ft`; or begin, where what is done follows. */
export function unitOfWords(all: readonly string[]): Unit | undefined {
  for (let count = Math.min(LONGEST, all.length); count > 0; count--) {
    const found = units.get(all.slice(-count).join(" "));
    const isSize = count === 1 && all.at(-1) === "s" && ofSize.test(all.at(-2) ?? "");
    if (found !== undefined && !isSize && (found.isAlone || all.length > count)) return found.unit;
  }
  // `ms_teams_id` counts nothing.
  const [first = "", second = ""] = all;
  if (done.test(second)) return units.get(first)?.unit;
  // `hours_on_site`, `minutes_this_year`; `hours_left` may be a text.
  return ofClock.test(first) && where.test(second) && all.length > 2 ? units.get(first)?.unit : undefined;
}

/** What small ones, or those of one class, may be of: `size_s`, `price_s`. Behind several, `options_s`, it is no unit either. */
const ofSize =
  /^(?:of|size|sizes|class|category|type|grade|level|group|shirt|price|stock|count|quantity|qty|number|icon|image|photo|box|variant|[a-z]+s)$/;

/** What is done with what is counted: `hours_spent`, `msPlayed28d`. */
const done =
  /^(?:played|elapsed|spent|listened|watched|worked|used|driven|logged|billed|booked|trained|consumed|delivered|produced)(?:\d|$)/;

const ofClock = /^(?:seconds|minutes|hours)$/;
/** Where or when it was that something took so long. */
const where = /^(?:on|this)$/;

/** Units by what people read: titles, labels, options and comments. */
export const titledUnits: readonly (readonly [Unit, RegExp])[] = [
  ["minor", /\b(?:cents|pence|rappen|centimes|centavos|groszy|minor units?)\b/i],
  ["basisPoints", /\bbasis points\b/i],
  ["percent", /%|\bper ?cent\b|\bpercentage\b/i],
  ["thousandths", /‰|\b(?:thousandths|per mille)\b/i],
  ["kilowattHours", /\bkwh\b|\bkilowatt[- ]?hours?\b/i],
  ["megawattHours", /\bmwh\b|\bmegawatt[- ]?hours?\b/i],
  ["wattHours", /\bwh\b|(?<![a-z])watt[- ]?hours?\b/i],
  ["kilobytes", /\b(?:kb|kib|kilobytes)\b/i],
  ["megabytes", /\b(?:mb|mib|megabytes)\b/i],
  ["gigabytes", /\b(?:gb|gib|gigabytes)\b/i],
  ["bytes", /\bbytes\b/i],
  ["milliseconds", /\bmilliseconds\b|\((?:in )?ms\)/i],
  ["seconds", /\b(?:seconds|Sekunden|secondes|segundos)\b|\((?:in )?(?:s|secs?)\)/i],
  ["minutes", /\b(?:minutes|Minuten|minutos)\b|\((?:in )?mins?\)/i],
  ["hours", /(?<!watt[- ]?)\b(?:hours|Stunden|heures|horas)\b|\((?:in )?(?:h|hrs?)\)/i],
  ["days", /\b(?:days|Tagen?|jours|días)\b/i],
  ["weeks", /\b(?:weeks|Wochen|semaines|semanas)\b/i],
  ["micrograms", /\bmicrograms\b|\((?:in )?µg\)/i],
  ["milligrams", /\bmilligrams\b|\((?:in )?mg\)/i],
  ["kilograms", /\b(?:kg|kilograms?)\b/i],
  ["ounces", /\b(?:oz|ounces?)\b/i],
  ["pounds", /\blbs?\b|\bpounds? \(weight\)/i],
  ["grams", /\bgrams?\b|\((?:in )?g\)/i],
  ["tonnes", /\btonnes\b|\((?:in )?t\)/i],
  ["kilometres", /\b(?:km|kilomet(?:re|er)s)\b(?!\/h|²| per)/i],
  ["centimetres", /\b(?:cm|centimet(?:re|er)s)\b/i],
  ["decimetres", /\b(?<!square |cubic )decimet(?:re|er)s\b/i],
  ["millimetres", /\b(?:mm|millimet(?:re|er)s)\b/i],
  ["metres", /(?<!square |cubic )\bmet(?:re|er)s\b(?! per)|\((?:in )?m\)/i],
  ["inches", /\binch(?:es)?\b/i],
  ["feet", /(?<!square |sq\.? ?)\b(?:ft|feet)\b(?!²|2)/i],
  ["yards", /\byards\b/i],
  ["nauticalMiles", /\b(?:nmi|nautical miles)\b/i],
  ["miles", /(?<!nautical )\bmiles\b(?! per)/i],
  ["squareFeet", /\bsq\.? ?ft\b|\bsquare feet\b|\bft(?:²|2\b)/i],
  ["squareMetres", /(?<!k)m²|\bsqm\b|\bsquare met(?:re|er)s\b/i],
  ["acres", /\bacres\b/i],
  ["hectares", /\bhectares\b|\((?:in )?ha\)/i],
  ["squareKilometres", /km²/i],
  ["kilometresPerHour", /\bkm\/h\b|\bkph\b|\bkilomet(?:re|er)s per hour\b/i],
  ["milesPerHour", /\bmph\b|\bmiles per hour\b/i],
  ["knots", /\bknots\b|\((?:in )?kn\)/i],
  ["metresPerSecond", /\bm\/s\b|\bmet(?:re|er)s per second\b/i],
  ["watts", /\bwatts\b(?![- ]?hours)|\((?:in )?W\)/],
  ["kilowatts", /\bkW\b|\bkilowatts\b/],
  ["megawatts", /\bMW\b|\bmegawatts\b/],
  ["millivolts", /\bmillivolts?\b|\((?:in )?mV\)/],
  ["volts", /\bvolts?\b|\((?:in )?V\)/],
  ["hectopascals", /\bhPa\b|\bmbar\b|\bhectopascals?\b/i],
  ["kilopascals", /\bkPa\b|\bkilopascals?\b/i],
  ["pascals", /\bPa\b|(?<![a-z])pascals?\b/],
  ["poundsPerSquareInch", /\bpsi\b/i],
  ["bars", /\((?:in )?bar\)|\bin bar\b|(?:, |^)bar$/i],
  ["tenthsOfDegrees", /\btenths of (?:a )?degrees?\b/i],
  ["degrees", /(?<!tenths of a )(?<!tenths of )(?:°C|\bdegrees? (?:Celsius|C)\b)/i],
  ["microlitres", /[µμ]l\b|\bmicrolit(?:re|er)s\b/i],
  ["cubicMetres", /m³|\bcubic met(?:re|er)s\b/i],
  ["millilitres", /\b(?:ml|millilit(?:re|er)s)\b/i],
  ["litres", /\blit(?:re|er)s\b|\((?:in )?l\)/i],
  ["major", /\b(?:EUR|euros?|USD|dollars?|GBP|CHF)\b|[€$£]/],
];
