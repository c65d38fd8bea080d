import { memoize } from "@configc/jq/internal";

/** What a comment says isn't sent, or is refused: nothing of which there is no value. */
export type Emptiness = "null" | "empty";

const empties = `(?:empty|null|skipped|blank)`;
const members = `(?:members?|values?|fields?|texts?|strings?|answers?|ones?|properties|details)`;
const forms: readonly RegExp[] = [
  // `refuses members that are null`, `refuses empty values`
  String.raw`\brefuses? (?:all |any )?(?:${empties} ${members}|${members} that are ${empties}|nulls?\b)`,
  // `Empty members are left out`, `What is empty here isn't sent`, `Fields without a value are not sent`
  String.raw`\b(?:${empties} ${members}|what (?:is|has) (?:${empties}|no value)(?: here)?|(?:${members}|parts|questions) (?:without (?:a value|an answer|one)|that are ${empties}|that (?:a \w+|it|the \w+) (?:doesn't|does not) have)),? (?:(?:is|are) (?:left out|dropped|omitted|removed|not sent|kept out|refused)|(?:isn't|aren't) sent)\b`,
].map((form) => new RegExp(form, "i"));

/** `Empty members are left out by the service`: then they may be sent. */
const byService =
  /\b(?:by (?:the |their )?(?:service|API|server|other side)|(?:the )?(?:service|API|server) (?:leaves|drops|ignores|skips|strips|omits|removes))\b/i;

/** Whether a comment says that members without a value are left out of what is sent, or refused. An edit leaves most comments as they are. */
export const omitsEmpty: (text: string) => boolean = memoize(
  (text) =>
    text
      .split(/(?<=[.;])\s+/)
      .some((sentence) => !byService.test(sentence) && forms.some((form) => form.test(sentence))),
  200,
);

/** What is spoken of is what may be left out: `Without audiologist_id …`, `note may be left out`, `Leave note out …`. */
const withoutOne =
  /(?:^|[.;:] |\b)(?:[Ww]ithout (?:an? )?["'`]?(?=[A-Za-z]\w*[_A-Z\d])|(?:[Ll]eave|[Ll]eaves|omit|[Oo]mit) (?:out )?["'`]?(?=[A-Za-z]\w*\b["'`]? (?:out|for|if|when|where)\b)|(?=[A-Za-z_]\w*["'`]? (?:may|can|is|must|should|has to|needs to) (?:be )?(?:left out|omitted|optional|missing|absent)\b))([A-Za-z_]\w*)\b[^.]{0,80}$/;

/** Names of which a comment says that an empty text is refused: `name (not empty)`, `note: a text, or left out; an empty one is answered with 422`. */
export const refusedEmpty: (text: string) => ReadonlySet<string> = memoize((text) => {
  const names = new Set<string>();
  for (const sentence of text.split(/(?<=\.)\s+/)) {
    for (const [, name] of sentence.matchAll(
      /\b([A-Za-z_]\w*)["'`]? (?:\((?:[^()]*, )?not empty\)|(?:must not|mustn't|may not|can't|cannot) be empty\b|is never empty\b)/g,
    ))
      names.add(name!);
    for (const [, name] of sentence.matchAll(
      /\b[Aa]n? empty ([a-z_]\w*) is (?:refused|rejected|answered with 4\d\d|an error)\b/g,
    ))
      names.add(name!);
    const refused =
      /\ban? empty (?:one|text|string|value) is (?:refused|rejected|answered with 4\d\d|an error)\b/i.exec(
        sentence,
      );
    if (refused === null) continue;
    // It speaks of what was named last: `note: a text …; an empty one is refused`.
    const before = [
      ...sentence.slice(0, refused.index).matchAll(/(?:^|[;,.] )["'`]?([A-Za-z_]\w*)["'`]?:/g),
    ].at(-1);
    if (before !== undefined) names.add(before[1]!);
    // `Without audiologist_id the clinic decides; an empty one is refused`
    const [, left] = withoutOne.exec(sentence.slice(0, refused.index)) ?? [];
    if (before === undefined && left !== undefined) names.add(left);
  }
  for (const word of ["text", "one", "string", "value", "member", "list"]) names.delete(word);
  return names;
}, 200);
