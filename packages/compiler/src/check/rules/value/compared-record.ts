import { escapedPattern } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { chosenPairs } from "../../../flow/chosen-comparisons.ts";
import { flowOf } from "../../../flow/flow.ts";
import { partAt } from "../../../flow/nodes.ts";
import { kindOf, kindOfField } from "../../../flow/record-kind.ts";
import { saysAround } from "../../../flow/said/of-name.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { keptBy } from "./compared-kind.ts";
import { listsNamed } from "./kinds-named.ts";

const comparedRecord = defineRule<{ read: string; given: string; wanted: string; instead: string }>({
  id: "value/compared-record",
  severity: "warning",
  summary: "The id of one kind of record is compared with a chosen one of another kind",
  why: "A customer who chooses an adviser wants the clients of that adviser. A client's own id is never the adviser's, or is it by chance: all records are skipped, and nothing fails.",
  guards: ["D12", "D23", "field_option.value"],
  message: ({ read, given, wanted }) =>
    `\`${read}\` is an id of \`${given}\`, and what was chosen is one of \`${wanted}\`. They are never equal but by chance.`,
  because: ({ given, wanted, instead }) => [
    `there is a list of \`${given}\`, and another one of \`${wanted}\``,
    `the document has \`${instead}\``,
  ],
  help: ({ instead }) => `Did you mean \`${instead}\`?`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Adviser", "id": "adviser", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/advisers"}}, {"!jq": "[.advisers[] | {display: .name, value: .id}]"}]}}',
        "/data_intake/0/_comment": '"A client is {id, email, adviser_id}."',
      },
      bad: '{"!pipe": [{"!http": {"path": "/clients/${piped_content.0.client_id}"}}, {"!jq": "if «.client.id» != ${custom_data.adviser.value} then null else {email: .client.email} end"}]}',
      good: '{"!pipe": [{"!http": {"path": "/clients/${piped_content.0.client_id}"}}, {"!jq": "if .client.adviser_id != ${custom_data.adviser.value} then null else {email: .client.email} end"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [comparedRecord],
  checks: {
    // Lists and names of ids stand anywhere in the document.
    document(model, report) {
      for (const { at, read, own, given, command } of comparisons(model)) {
        const instead =
          areApart(own, given, model) && !areOne(own, given, command, model) ? idOf(own, model) : undefined;
        if (instead === undefined) continue;
        report(comparedRecord, at, { read, given: [...given][0]!, wanted: [...own][0]!, instead });
      }
    },
  },
};
export default module;

/** The ids of records that programs compare with chosen ones of another kind. */
const comparisons = derivedByPart(
  ({ programs }, model) =>
    programs.flatMap((program) => {
      if (program.diagnostics.length > 0 || !mayCompare(program)) return [];
      return chosenPairs(program, "value").flatMap(({ chosen, other }) => {
        const [field, ...others] = chosen.fields;
        if (field === undefined || others.length > 0 || chosen.fieldExact !== true) return [];
        if (keptBy(chosen, model)?.isId !== true) return [];
        const own = kindOfField(field, flowOf(model))?.nouns;
        const given = own === undefined ? undefined : kindOf(other, program, flowOf(model));
        if (own === undefined || given === undefined || [...given.nouns].some((noun) => own.has(noun)))
          return [];
        return [
          { at: partAt(program, other), read: given.read, own, given: given.nouns, command: program.command },
        ];
      });
    }),
  "saved",
);

const mayCompare = ({ holes, node }: JqProgram): boolean =>
  holes.some(({ root }) => root === "custom_data") && /(?:^|[^A-Za-z])id\b|_id\b|Id\b/.test(node.value);

/** Whether no name of the one is a part of a name of the other, and requests ask for lists of both. */
function areApart(one: ReadonlySet<string>, other: ReadonlySet<string>, model: Model): boolean {
  const lists = listsNamed(model);
  return (
    [...one, ...other].every((noun) => lists.has(noun)) &&
    [...one].every((a) => [...other].every((b) => !a.includes(b) && !b.includes(a)))
  );
}

/** Whether a comment says that records of the one kind are of the other, too: `An adviser is a client as well`. */
const areOne = (
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
  command: Command,
  model: Model,
): boolean =>
  [...one].some((a) =>
    [...other].some((b) => {
      const [first, second] = [a, b].map(escapedPattern);
      return saysAround(
        new RegExp(`\\b${first}s? (?:is|are|can be|may be)(?: also| always)? (?:an? )?${second}s?\\b`, "i"),
        command,
        model,
      );
    }),
  );

/** How the document calls the id of such a record where another one has it: `adviser_id`. */
function idOf(nouns: ReadonlySet<string>, { document: { text } }: Model): string | undefined {
  for (const noun of nouns) {
    const [name] = new RegExp(`(?<![A-Za-z])${escapedPattern(noun)}(?:_id|Id|\\.id)(?!\\w)`).exec(text) ?? [];
    if (name !== undefined) return name;
  }
  return undefined;
}
