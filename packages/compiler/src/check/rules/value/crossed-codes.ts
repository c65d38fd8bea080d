import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { isForm } from "../command/exchanged-cases.ts";
import { listsTold } from "../setup/exchanged-values.ts";
import { allCodes, type Codes, codesBySubject, keyOf, rankOf } from "./code-tables.ts";

const crossedCodes = defineRule<{ code: string; label: string; other: string; subject: string }>({
  id: "value/crossed-codes",
  severity: "warning",
  summary: "Two tables give the same names to each other's codes",
  why: "If 1 is “Urgent” in one and “Low” in the other, what is urgent comes back as the least important, and nothing fails.",
  guards: ["D23", "field.options", "option.source_fields"],
  message: ({ code, label, other, subject }) =>
    `\`${code}\` is “${label}” here, and “${other}” where the app has the \`${subject}\` elsewhere.`,
  because: ({ code, label, other }) => [
    `here: \`${code}\` is “${label}”`,
    `elsewhere: \`${code}\` is “${other}”`,
  ],
  help: () => "Use the same order in both.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Priority", "id": "priority", "type": "dropdown", "options": [{"display": "High", "value": "1"}, {"display": "Low", "value": "2"}]}',
      },
      bad: '{"!jq": "{email: .email, priority: «{\\"1\\": \\"Low\\", \\"2\\": \\"High\\"}»[.priority | tostring], chosen: ${custom_data.priority.value}}"}',
      good: '{"!jq": "{email: .email, priority: {\\"1\\": \\"High\\", \\"2\\": \\"Low\\"}[.priority | tostring], chosen: ${custom_data.priority.value}}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [crossedCodes],
  checks: {
    document(model, report) {
      const told = new Set<Codes>();
      for (const [subject, same] of codesBySubject(model))
        for (const [index, one] of same.entries())
          for (const two of same.slice(0, index)) {
            const [wrong, right] = rankOf(one) > rankOf(two) ? [two, one] : [one, two];
            if (areOfTwoMembers(wrong, right)) continue;
            if (told.has(wrong) || (wrong.by !== "program" && wrong.by === right.by)) continue;
            const found =
              crossing(wrong, right) ??
              shift(wrong, right) ??
              taken(wrong, right) ??
              repeated(wrong, right) ??
              crossedWords(wrong, right);
            if (found === undefined || isSaid(wrong, found, model)) continue;
            // Options that have each other's values are told as that.
            if (listsTold(model).some((list) => isIn(list, wrong) || isIn(list, right))) continue;
            told.add(wrong);
            report(crossedCodes, wrong.at, { ...found, subject }, [{ message: "elsewhere", at: right.at }]);
          }
      for (const { wrong, right, found } of lettersCrossed(model)) {
        if (told.has(wrong) || isSaid(wrong, found, model)) continue;
        told.add(wrong);
        report(crossedCodes, wrong.at, { ...found, subject: right.subjects[0]! }, [
          { message: "elsewhere", at: right.at },
        ]);
      }
    },
  },
};
export default module;

/** What a program makes of one code for two members, such as `stage` and `next`, needn't be the same. */
function areOfTwoMembers(one: Codes, other: Codes): boolean {
  if (one.given === undefined || other.given === undefined) return false;
  if (!("node" in one.at && "node" in other.at) || one.at.node !== other.at.node) return false;
  const words = wordsOf(other.given);
  return !wordsOf(one.given).some((word) => words.includes(word));
}

const isIn = ({ start, end }: JsonNode, { at }: Codes): boolean => {
  const node = "node" in at ? at.node : at;
  return start <= node.start && node.end <= end;
};

/** A code that two tables give to two names, where each other name that both have goes with a code of both, too. */
function crossing(
  one: Codes,
  other: Codes,
): Pick<Parameters<typeof crossedCodes.message>[0], "code" | "label" | "other"> | undefined {
  const turned = one.pairs.map(([code, label]) => [label, code] as const);
  for (const pairs of [one.pairs, turned]) {
    const labels = new Map(other.pairs.map(([code, label]) => [keyOf(label), code]));
    const names = new Map(other.pairs);
    const both = pairs.filter(([code, label]) => labels.has(keyOf(label)) && names.has(code));
    const crossed = both.filter(([code, label]) => labels.get(keyOf(label)) !== code);
    const [first] = crossed;
    if (
      first === undefined ||
      crossed.length < 2 ||
      both.length < pairs.length ||
      labels.size < other.pairs.length
    )
      continue;
    return { code: first[0], label: first[1], other: names.get(first[0])! };
  }
  return undefined;
}

