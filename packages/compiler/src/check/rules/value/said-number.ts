import type { Expression, ObjectConstruction } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { choicesIn, fieldChosen, staticOptions } from "../../../flow/chosen.ts";
import { durationOfName } from "../../../flow/duration-names.ts";
import { countWords } from "../../../flow/durations.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { sizes } from "../../../flow/unit-sizes.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { casesByOption } from "../command/exchanged-cases.ts";

const saidNumber = defineRule<{ key: string; display: string; number: number; said: number; other: string }>({
  id: "value/said-number",
  severity: "warning",
  summary: "An option says one number, and the program takes another one for it",
  why: "What customers read of an option is what they choose. Where the program takes the numbers that the other options say, but for one, whoever chooses that one gets something else than it says.",
  guards: ["field_option.display", "command.!jq", "D12"],
  message: ({ key, display, number }) => `“${display}” is chosen, and \`${key}\` is taken for ${number}.`,
  because: ({ display, said, other }) => [`“${display}” says ${said}`, `“${other}” says its number, too`],
  help: ({ said }) => `Write ${said}.`,
  fixes: ({ at, args: { said } }, { document }) => rewriteTo({ at, args: { instead: `${said}` } }, document),
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "plan", "label": "Plan", "type": "dropdown", "options": [{"display": "Trial, four lessons", "value": "trial"}, {"display": "Term, twelve lessons", "value": "term"}, {"display": "Year, 40 lessons", "value": "year"}]}',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, lessons: {trial: 4, term: «4», year: 40}[${custom_data.plan.value}]}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, lessons: {trial: 4, term: 12, year: 40}[${custom_data.plan.value}]}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: .email, lessons: {trial: 4, term: 12, year: 40}[${custom_data.plan.value}]}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
    },
    {
      title: "In the cases of a switch",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "plan", "label": "Plan", "type": "dropdown", "options": [{"display": "Classic (12 months)", "value": "classic"}, {"display": "Summer (3 months)", "value": "summer"}]}',
      },
      bad: '{"!pipe": [{"!switch": {"jq": "if ${custom_data.plan.value} == \\"summer\\" then 1 else 0 end", "cases": [{"!jq": "{email: .email, plan: \\"classic\\", months: 12}"}, {"!jq": "{email: .email, plan: \\"summer\\", months: «6»}"}]}}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!switch": {"jq": "if ${custom_data.plan.value} == \\"summer\\" then 1 else 0 end", "cases": [{"!jq": "{email: .email, plan: \\"classic\\", months: 12}"}, {"!jq": "{email: .email, plan: \\"summer\\", months: 3}"}]}}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!switch": {"jq": "if ${custom_data.plan.value} == \\"summer\\" then 1 else 0 end", "cases": [{"!jq": "{email: .email, plan: \\"classic\\", months: 12}"}, {"!jq": "{email: .email, plan: \\"summer\\", months: 3}"}]}}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [saidNumber],
  checks: {
    part(part, report) {
      const fields = part.workflows.flatMap((workflow) =>
        workflow.fields.flatMap((field) => {
          const said = numbersSaid(field);
          return said.size > 1 ? [{ field, said }] : [];
        }),
      );
      if (fields.length === 0) return;
      const taken = numbersTaken(part);
      for (const { field, said } of fields)
        for (const each of taken) {
          const odd = oddOf(each, field, said);
          if (odd === undefined) continue;
          const { taken: wrong, number: says, display, other } = odd;
          report(saidNumber, partAt(wrong.program, wrong.node), {
            key: wrong.key,
            display,
            number: wrong.number,
            said: says,
            other,
          });
        }
    },
  },
};
export default module;

interface Said {
  /** One, or the ends of a span: `Morning (8 to 12)`. */
  readonly numbers: readonly number[];
  /** What one number counts; empty for a span. */
  readonly noun: string;
  readonly display: string;
}

const counts = Object.keys(countWords)
  .filter((word) => countWords[word]! > 1)
  .join("|");
const counted = new RegExp(String.raw`(?<![\w.,-])(\d{1,4}|${counts})[ -]([a-z]{3,})\b(?!-)`, "gi");
const spanned = /(?<![\w.,:-])(\d{1,2}) (?:to|until|and|-|–) (\d{1,2})(?![\w.,:]\d)/;

/** The numbers that each option says, and what they count: `Summer (3 months)`. */
function numbersSaid(field: FieldSymbol): ReadonlyMap<string, Said> {
  const found = new Map<string, Said>();
  for (const { value, display } of staticOptions(field)) {
    const said = spanSaid(display) ?? numberSaid(display);
    if (said !== undefined) found.set(value, { ...said, display });
  }
  return found;
}

