import type { Expression, ObjectConstruction } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { fieldChosen, staticOptions } from "../../../flow/chosen.ts";
import { countWords } from "../../../flow/durations.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";

const saidNumber = defineRule<{ key: string; display: string; number: number; said: number; other: string }>({
  id: "value/said-number",
  severity: "warning",
  summary: "An option says one number, and the program takes another one for it",
  why: "What customers read of an option is what they choose. Where the program takes the numbers that the other options say, but for one, whoever chooses that one gets something else than it says.",
  guards: ["field_option.display", "command.!jq", "D12"],
  message: ({ key, display, number }) => `“${display}” is chosen, and \`${key}\` is taken for ${number}.`,
  because: ({ display, said, other }) => [
    `“${display}” says ${said}`,
    `“${other}” is taken for the number that it says`,
  ],
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
          const { taken: wrong, says, other } = odd;
          report(saidNumber, partAt(wrong.program, wrong.node), {
            key: wrong.key,
            display: says.display,
            number: wrong.number,
            said: says.number,
            other,
          });
        }
    },
  },
};
export default module;

interface Said {
  readonly number: number;
  readonly noun: string;
  readonly display: string;
}

const counts = Object.keys(countWords)
  .filter((word) => countWords[word]! > 1)
  .join("|");
const counted = new RegExp(String.raw`(?<![\w.,-])(\d{1,4}|${counts})[ -]([a-z]{3,})\b(?!-)`, "gi");

/** The one number that each option says, with what it counts: `Summer (3 months)`. */
function numbersSaid(field: FieldSymbol): ReadonlyMap<string, Said> {
  const found = new Map<string, Said>();
  for (const { value, display } of staticOptions(field)) {
    const [match, ...others] = display.matchAll(counted);
    if (match === undefined || others.length > 0 || /\d/.test(display.replace(match[0], ""))) continue;
    const [, count = "", noun = ""] = match;
    const number = countWords[count.toLowerCase()] ?? Number(count);
    found.set(value, { number, noun: singular(noun.toLowerCase()), display });
  }
  return found;
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
    if (diagnostics.length > 0 || command.unit?.kind !== "workflow" || !/:\s*\d/.test(node.value)) continue;
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
    const [name, number] = [nameOf(key), value === undefined ? undefined : constantOf(bare(value))];
    return name === undefined || typeof number !== "number"
      ? []
      : [{ key: name, number, node: value!, program }];
  });

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

/** The one number that isn't what its option says, where all others are: two at least, or one where the member is called as what they count. */
function oddOf({ member, field, all }: Numbers, own: FieldSymbol, said: ReadonlyMap<string, Said>) {
  if (field !== undefined && field !== own) return undefined;
  const known = all.filter(({ key }) => said.has(key));
  if (known.length < 2 || new Set(known.map(({ key }) => key)).size < known.length) return undefined;
  if (new Set(known.map(({ key }) => said.get(key)!.noun)).size > 1) return undefined;
  const [odd, ...others] = known.filter(({ key, number }) => said.get(key)!.number !== number);
  if (odd === undefined || others.length > 0) return undefined;
  const says = said.get(odd.key)!;
  const isNamed = member !== undefined && wordsOf(member).map(singular).includes(says.noun);
  if (known.length < 3 && !isNamed) return undefined;
  const right = known.find((each) => each !== odd)!;
  return { taken: odd, says, other: said.get(right.key)!.display };
}
