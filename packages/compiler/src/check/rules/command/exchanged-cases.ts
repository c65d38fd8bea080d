import type { Expression, If, Postfix } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Command, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type Choice, choicesIn, fieldChosen, type Option, staticOptions } from "../../../flow/chosen.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesOfKind } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { toJson } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { titledCase } from "./titled-cases.ts";

const exchangedCases = defineRule<{ option: string; word: string; own: number; other: number }>({
  id: "command/exchanged-cases",
  severity: "warning",
  summary: "Two options lead to each other's cases",
  why: "What a customer chose decides which case of a `!switch` runs. Where the case of one option is about the other option, and the other way round, everybody gets what they didn't choose.",
  guards: ["command.!switch", "field_option.value", "D26"],
  message: ({ option, word, own, other }) =>
    `“${option}” leads to case ${own}, but \`${word}\` stands in case ${other}.`,
  because: ({ option, own, other }) => [
    `a customer chooses “${option}”: case ${own} runs`,
    `case ${other} is about “${option}”`,
  ],
  help: () => "Swap the two numbers.",
  examples: [
    {
      title: "D26",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Channel", "id": "channel", "type": "dropdown", "options": [{"display": "Mail", "value": "mail"}, {"display": "Letter", "value": "letter"}]}',
      },
      bad: '{"!switch": {"jq": "«{\\"mail\\": 1, \\"letter\\": 0}»[${custom_data.channel.value}]", "cases": [{"!http": {"method": "POST", "path": "/mails", "body": {"to": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/letters", "body": {"to": "${piped_content.0.email}"}}}]}}',
      good: '{"!switch": {"jq": "{\\"mail\\": 0, \\"letter\\": 1}[${custom_data.channel.value}]", "cases": [{"!http": {"method": "POST", "path": "/mails", "body": {"to": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/letters", "body": {"to": "${piped_content.0.email}"}}}]}}',
    },
    {
      title: "One of the two cases says what it is about",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Purpose", "id": "purpose", "type": "dropdown", "options": [{"display": "Home use (duty is paid)", "value": "home_use"}, {"display": "Export", "value": "export"}, {"display": "To another bond", "value": "transfer"}]}',
      },
      bad: '{"!switch": {"jq": "«{\\"home_use\\": 0, \\"export\\": 2, \\"transfer\\": 1}»[${custom_data.purpose.value}]", "cases": [{"!http": {"method": "POST", "path": "/duty-declarations", "body": {"payer": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/export-declarations", "body": {"for": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/movements", "body": {"for": "${piped_content.0.email}"}}}]}}',
      good: '{"!switch": {"jq": "{\\"home_use\\": 0, \\"export\\": 1, \\"transfer\\": 2}[${custom_data.purpose.value}]", "cases": [{"!http": {"method": "POST", "path": "/duty-declarations", "body": {"payer": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/export-declarations", "body": {"for": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/movements", "body": {"for": "${piped_content.0.email}"}}}]}}',
    },
    {
      title: "The tags of the cases",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": "{email, stage}"}, {"!switch": {"jq": "«{\\"quoted\\": 0, \\"printing\\": 1, \\"shipped\\": 2}»[.stage]", "cases": [{"!jq": ". + {_tags: [\\"print-running\\"]}"}, {"!jq": ". + {_tags: [\\"print-quoted\\"]}"}, {"!jq": ". + {_tags: [\\"print-shipped\\"]}"}]}}]}',
      good: '{"!pipe": [{"!jq": "{email, stage}"}, {"!switch": {"jq": "{\\"quoted\\": 0, \\"printing\\": 1, \\"shipped\\": 2}[.stage]", "cases": [{"!jq": ". + {_tags: [\\"print-quoted\\"]}"}, {"!jq": ". + {_tags: [\\"print-running\\"]}"}, {"!jq": ". + {_tags: [\\"print-shipped\\"]}"}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [exchangedCases],
  checks: {
    command: {
      "!switch"({ node, program, children, unit }, report, model) {
        if (program === undefined || program.diagnostics.length > 0 || children.length < 2) return;
        const found = casesByOption(program);
        if (found === undefined || found.cases.size < 2) return;
        const denied = deniedFlag(found, children);
        if (denied !== undefined) {
          report(exchangedCases, { node: program.node, from: found.at.start, to: found.at.end }, denied);
          return;
        }
        const texts = children.map((child) => {
          const text = child === undefined ? "" : textOf(child);
          const words = [...wordsIn(text), ...joinedIn(text), ...numbersIn(text)];
          // What a program calls now is today.
          return isNow.test(text) ? [...words, "today"] : words;
        });
        const { options } = found;
        const said = hasComments(model) ? commentsAround(node, []).map(({ value }) => value) : [];
        const shared = sharedBy(options.map(wordsOf));
        const words = options.map((option) => wordsOf(option).filter((word) => !shared.has(word)));
        if (unit?.kind === "workflow" && found.isChosen) {
          const own = options.map(({ value }) => found.cases.get(value));
          const titled = titledCase(words, own, children, unit, model);
          if (titled !== undefined) {
            const { option, title: word, other } = titled;
            const at = { node: program.node, from: found.at.start, to: found.at.end };
            report(exchangedCases, at, { option: options[option]!.display, word, own: own[option]!, other });
            return;
          }
        }
        if (said.some((text) => ofOtherSide.test(text))) return;
        const numbers = numbersSaid(words, said);
        const sharedNumbers = sharedBy(numbers);
        const ways = options.flatMap((option, index): readonly Way[] => {
          const own = found.cases.get(option.value);
          const about = [...words[index]!, ...numbers[index]!.filter((each) => !sharedNumbers.has(each))];
          return own === undefined ? [] : [{ option, own, at: casesAbout(about, texts) }];
        });
        for (const [index, one] of ways.entries())
          for (const other of ways.slice(index + 1)) {
            if (one.own === other.own) continue;
            const [own, back] = [most(one.at), most(other.at)];
            if (own?.index !== other.own || back?.index !== one.own) {
              const silent = oneSided(one, other, ways, children) ?? oneSided(other, one, ways, children);
              if (silent === undefined) continue;
              const { display: option } = silent.way.option;
              const at = { node: program.node, from: found.at.start, to: found.at.end };
              const { index: there, word } = silent.about;
              report(exchangedCases, at, { option, word, own: silent.way.own, other: there });
              return;
            }
            const at = { node: program.node, from: found.at.start, to: found.at.end };
            const { display: option } = one.option;
            report(exchangedCases, at, { option, word: own.word, own: one.own, other: other.own });
            return;
          }
      },
    },
  },
};
export default module;

/** An option, the case that it leads to, and the cases that are about it. */
interface Way {
  readonly option: Pick<Option, "value" | "display">;
  readonly own: number;
  readonly at: readonly Case[];
}

/**
 * Of two options whose cases may be exchanged, the one that only the path of the other's case is about, where that of the other option
 * says nothing of it, and a third option leads to what is about it.
 */
function oneSided(
  one: Way,
  other: Way,
  ways: readonly Way[],
  children: Command["children"],
): { readonly way: Way; readonly about: Case } | undefined {
  const [about, ...others] = one.at;
  if (about === undefined || others.length > 0 || about.index !== other.own) return undefined;
  // What both say tells nothing: `/customers/${…}/hold` with `held` and with `released`.
  const isSilent =
    other.at.length === 0 ||
    (most(other.at) === undefined &&
      [one, other].every(({ own }) => other.at.some(({ index }) => index === own)));
  if (!isSilent) return undefined;
  // Another option that leads there, too, may be what it is about.
  if (ways.some((way) => way !== other && way.own === about.index)) return undefined;
  const isConfirmed = ways.some((way) => way !== one && way !== other && most(way.at)?.index === way.own);
  const child = children[about.index];
  const paths = child === undefined ? [] : [...textOf(child).matchAll(/"(?:path|url)":"([^"]*)"/g)];
  const isInPath = paths.some(([, path]) => wordsIn(path!).some((word) => isForm(about.word, word)));
  // A word alone that is sent: `"standing": "released"`.
  const sent = child === undefined ? [] : [...textOf(child).matchAll(/"\w+":\s*"([A-Za-z_-]+)"/g)];
  const isSent =
    other.at.length > 0 && sent.some(([, word]) => isForm(one.option.value, word!.toLowerCase()));
  // A tag alone: `_tags: ["order-released"]`.
  const tags = child === undefined ? [] : [...textOf(child).matchAll(/\[\\?"([\w -]+)\\?"\]/g)];
  const isTagged = tags.some(([, tag]) => wordsIn(tag!).includes(one.option.value.toLowerCase()));
  return isConfirmed && (isInPath || isSent || isTagged) ? { way: one, about } : undefined;
}

/**
 * An option whose case says that it isn't what was chosen, `certified: false` for “Certified”, where another option's case says that it is. What a
 * record is may be turned round on purpose, but not what a customer chose.
 */
function deniedFlag(
  { options, cases, isChosen }: ByOption,
  children: Command["children"],
):
  | { readonly option: string; readonly word: string; readonly own: number; readonly other: number }
  | undefined {
  if (!isChosen) return undefined;
  const texts = children.map((child) => (child === undefined ? "" : textOf(child)));
  if (!texts.some((text) => /:\s{0,9}false\b/.test(text))) return undefined;
  for (const { value, display } of options) {
    const own = cases.get(value);
    if (own === undefined || !/^[A-Za-z][\w-]*$/.test(value)) continue;
    const written = escapedPattern(value.replaceAll("-", "_"));
    const flag = new RegExp(
      String.raw`(?<![\w.])(?:(?:is|on|in|as|has|set)_?)?${written}(?:e?d)?(?:\\?")?\s{0,9}:\s{0,9}(true|false)\b`,
      "gi",
    );
    const flags = texts.map((text) => new Set([...text.matchAll(flag)].map((match) => match[1])));
    const denies = flags[own]?.has("false") && !flags[own].has("true");
    const other = flags.findIndex((each, index) => index !== own && each.has("true") && !each.has("false"));
    if (denies && [...cases.values()].includes(other)) return { option: display, word: value, own, other };
  }
  return undefined;
}

interface ByOption {
  /** Whether a customer chooses among them. */
  readonly isChosen: boolean;
  readonly options: readonly Pick<Option, "value" | "display">[];
  readonly at: Expression;
  /** The case that runs, by the option's value. */
  readonly cases: ReadonlyMap<string, number>;
}

/** Which case a program takes for each option of a field, or for each word: by a table, a list, or comparing one after the other. */
export function casesByOption(program: JqProgram): ByOption | undefined {
  const body = plainBody(program);
  if (body.kind === "Postfix") return casesOfTable(body, program);
  if (body.kind === "Pipeline") {
    // `${custom_data.kind.value} | if . == "plain" then 0 else 1 end`
    const [chosen, asked, ...others] = body.stages;
    const chain = asked !== undefined && isExpression(asked) ? bare(asked) : undefined;
    const field = chosen !== undefined && isExpression(chosen) ? fieldChosen(chosen, program) : undefined;
    if (field !== undefined && chain?.kind === "If" && others.length === 0)
      return casesOfBranches(chain, program, field);
  }
  if (body.kind === "Pipeline" || body.kind === "Alternative") return casesOfList(body, program);
  const [first] = nodesOfKind(program, "If");
  // `if . == null then 0 else {"mail": 1, "letter": 2}[.way] end`
  if (first !== undefined && body === first) {
    const [table] = [...first.branches.map((branch) => branch.body), first.otherwise].flatMap((way) => {
      const node = way === undefined ? undefined : bare(way);
      return node?.kind === "Postfix" ? (casesOfTable(node, program) ?? []) : [];
    });
    if (table !== undefined) return table;
  }
  return first !== undefined && body === first ? casesOfBranches(first, program) : undefined;
}

/** What each word is shown as: as it is, unless an option of a field has it. */
const shownAs = (words: Iterable<string>): ByOption["options"] =>
  [...words].map((value) => ({ value, display: value }));

/** `{"mail": 0, "letter": 1}[…]` */
function casesOfTable({ head, suffixes }: Postfix, program: JqProgram): ByOption | undefined {
  const table = bare(head as Expression);
  const [suffix, ...others] = suffixes;
  if (table.kind !== "Object" || suffix?.kind !== "Index" || others.length > 0) return undefined;
  const cases = new Map<string, number>();
  for (const { key, value } of table.entries) {
    const [name, number] = [nameOf(key), value === undefined ? undefined : constantOf(value)];
    if (name === undefined || typeof number !== "number") return undefined;
    cases.set(name, number);
  }
  const field = fieldChosen(suffix.index, program);
  const options = field === undefined ? shownAs(cases.keys()) : staticOptions(field);
  return { options, at: table, cases, isChosen: field !== undefined };
}

/** `["mail", "letter"] | index(…)`, also with `// 2` behind it. */
function casesOfList(given: Expression, program: JqProgram): ByOption | undefined {
  const node = bare(given);
  if (node.kind === "Alternative") return casesOfList(node.operands[0]!, program);
  const [list, found] = node.kind === "Pipeline" ? node.stages.slice(-2) : [];
  const call = found?.kind === "Alternative" ? bare(found.operands[0]!) : found;
  if (list?.kind !== "Array" || list.body?.kind !== "Comma") return undefined;
  if (call?.kind !== "Call" || call.name.text !== "index") return undefined;
  const words = list.body.items.map(constantOf);
  if (!words.every((word): word is string => typeof word === "string")) return undefined;
  const field = call.arguments[0] === undefined ? undefined : fieldChosen(call.arguments[0], program);
  const options = field === undefined ? [] : staticOptions(field);
  return {
    options: options.length > 0 ? options : shownAs(words),
    at: list,
    cases: new Map(words.map((word, at) => [word, at])),
    isChosen: field !== undefined,
  };
}

/** @param piped the field whose choice is the input of all conditions */
function casesOfBranches(chain: If, program: JqProgram, piped?: FieldSymbol): ByOption | undefined {
  const cases = new Map<string, number>();
  let field = piped;
  for (const { condition, body: taken } of chain.branches) {
    const [choice, ...others] =
      piped === undefined ? choicesIn(condition, program) : choiceOfInput(condition, piped);
    const number = constantOf(taken);
    if (typeof number !== "number") return undefined;
    // What else is asked has cases of its own.
    if (choice === undefined) continue;
    // Where more is asked, too, the option has another case without it: `== "sms" and .mobile == null`.
    if (bare(condition).kind === "Logical") return undefined;
    if (others.length > 0 || !choice.isThat || (field !== undefined && field !== choice.field))
      return undefined;
    field = choice.field;
    cases.set(choice.value, number);
  }
  const rest = chain.otherwise === undefined ? undefined : constantOf(chain.otherwise);
  if (field === undefined) return undefined;
  const options = staticOptions(field);
  const left = options.filter(({ value }) => !cases.has(value));
  if (typeof rest === "number" && left.length === 1) cases.set(left[0]!.value, rest);
  return { options, at: chain, cases, isChosen: true };
}

/** `. == "plain"` */
function choiceOfInput(condition: Expression, field: FieldSymbol): readonly Choice[] {
  const node = bare(condition);
  if (node.kind !== "Comparison" || node.operator !== "==") return [];
  const value = constantOf(node.right);
  return bare(node.left).kind === "Identity" && typeof value === "string"
    ? [{ field, value, isThat: true }]
    : [];
}

interface Case {
  readonly index: number;
  readonly word: string;
  /** How many of the words stand in it. */
  readonly count: number;
}

/** The cases in whose texts words of an option stand, also in another form: a case with a certificate is about “Certified”. */
const casesAbout = (words: readonly string[], texts: readonly (readonly string[])[]): readonly Case[] =>
  texts.flatMap((text, index) => {
    const own = words.filter((each) => text.some((other) => isForm(each, other)));
    return own.length === 0 ? [] : [{ index, word: own[0]!, count: own.length }];
  });

/** The one case that has more of the words than any other. */
function most(cases: readonly Case[]): Case | undefined {
  const greatest = Math.max(...cases.map(({ count }) => count));
  const [first, ...others] = cases.filter(({ count }) => count === greatest);
  return others.length > 0 ? undefined : first;
}

/** What several options have tells none of them apart. */
function sharedBy(options: readonly (readonly string[])[]): ReadonlySet<string> {
  const [seen, several] = [new Set<string>(), new Set<string>()];
  for (const words of options) for (const word of new Set(words)) (seen.has(word) ? several : seen).add(word);
  return several;
}

/** The numbers that comments say of each option alone: `333 kg per m³ by road`. */
function numbersSaid(
  options: readonly (readonly string[])[],
  comments: readonly string[],
): readonly (readonly string[])[] {
  const optionOf = new Map(options.flatMap((words, index) => words.map((word) => [word, index] as const)));
  const numbers: string[][] = options.map(() => []);
  for (const clause of comments.flatMap((text) => text.split(/[.;,:](?=\s)/))) {
    const [only, ...others] = new Set(wordsIn(clause).flatMap((word) => optionOf.get(word) ?? []));
    if (only !== undefined && others.length === 0) numbers[only]!.push(...numbersIn(clause));
  }
  return numbers;
}

/** The digits of numbers but for zeros at their ends, `333` of `0.333`, so that another unit makes no difference; a one says nothing. */
const numbersIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w.,])\d[\d.,]*/g)]
    .map(([number]) => number.replace(/[.,]/g, "").replace(/^0+|0+$/g, ""))
    .filter((digits) => digits !== "" && digits !== "1");