/**
 * Two lists with the same names and the same codes, under whatever subject: `R` is “Merchants” in one. In the other, each code is how its
 * name begins.
 */
function* lettersCrossed(model: Model) {
  const alike = new Map<string, Codes[]>();
  for (const codes of allCodes(model)) {
    const { pairs, by } = codes;
    if (by !== "option" || pairs.length < 3 || !pairs.every(([code]) => /^[a-z]{1,4}$/i.test(code))) continue;
    const key = [pairs.map(([code]) => code), pairs.map(([, label]) => keyOf(label))]
      .map((each) => each.sort().join())
      .join(";");
    alike.set(key, [...(alike.get(key) ?? []), codes]);
  }
  for (const same of alike.values()) {
    const right = same.length > 1 ? same.find(areLetters) : undefined;
    if (right === undefined) continue;
    for (const wrong of same) {
      const found = wrong === right ? undefined : crossing(wrong, right);
      if (found !== undefined) yield { wrong, right, found };
    }
  }
}

const areLetters = ({ pairs }: Codes): boolean =>
  pairs.every(([code, label]) => label.toLowerCase().startsWith(code.toLowerCase()));

/**
 * A code that one table gives to another name because all its names are moved: it has each name that the other has, and none of them with
 * the same code, but all its codes, or all with the next one, as a list has that is read from 0.
 */
function shift(one: Codes, other: Codes): ReturnType<typeof crossing> {
  if ((other.pairs.length < 3 && !areEnds(one, other)) || one.pairs.length < other.pairs.length)
    return undefined;
  const codesByName = new Map(one.pairs.map(([code, label]) => [keyOf(label), code]));
  const names = new Map(one.pairs);
  const areOther = other.pairs.every(([code, label]) => (codesByName.get(keyOf(label)) ?? code) !== code);
  const steps = new Set(
    other.pairs.map(([code, label]) => Number(codesByName.get(keyOf(label))) - Number(code)),
  );
  const isMoved = areOther && (other.pairs.every(([code]) => names.has(code)) || isNext(steps));
  const first = isMoved ? other.pairs.find(([code]) => names.has(code)) : undefined;
  return first && { code: first[0], label: names.get(first[0])!, other: first[1] };
}

/** Whether a comment names the first and the last of a list: `1 is Monday, 7 Sunday` beside seven names. */
function areEnds({ pairs }: Codes, { by, pairs: said }: Codes): boolean {
  const [[first, name = ""] = [], [last, other = ""] = [], ...others] = said;
  if (by !== "comment" || others.length > 0 || pairs.length < 3) return false;
  const ends = [pairs[0]![1], pairs.at(-1)![1]].map(keyOf);
  return (
    Number(last) - Number(first) === pairs.length - 1 && keyOf(name) === ends[0] && keyOf(other) === ends[1]
  );
}

/**
 * A code that a table gives the name of another one in the comment, which has another name in the table. Of the same codes, some have the same
 * names in both.
 */
function taken(one: Codes, other: Codes): ReturnType<typeof crossing> {
  if (other.by !== "comment" || one.pairs.length < 3 || one.pairs.length !== other.pairs.length)
    return undefined;
  const names = new Map(other.pairs.map(([code, label]) => [code, keyOf(label)]));
  const owners = new Map(other.pairs.map(([code, label]) => [keyOf(label), code]));
  const own = new Map(one.pairs.map(([code, label]) => [code, keyOf(label)]));
  const isSame = one.pairs.every(([code]) => names.has(code));
  if (!isSame || owners.size < names.size || !one.pairs.some(([code]) => own.get(code) === names.get(code)))
    return undefined;
  for (const [code, label] of one.pairs) {
    const owner = owners.get(keyOf(label));
    if (owner === undefined || owner === code || own.get(owner) === keyOf(label)) continue;
    return { code, label, other: other.pairs.find(([each]) => each === code)![1] };
  }
  return undefined;
}