function spanSaid(display: string): Omit<Said, "display"> | undefined {
  const match = spanned.exec(display);
  if (match === null || /\d/.test(display.replace(match[0], ""))) return undefined;
  return { numbers: [Number(match[1]), Number(match[2])], noun: "" };
}

function numberSaid(display: string): Omit<Said, "display"> | undefined {
  const [match, ...others] = display.matchAll(counted);
  if (match === undefined || others.length > 0 || /\d/.test(display.replace(match[0], ""))) return undefined;
  const [, count = "", noun = ""] = match;
  return {
    numbers: [countWords[count.toLowerCase()] ?? Number(count)],
    noun: singular(noun.toLowerCase()),
  };
}

interface Taken {
  readonly key: string;
  readonly number: number;
  readonly node: Expression;
  readonly program: JqProgram;
}

interface Numbers {
  /** The member that gets them. */
  readonly member: string | undefined;
  /** The field by whose choice they are looked up, where the program says it. */
  readonly field: FieldSymbol | undefined;
  readonly all: readonly Taken[];
}

/** The numbers that programs take for words: in a table, or in objects that have the word beside the number. */
function numbersTaken({ programs }: Part): readonly Numbers[] {
  const found: Numbers[] = [];
  const beside = new Map<string, { readonly member: string; readonly all: Taken[] }>();
  for (const program of programs) {
    const { diagnostics, node, command } = program;
    if (diagnostics.length > 0 || command.unit?.kind !== "workflow" || !/\d/.test(node.value)) continue;
    found.push(...chosenBetween(program));
    found.push(...inCasesOf(program));
    for (const object of nodesOfKind(program, "Object")) {
      const numbers = numbersIn(object, program);
      if (numbers.length === 0) continue;
      if (numbers.length === object.entries.length) {
        const { member, field } = usedFor(object, program);
        found.push({ member, field, all: numbers });
        continue;
      }
      for (const { key, value } of object.entries) {
        const [name, word] = [nameOf(key), value === undefined ? undefined : constantOf(bare(value))];
        if (name === undefined || typeof word !== "string") continue;
        for (const each of numbers) {
          const pair = `${name} ${each.key}`;
          const known = beside.get(pair) ?? { member: each.key, all: [] };
          known.all.push({ ...each, key: word });
          beside.set(pair, known);
        }
      }
    }
  }
  return [...found, ...[...beside.values()].map((each) => ({ ...each, field: undefined }))];
}

const numbersIn = ({ entries }: ObjectConstruction, program: JqProgram): readonly Taken[] =>
  entries.flatMap(({ key, value }) => {
    const [name, number] = [nameOf(key), value === undefined ? undefined : numberIn(value)];
    return name === undefined || number === undefined ? [] : [{ key: name, number, node: value!, program }];
  });

/** A number, or the hour of a time of day: `"08:00"`. */
function numberIn(node: Expression): number | undefined {
  const constant = constantOf(bare(node));
  if (typeof constant === "number") return constant;
  const [, hour] = typeof constant === "string" ? (/^(\d{1,2}):00$/.exec(constant) ?? []) : [];
  return hour === undefined ? undefined : Number(hour);
}

/** `if ${custom_data.kind.value} == "full" then 40 else 10 end`: what is left is the one other option. */
function chosenBetween(program: JqProgram): readonly Numbers[] {
  return nodesOfKind(program, "If").flatMap((node): readonly Numbers[] => {
    const all: Taken[] = [];
    let field: FieldSymbol | undefined;
    for (const { condition, body } of node.branches) {
      const [choice, ...others] = choicesIn(condition, program);
      const number = numberIn(body);
      if (choice === undefined || others.length > 0 || !choice.isThat || number === undefined) return [];
      if (field !== undefined && field !== choice.field) return [];
      field = choice.field;
      all.push({ key: choice.value, number, node: body, program });
    }
    const rest = node.otherwise === undefined ? undefined : numberIn(node.otherwise);
    const left = (field === undefined ? [] : staticOptions(field)).filter(
      ({ value }) => !all.some(({ key }) => key === value),
    );
    if (rest !== undefined && left.length === 1)
      all.push({ key: left[0]!.value, number: rest, node: node.otherwise!, program });
    const entry = nodesOfKind(program, "Entry").find(
      ({ value }) => value !== undefined && bare(value) === node,
    );
    return [{ member: entry === undefined ? undefined : nameOf(entry.key), field, all }];
  });
}

