import { memoize } from "@configc/jq/internal";
import { isOfThePast } from "./said/of-others.ts";

/** What comments say of the request by which a service checks a URL, and of the answer that it waits for. */
export interface DocumentedChallenge {
  /** Where the challenge comes: in the address of a GET, or in the body of a POST. */
  readonly place: "query" | "body" | undefined;
  /** What is wanted back: plain text, or the members of an object. */
  readonly wanted: "text" | readonly string[] | undefined;
}

const check =
  /\b(?:challenges?d?|handshake|validat\w+|verif\w+|nonce|echo|prob(?:e|es|ed)|ping|url_check|knocks|check word)\b/i;
/** `?challenge=…`, `GET`: the address carries it. */
const byGet = /\bGET\b(?! \/)|\?\w+=|\bquery\b/;
/** `posts {"type": "check", "challenge": "…"}`: the body does. */
const byPost =
  /\b(?:posts?|POSTs?(?! \/)|sends?|gets?|receives?)\b[^.;{}]{0,60}\{[^{}]*\b(?:challenge|nonce|token|echo|probe|code|text)\b/i;
const wants =
  /\b(?:wants?|expects?|waits? for|needs|must (?:answer|return|reply|be answered)|(?:has|have) to (?:answer|return|reply|be answered)|(?:gets?|is answered with))\b/i;
const asText =
  /\b(?:challenge|nonce|text|echo|it|same)\b[^.;{}]{0,20}\bback\b[^.;{}]{0,20}\b(?:as (?:plain )?text\b(?!s)|text\/plain|in plain text)|\bas text\/plain\b/i;
/** `as text/plain or in an object` */
const orOtherwise = /\b(?:text|text\/plain)\b,? (?:or|and also)\b|\b(?:either|both)\b/i;
/** What says of itself that it is a challenge. */
const named = /\{[^{}]*\b(?:challenge|nonce|echo|probe)\b/i;
const ofRegistration = /\bPOST \/|\bregistration\b/;
/** `wants {"echo": nonce} back`, `must answer 200 with {"challenge": the same text}` */
const objectWanted = new RegExp(`${wants.source}[^.;{}]{0,60}?\\{([^{}]*)\\}`, "i");
const keys = /(?:^|,)\s*["'`]?([A-Za-z_]\w*)["'`]?\s*(?=:|,|$)/g;

/** What comments say together; nothing where they say two things. An edit leaves most comments as they are. */
export const documentedChallenge: (text: string) => DocumentedChallenge = memoize((text) => {
  const places = new Set<"query" | "body">();
  const wanted = new Map<string, "text" | readonly string[]>();
  // A name in quotes with a dot, `hook.challenge`, ends no sentence.
  for (const sentence of text.split(/(?<=[.;])\s+(?=[A-Z\d])|\n/)) {
    if (!check.test(sentence)) continue;
    for (const clause of sentence.split(/(?<=;)\s+/)) {
      // `POST /hooks is answered with {id}`: the registration.
      if (isOfThePast(clause) || ofRegistration.test(clause)) continue;

      if (byGet.test(clause)) places.add("query");
      if (byPost.test(clause) && (named.test(clause) || check.test(clause))) places.add("body");
      if (asText.test(clause) && !orOtherwise.test(clause)) wanted.set("text", "text");
      const [, members] = objectWanted.exec(clause) ?? [];
      const names = members === undefined ? [] : [...members.matchAll(keys)].map(([, name]) => name!);
      if (names.length > 0) wanted.set(names.join(), names);
    }
  }
  const [place, ...places2] = places;
  const [form, ...forms] = wanted.values();
  return {
    place: places2.length === 0 ? place : undefined,
    wanted: forms.length === 0 ? form : undefined,
  };
}, 100);