/**
 * A code that a table gives twice, the second time for a name that has a code of its own elsewhere: `{hail: "H", frost: "F", flood: "F"}` beside
 * `{H: "Hail", F: "Frost", W: "Flood"}`. All its other names have the same codes in both.
 */
function repeated(one: Codes, other: Codes): ReturnType<typeof crossing> {
  if (one.pairs.length < 3 || other.pairs.length < 3) return undefined;
  const codesByName = new Map(other.pairs.map(([code, label]) => [keyOf(label), code]));
  const names = new Map(other.pairs);
  if (codesByName.size < other.pairs.length || names.size < other.pairs.length) return undefined;
  for (const pairs of [one.pairs, one.pairs.map(([code, label]) => [label, code] as const)]) {
    const odd = pairs.filter(([code, label]) => codesByName.get(keyOf(label)) !== code);
    const [first, ...others] = odd;
    if (first === undefined || others.length > 0) continue;
    const [code, label] = first;
    const own = codesByName.get(keyOf(label));
    if (own === undefined || pairs.some((each) => each[0] === own)) continue;
    if (pairs.filter((each) => each[0] === code).length === 2 && names.has(code))
      return { code, label, other: names.get(code)! };
  }
  return undefined;
}

/**
 * Two codes that have each other's names in a table of words, where the comment says in more words what each is: `{daytime: 3, anytime: 2}`
 * beside “2 alone in the daytime, 3 alone at any time”. The words that a name has alone say which is meant.
 */
function crossedWords(one: Codes, other: Codes): ReturnType<typeof crossing> {
  if (other.by !== "comment" || one.pairs.length > MOST || one.pairs.length !== other.pairs.length)
    return undefined;
  const said = new Map(other.pairs);
  const turned = one.pairs.map(([name, code]) => [code, name] as const);
  const pairs = one.pairs.every(([code]) => said.has(code)) ? one.pairs : turned;
  if (new Set(pairs.map(([code]) => code)).size < said.size || !pairs.every(([code]) => said.has(code)))
    return undefined;
  const names = pairs.map(([code, name]) => ({ code, name, words: new Set(nameWords(name)) }));
  const labels = other.pairs.map(([code, label]) => ({ code, words: nameWords(label) }));
  const meant = new Map(
    names.map(({ code, words }) => {
      const about = labels.filter((label) =>
        [...words].some(
          (word) =>
            label.words.some((each) => isForm(word, each)) &&
            labels.filter((each) => each.words.some((own) => isForm(word, own))).length === 1,
        ),
      );
      return [code, about.length === 1 ? about[0]!.code : undefined] as const;
    }),
  );
  const first = names.find(({ code }) => {
    const own = meant.get(code);
    return own !== undefined && own !== code && meant.get(own) === code;
  });
  return first && { code: first.code, label: first.name, other: said.get(first.code)! };
}

/** Longer tables aren't compared word by word. */
const MOST = 12;

/** The words of a name; `any time` is `anytime`, too. */
const nameWords = (name: string): readonly string[] => {
  const words = wordsOf(name);
  return [...words, ...words.slice(1).map((word, at) => `${words[at]}${word}`)].filter(
    (word) => word.length > 2,
  );
};

const isNext = (steps: ReadonlySet<number>): boolean => steps.size === 1 && (steps.has(1) || steps.has(-1));

/** Whether a comment says what a code is here: it may be another one elsewhere. */
const isSaid = ({ at }: Codes, { code, label }: { code: string; label: string }, model: Model): boolean =>
  hasComments(model) &&
  commentsAround("node" in at ? at.node : at, []).some(({ value }) =>
    value
      .toLowerCase()
      .split(/[.,;()]|\b(?:and|or)\b/)
      .some((piece) => wordsOf(piece).includes(code.toLowerCase()) && piece.includes(keyOf(label))),
  );
