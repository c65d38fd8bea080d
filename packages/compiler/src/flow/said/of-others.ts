/** Sentences of comments that look as if they spoke of what is written here, and speak of something else. */

/** Whether a sentence says what held once: `In v1 limit was at most 100`, `Until 2023 the answer was plain text`. */
export const isOfThePast = (sentence: string): boolean => past.test(sentence);
const release = String.raw`(?:v\.? ?\d|version \d|(?:19|20)\d\d\b)`;
const past = new RegExp(
  [
    String.raw`\b(?:used to|formerly|previously|originally|deprecated|in the past|no longer)\b`,
    String.raw`\b(?:until|before|up to|till) ${release}|\bin (?:version |v)\d|\b(?:version |v)\d+ (?:\w+ed|had|gave|took|sent|was|were)\b`,
    String.raw`\b(?<!\bthis )(?:old|older|previous|former|earlier|legacy|retired) (?:APIs?|versions?|services?|clients?|apps?|forms?|formats?|releases?|endpoints?)`,
    String.raw`\b(?:was|were) (?:(?:always|only|still|then|once) )?(?:at most|up to|between|limited|counted|numbered|zero-based|one-based|given|sent|wanted|there|joined|one text|texts?|null|\d)`,
    String.raw`\bnow (?:it|they|there|is|are)\b`,
  ].join("|"),
  "i",
);

/** Whether a sentence says what people see, and not what requests take: `In the app, pages are numbered from 1`. */
export const isOfScreens = (sentence: string): boolean => screens.test(sentence);
const screens =
  /\b(?:in|on) (?:the|its|their|our|an?) (?:apps?|UI|screens?|website|dashboard|PDFs?|print(?:out)?s?|back office)\b/i;

/** Whether a sentence speaks of one list, where others may have more: `Search has pages of at most 20`, `the list of notes`. */
export const isOfOneList = (sentence: string): boolean => oneList.test(sentence);
const oneList = /\b(?:(?:the )?search (?:has|gives|takes)|the list of (?!all|every|any))/i;

/** Whether another parameter makes it so: `With include=answers, limit is at most 50`. */
export const isUnderCondition = (param: string, sentence: string): boolean =>
  sentence.includes("=") &&
  [...sentence.matchAll(/\b(?:with|if|when|where) [`"']?([\w$.[\]-]{1,40})=/gi)].some(
    ([, name]) => name !== param,
  );

/** Whether a sentence names requests, and not the one with this path: `GET /audit has entries with seq > after`. */
export function namesOtherRequest(text: string, path: string | undefined): boolean {
  const named = [...text.matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) (\/[\w/{}:.-]{1,80})/g)].map(([, each]) =>
    lastName(each!),
  );
  return path !== undefined && named.length > 0 && !named.includes(lastName(path));
}

/** `people` of `/groups/{id}/people?sort=id` */
const lastName = (path: string): string =>
  path
    .replace(/\?.*$|[:.]+$/, "")
    .split("/")
    .findLast((part) => /^[\w.-]*\w$/.test(part)) ?? "";
