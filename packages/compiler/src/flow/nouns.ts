import { memoize } from "@configc/jq/internal";
import { wordsOf } from "./protocol/bound-names.ts";

/*
 * What kind of record a name is about. Names only count where two of them say it, and where they are certainly about different things:
 * services have many words for a person, an account or a list, and these are taken for one.
 */

const irregular: ReadonlyMap<string, string> = new Map([
  ["people", "person"],
  ["children", "child"],
  ["indices", "index"],
  ["movies", "movie"],
  ["cookies", "cookie"],
]);

/** Words that end like a plural and are none. Those in -ss, -us and -sis show it by their ending. */
const singulars: ReadonlySet<string> = new Set(
  "sms mms gps dns cms lms pos ios gas lens canvas alias atlas news series species means axis".split(" "),
);

const families: readonly string[] = [
  [
    "person contact user owner member customer subscriber guest attendee buyer patient client lead profile author registrant candidate applicant employee agent recipient participant donor student patron invitee sender assignee requester creator",
    "visitor respondent caller identity login prospect individual payer debtor creditor staff reporter consumer pupil tutor teacher instructor trainer coach mentor guardian parent child sibling spouse learner trainee doctor adviser advisor",
    "technician driver courier host booker holder beneficiary claimant tenant resident passenger player volunteer worker colleague manager operator seller provider practitioner therapist dentist physician clinician nurse clerk",
  ].join(" "),
  "company account organisation organization org workspace team merchant business tenant store shop site location portal instance installation connection app application client company enterprise",
  "list audience segment group newsletter mailinglist campaign category tag label topic interest folder collection view",
  "webhook hook subscription endpoint callback listener registration",
  "field property attribute column question merge custom",
  "form survey questionnaire poll",
  "entry submission response answer registration record",
  "ticket conversation thread message issue case request",
  "order purchase sale checkout transaction payment charge invoice receipt donation gift booking reservation appointment",
  "event webinar meeting session class show performance occurrence activity",
  "task card todo item",
  "sheet spreadsheet table worksheet document base database board project list workbook",
  "deal opportunity pipeline stage",
  "product variant sku item plan price",
];

/** The families of a word, each as a bit. */
const familiesOf: ReadonlyMap<string, number> = bitsByWord(families);

function bitsByWord(all: readonly string[]): ReadonlyMap<string, number> {
  const bits = new Map<string, number>();
  for (const [index, words] of all.entries())
    for (const word of words.split(" ")) bits.set(word, (bits.get(word) ?? 0) | (1 << index));
  return bits;
}

/** Words that any record may be called. */
const generic: ReadonlySet<string> = new Set(
  "item row object record resource entity data result value node element parent source target external reference ref request id body external remote foreign internal unique correlation trace next previous current platform".split(
    " ",
  ),
);

/** What stands before an `id` that belongs to the app or to a request, and not to a record: `client_id`. Without an `id`, they are records like others. */
export const ofCredentials: ReadonlySet<string> = new Set(["client", "tenant"]);

/** The noun that a name ends with, in the singular: `person` of `people`, `company` of `parent_companies`; undefined where it says nothing. */
export const nounOf: (name: string) => string | undefined = memoize((name) => {
  const word = wordsOf(name).at(-1);
  if (word === undefined || !/^[a-z]{3,}$/.test(word)) return undefined;
  const noun = singular(word);
  return generic.has(noun) ? undefined : noun;
  // The names of a large document.
}, 5_000);

/** A word in the singular, as far as its ending tells. */
export const singular: (word: string) => string = memoize(singularOf, 5_000);

function singularOf(word: string): string {
  const known = irregular.get(word);
  if (known !== undefined) return known;
  if (singulars.has(word) || /sis$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss|(?<![ao])us)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Whether a name is a plural, as those of lists are. */
export function isPlural(name: string): boolean {
  const word = wordsOf(name).at(-1) ?? "";
  return singular(word) !== word;
}

/**
 * The noun of an id by its name: `event` of `event_id` and `eventId`.
 * @param kinds the kinds of records that the document names: one of `client` has a `client_id` that is no credential
 */
export function nounOfId(name: string, kinds?: ReadonlySet<string>): string | undefined {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last !== "id" && last !== "uuid" && last !== "guid" && last !== "gid") return undefined;
  const noun = words.at(-2);
  if (noun === undefined || (ofCredentials.has(noun) && kinds?.has(noun) !== true)) return undefined;
  return nounOf(noun);
}

/** Whether two nouns may be about one kind of record. */
export function mayBeSame(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  // An `ad` is no advertiser, but a work order may be an order.
  const isIn =
    short.length > 2 ? long.includes(short) : short === long || long.split(/[ _-]/).includes(short);
  return isIn || ((familiesOf.get(a) ?? 0) & (familiesOf.get(b) ?? 0)) !== 0;
}
