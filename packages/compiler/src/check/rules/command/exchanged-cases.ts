import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { choicesIn, type Option, staticOptions } from "../../../flow/chosen.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { toJson } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

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
  ],
});

const module: RuleModule = {
  rules: [exchangedCases],
  checks: {
    command: {
      "!switch"({ program, children }, report) {
        if (program === undefined || program.diagnostics.length > 0 || children.length < 2) return;
        const found = casesByOption(program);
        if (found === undefined || found.cases.size < 2) return;
        const texts = children.map((child) => (child === undefined ? "" : textOf(child)));
        const ways = staticOptions(found.field).flatMap((option) => {
          const own = found.cases.get(option.value);
          return own === undefined ? [] : [{ option, own, at: casesAbout(option, texts) }];
        });
        for (const [index, one] of ways.entries())
          for (const other of ways.slice(index + 1)) {
            if (one.own === other.own) continue;
            const own = one.at.find(({ index: at }) => at === other.own);
            const back = other.at.find(({ index: at }) => at === one.own);
            if (own === undefined || back === undefined || one.at.length > 1 || other.at.length > 1) continue;
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

interface ByOption {
  readonly field: FieldSymbol;
  readonly at: Expression;
  /** The case that runs, by the option's value. */
  readonly cases: ReadonlyMap<string, number>;
}

/** Which case a program takes for each option of a field: by a table, or by comparing one after the other. */
function casesByOption(program: JqProgram): ByOption | undefined {
  const body = plainBody(program);
  if (body.kind === "Postfix" && bare(body.head as Expression).kind === "Object") {
    const [suffix, ...others] = body.suffixes;
    const index = suffix?.kind === "Index" ? bare(suffix.index) : undefined;
    const field = index?.kind === "Hole" ? program.holes[index.hole]?.fields : undefined;
    const table = bare(body.head as Expression);
    if (table.kind !== "Object" || field?.length !== 1 || others.length > 0) return undefined;
    const cases = new Map<string, number>();
    for (const { key, value } of table.entries) {
      const [name, number] = [nameOf(key), value === undefined ? undefined : constantOf(value)];
      if (name === undefined || typeof number !== "number") return undefined;
      cases.set(name, number);
    }
    return { field: field[0]!, at: table, cases };
  }
  const [first] = nodesOfKind(program, "If");
  if (first === undefined || body !== first) return undefined;
  const cases = new Map<string, number>();
  let field: FieldSymbol | undefined;
  for (const { condition, body: taken } of first.branches) {
    const [choice, ...others] = choicesIn(condition, program);
    const number = constantOf(taken);
    if (choice === undefined || others.length > 0 || !choice.isThat || typeof number !== "number")
      return undefined;
    if (field !== undefined && field !== choice.field) return undefined;
    field = choice.field;
    cases.set(choice.value, number);
  }
  const rest = first.otherwise === undefined ? undefined : constantOf(first.otherwise);
  if (field === undefined) return undefined;
  const left = staticOptions(field).filter(({ value }) => !cases.has(value));
  if (typeof rest === "number" && left.length === 1) cases.set(left[0]!.value, rest);
  return { field, at: first, cases };
}

/** The cases in whose texts an option's value or what it shows stands as a word. */
function casesAbout(
  { value, display }: Option,
  texts: readonly string[],
): readonly { readonly index: number; readonly word: string }[] {
  const words = [value, display].map((word) => word.toLowerCase()).filter((word) => /^[a-z]{3,}$/.test(word));
  return texts.flatMap((text, index) => {
    const word = words.find((each) => new RegExp(`(?:^|[^a-z])${each}s?(?:[^a-z]|$)`).test(text));
    return word === undefined ? [] : [{ index, word }];
  });
}

/** What a case is about: its texts without what it reads. */
function textOf({ node }: Command): string {
  return JSON.stringify(toJson(node))
    .replace(/\$[{<][^}>]*[}>]/g, "")
    .toLowerCase();
}