const wordsOf = ({ value, display }: Pick<Option, "value" | "display">): readonly string[] => [
  ...wordsIn(`${value} ${display}`).filter((word) => word.length > 2 && !ofAnything.has(word)),
  ...joinedIn(value),
];

/** Words that are written as one: `handout` of `hand_out` and `/hand-outs`. */
const joinedIn = (text: string): readonly string[] =>
  (text.match(/[A-Za-z]+(?:[-_][A-Za-z]+)+/g) ?? []).map((word) => word.replace(/[-_]/g, "").toLowerCase());

/** Words that say nothing of what is chosen, or that requests are made of. */
const ofAnything: ReadonlySet<string> = new Set(
  "the and for with from into per not one two three day days hour hours week weeks month months free only also post put patch get delete http body path method params headers data value true false null".split(
    " ",
  ),
);

const wordsIn = (text: string): readonly string[] =>
  text
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .match(/[a-z]+/g) ?? [];

/** The time at which it runs, and no other one that is reckoned from it. */
const isNow = /(?<![\w.$"-])now(?!\s*[-+]|[\w-])/;

/** Whether two words are the same, in the plural too, or begin alike for longer than they differ: `certified` and `certificate`. */
export function isForm(word: string, other: string): boolean {
  if (word === other || `${word}s` === other) return true;
  let length = 0;
  while (length < word.length && word[length] === other[length]) length++;
  return length >= 5 && length > Math.max(word.length, other.length) - length + 1;
}

/** What a case is about: its texts without what it reads. A comment may speak of another one. */
function textOf({ node }: Command): string {
  return JSON.stringify(toJson(node), (name, value: unknown) =>
    name === "_comment" ? undefined : value,
  ).replace(/\$[{<][^}>]*[}>]/g, "");
}

/** One side's credit is the other's debit, and what we import the service exports. */
const ofOtherSide =
  /\bseen from\b|\bfrom (?:its|their|our|the \w+'s) (?:side|(?:point of )?view)\b|\b(?:of|for) (?:ours|theirs)\b|\bwhat (?:we|they|customers) \w+, (?:we|they|it|the \w+) \w+|\b(?:an?|the|each|every) \w+ (?:ends|closes|undoes|cancels|takes back) (?:an?|the)\b|\b(?:the )?other way (?:a)?round\b/i;