/** The numbers of the cases to which a `!switch` leads by a choice: `{"rush": 1, "slow": 0}[…]`, with `{hours: 120}` and `{hours: 24}`. */
function inCasesOf(program: JqProgram): readonly Numbers[] {
  const { command, holes } = program;
  if (command.key !== "!switch" || !holes.some(({ root }) => root === "custom_data")) return [];
  const taken = casesByOption(program);
  const [field, ...others] = new Set(holes.flatMap(({ fields }) => fields));
  if (taken === undefined || !taken.isChosen || field === undefined || others.length > 0) return [];
  const byMember = new Map<string, Taken[]>();
  for (const [value, index] of taken.cases) {
    const made = command.children[index]?.program;
    const body = made === undefined || made.diagnostics.length > 0 ? undefined : plainBody(made);
    if (made === undefined || command.children[index]?.key !== "!jq" || body?.kind !== "Object") continue;
    for (const each of numbersIn(body, made)) {
      const known = byMember.get(each.key) ?? [];
      byMember.set(each.key, known);
      known.push({ ...each, key: value });
    }
  }
  return [...byMember].map(([member, all]) => ({ member, field, all }));
}

/** How many of what a member counts are one of what the options say: 24 `hours` of a day. */
function factorOf(member: string | undefined, noun: string): number {
  const [own, said] = [member, `${noun}s`].map((name) =>
    name === undefined ? undefined : durationOfName(name),
  );
  if (own === undefined || said === undefined || !isTime(own) || !isTime(said)) return 1;
  const factor = sizes.time[said] / sizes.time[own];
  return factor > 1 ? factor : 1;
}

const isTime = (unit: string): unit is keyof typeof sizes.time => Object.hasOwn(sizes.time, unit);

/** The member that gets what is looked up in a table, and the field by which. */
function usedFor(table: ObjectConstruction, program: JqProgram): Pick<Numbers, "member" | "field"> {
  const lookup = nodesOfKind(program, "Postfix").find(({ head }) => {
    const made = head.kind === "Variable" ? boundTo(program, head) : head;
    return made !== undefined && bare(made as Expression) === table;
  });
  const [suffix] = lookup?.suffixes ?? [];
  const entry = nodesOfKind(program, "Entry").find(
    ({ value }) => lookup !== undefined && value !== undefined && bare(value) === lookup,
  );
  return {
    member: entry === undefined ? undefined : nameOf(entry.key),
    field: suffix?.kind === "Index" ? fieldChosen(suffix.index, program) : undefined,
  };
}

/**
 * Whether an option may stand for another number than the one in its text: “10 guests or more” has no number, “12 lessons (one for free)” says
 * two, and “5 to 9” in the evening are 17 and 21 on the clock.
 */
const mayMeanOther = (number: number, says: number, { display, noun }: Said): boolean =>
  noun === "" ? Math.abs(number - says) === 12 || Math.abs(number - says) === 24 : isInexact.test(display);
const isInexact =
  /\b(?:about|above|after|additional|almost|approx\w*|around|at (?:least|most)|before|below|beyond|bonus|ca|circa|each|every|exceed\w*|extra|few\w*|free|from|gift|greater|included|includes|including|less|longer|max|maximum|min|minimum|more|nearly|no|over|per|plus|roughly|shorter|some|than|under|unlimited|up|within|without|ab|bis|mehr|mindestens|ohne|unter|über)\b|[+<>≤≥~±]/i;

/**
 * The one number that isn't what its option says, where all others are, or two that are each other's: three at least, or two where the member is
 * called as what they count.
 */
function oddOf({ member, field, all }: Numbers, own: FieldSymbol, said: ReadonlyMap<string, Said>) {
  if (field !== undefined && field !== own) return undefined;
  const known = all.filter(({ key }) => said.has(key));
  if (known.length < 2 || new Set(known.map(({ key }) => key)).size < known.length) return undefined;
  const { noun, numbers } = said.get(known[0]!.key)!;
  const isSame = known.every(
    ({ key }) => said.get(key)!.noun === noun && said.get(key)!.numbers.length === numbers.length,
  );
  const factor = factorOf(member, noun);
  const isNamed =
    member !== undefined && noun !== "" && (factor > 1 || wordsOf(member).map(singular).includes(noun));
  if (!isSame || (known.length < 3 && !isNamed)) return undefined;
  for (const at of numbers.keys()) {
    const saidOf = ({ key }: Taken): number => said.get(key)!.numbers[at]! * factor;
    const [odd, other, ...more] = known.filter((each) => saidOf(each) !== each.number);
    if (odd === undefined) return undefined;
    if (mayMeanOther(odd.number, saidOf(odd), said.get(odd.key)!)) return undefined;
    const areExchanged =
      other !== undefined && odd.number === saidOf(other) && other.number === saidOf(odd) && isNamed;
    if (more.length > 0 || (other !== undefined && !areExchanged)) continue;
    const right = known.find((each) => each !== odd)!;
    return {
      taken: odd,
      number: saidOf(odd),
      display: said.get(odd.key)!.display,
      other: said.get(right.key)!.display,
    };
  }
  return undefined;
}
