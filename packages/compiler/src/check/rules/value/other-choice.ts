import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver } from "../../../flow/counted.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { fieldOf } from "../../../flow/field-of.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { nounOfId } from "../../../flow/nouns.ts";
import { objectItems, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";

const otherChoice = defineRule<{ option: string; read: string; own: string; instead: string }>({
  id: "value/other-choice",
  severity: "warning",
  summary: "For a chosen kind of person or record the id of another one is taken",
  why: "A form asks for whom or what something is, and the program takes the id of that one. With another id, all customers who choose this option reach somebody else, who exists as well: no request fails.",
  guards: ["field_option.value", "command.!jq", "D3", "D12"],
  message: ({ option, read, own }) =>
    `Where \`${option}\` is chosen, this takes \`${read}\`. A comment shows \`${own}\` beside it.`,
  because: ({ option, read }) => [`a customer chooses \`${option}\``, `the program takes \`${read}\``],
  help: ({ instead }) => `Take \`${instead}\`.`,
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      title: "The other one of two",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/_comment": '"student_id has the lesson, booker_id pays, tutor_id gives it."',
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "whom", "label": "Write to", "type": "dropdown", "options": [{"display": "The student", "value": "student"}, {"display": "Whoever booked", "value": "booker"}]}',
      },
      bad: '{"!pipe": [{"!jq": "{person: (if ${custom_data.whom.value} == \\"student\\" then .student_id else «.tutor_id» end)}"}, {"!http": {"path": "/people/${piped_content.1.person}"}}, {"!jq": "{email: .email}"}]}',
      good: '{"!pipe": [{"!jq": "{person: (if ${custom_data.whom.value} == \\"student\\" then .student_id else .booker_id end)}"}, {"!http": {"path": "/people/${piped_content.1.person}"}}, {"!jq": "{email: .email}"}]}',
      fixed:
        '{"!pipe": [{"!jq": "{person: (if ${custom_data.whom.value} == \\"student\\" then .student_id else .booker_id end)}"}, {"!http": {"path": "/people/${piped_content.1.person}"}}, {"!jq": "{email: .email}"}]}',
    },
    {
      title: "In a table",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/_comment": '"buyer_id orders, payer_id gets the bill, agent_id is one of ours."',
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "whom", "label": "Write to", "type": "dropdown", "options": [{"display": "Buyer", "value": "buyer"}, {"display": "Payer", "value": "payer"}]}',
      },
      bad: '{"!pipe": [{"!jq": "{person: {buyer: .buyer_id, payer: «.agent_id»}[${custom_data.whom.value}]}"}, {"!http": {"path": "/people/${piped_content.1.person}"}}, {"!jq": "{email: .email}"}]}',
      good: '{"!pipe": [{"!jq": "{person: {buyer: .buyer_id, payer: .payer_id}[${custom_data.whom.value}]}"}, {"!http": {"path": "/people/${piped_content.1.person}"}}, {"!jq": "{email: .email}"}]}',
      fixed:
        '{"!pipe": [{"!jq": "{person: {buyer: .buyer_id, payer: .payer_id}[${custom_data.whom.value}]}"}, {"!http": {"path": "/people/${piped_content.1.person}"}}, {"!jq": "{email: .email}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherChoice],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!reads.test(program.node.value) || !hasComments(model) || program.diagnostics.length > 0) return;
      if (program.command.unit?.kind !== "workflow") return;
      for (const ways of [...branchesIn(program), ...tablesIn(program)]) {
        // One that is right shows that options are called like ids.
        if (!ways.some(({ option, read }) => nounOfId(idRead(read) ?? "") === option)) continue;
        for (const { option, read } of ways) {
          const name = idRead(read);
          const own = name === undefined || nounOfId(name) === option ? undefined : ownId(option, name);
          if (name === undefined || own === undefined || !isShown(own, name, program, model)) continue;
          const text = textAt(read, program);
          const instead = `${text.slice(0, -name.length)}${own}`;
          report(otherChoice, partAt(program, read), { option, read: text, own, instead });
        }
      }
    },
  },
};
export default module;

/** A choice, and an id. */
const reads = /custom_data[\s\S]*(?:_id|Id)\b|(?:_id|Id)\b[\s\S]*custom_data/;

/** What is read where an option is chosen. */
interface Way {
  readonly option: string;
  readonly read: Expression;
}

/** `if ${custom_data.whom.value} == "student" then .student_id else .booker_id end`, where there are two options. */
function branchesIn(program: JqProgram): readonly (readonly Way[])[] {
  return nodesOfKind(program, "If").flatMap(({ branches: [branch, ...others], otherwise }) => {
    const condition = branch === undefined ? undefined : bare(branch.condition);
    if (branch === undefined || others.length > 0 || otherwise === undefined) return [];
    if (condition?.kind !== "Comparison" || !/^[!=]=$/.test(condition.operator)) return [];
    const asked = constantOf(condition.right);
    const field = fieldOf(condition.left, program);
    const options = objectItems(field?.node.get("options")).map((option) => textOf(option, "value"));
    if (typeof asked !== "string" || options.length !== 2 || !options.includes(asked)) return [];
    const other = options.find((option) => option !== asked);
    if (other === undefined) return [];
    const [own, rest] = condition.operator === "==" ? [asked, other] : [other, asked];
    return [
      [
        { option: own, read: bare(branch.body) },
        { option: rest, read: bare(otherwise) },
      ],
    ];
  });
}

/** `{student: .student_id, booker: .booker_id}[${custom_data.whom.value}]` */
function tablesIn(program: JqProgram): readonly (readonly Way[])[] {
  return nodesOfKind(program, "Postfix").flatMap(({ head, suffixes: [index] }) => {
    const table = bare(head);
    if (table.kind !== "Object" || index?.kind !== "Index") return [];
    if (fieldOf(index.index, program) === undefined) return [];
    return [
      table.entries.flatMap(({ key, value }): readonly Way[] => {
        const option = nameOf(key);
        return option === undefined || value === undefined ? [] : [{ option, read: bare(value) }];
      }),
    ];
  });
}

/** `booker_id` of `.booking.booker_id`. */
function idRead(read: Expression): string | undefined {
  const name = read.kind === "Postfix" ? nameOfValue(read) : undefined;
  return name !== undefined && isIdName(name) && name !== "id" ? name : undefined;
}

/** The name of the option's own id, written like another one: `booker_id`, `bookerId`. */
const ownId = (option: string, like: string): string | undefined =>
  /^[a-z]\w*$/i.test(option) ? `${option}${like.endsWith("_id") ? "_id" : "Id"}` : undefined;

/** Whether one comment shows both ids. */
const isShown = (own: string, other: string, { command }: JqProgram, model: Model): boolean =>
  commentsOver(command, model).some(({ value }) =>
    [own, other].every((name) => new RegExp(`(?<![\\w-])${escapedPattern(name)}(?![\\w-])`).test(value)),
  );
