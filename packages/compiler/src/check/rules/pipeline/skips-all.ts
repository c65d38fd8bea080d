import type { Command, FieldSymbol, IntakeSymbol, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { pagingOf } from "../../../flow/machine/paging.ts";
import { coursesOf, given } from "../../../flow/machine/pipeline.ts";
import { isKind, itemsOf, resolved, type Value } from "../../../flow/machine/value.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { pipelineCommand } from "./courses.ts";

const skipsAll = defineRule<{
  intake: string | undefined;
  field: string | undefined;
  choice: string | undefined;
}>({
  id: "pipeline/skips-all",
  severity: "warning",
  summary: "`source` skips every record",
  why: "A `source` that gives null skips its record, and nobody is told. Where it gives null whatever the record is, because it asks for a value that none of them has or because its condition always holds, the workflow runs without an error and delivers nothing.",
  guards: ["data_pipeline.source", "polling.results", "workflow.historical_data_intake", "D34", "D35"],
  message: ({ intake, field, choice }) =>
    intake !== undefined
      ? `\`source\` gives null for each record of \`${intake}\`: all of them are skipped.`
      : choice === undefined
        ? `Where a customer leaves out \`${field}\`, \`source\` gives null for each record: all of them are skipped.`
        : `Where a customer chooses “${choice}” in \`${field}\`, \`source\` gives null for each record: all of them are skipped.`,
  because: ({ intake, field, choice }) => [
    intake !== undefined
      ? `\`${intake}\` gives a record`
      : choice === undefined
        ? `\`${field}\` isn't required: a customer leaves it out`
        : `\`${field}\` is “${choice}”`,
    "whatever the rest is, `source` gives null",
  ],
  help: () => "Compare with what the records have, and mind `and` and `or`.",
  examples: [
    {
      title: "What the poll gives isn't what the pipeline asks for",
      in: "inbound-polling",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: [.items[] | {state: \\"active\\", email: .email, name: .name, city: .city}], iterate: .has_more, polling_state: {since: ${polling_state.since}, page: (${polling_state.page} + 1)}}"',
      },
      bad: '{«"!jq"»: "if .state == \\"customer.active\\" then {email, name, city} else null end"}',
      good: '{"!jq": "if .state == \\"active\\" then {email, name, city} else null end"}',
      also: ["jq/no-such-value"],
    },
    {
      title: "Nothing chosen",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "kinds", "label": "Kinds", "type": "multiselect", "required": false, "options": [{"display": "New", "value": "new"}, {"display": "Old", "value": "old"}]}',
      },
      bad: '{«"!jq"»: ". as $r | [${custom_data.kinds.value | default} | arrays | .[]] as $kinds | if ($kinds | length > 0 and any(. == $r.kind) | not) then null else {email, name} end"}',
      good: '{"!jq": ". as $r | [${custom_data.kinds.value | default} | arrays | .[]] as $kinds | if ($kinds | length) > 0 and ($kinds | any(. == $r.kind) | not) then null else {email, name} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [skipsAll],
  checks: {
    workflow(workflow, report, model) {
      const source = pipelineCommand(workflow, "source", model);
      if (source === undefined || !maySkip(source)) return;
      const at = lastProgram(source).member.key;
      const skips = (input: Value, choices?: ReadonlyMap<string, Value | undefined>): boolean =>
        coursesOf(source, workflow, model, { input, ...(choices === undefined ? {} : { choices }) }).every(
          ({ output }) => resolved(output) === null,
        );
      if (skips(given)) return;
      for (const reference of [workflow.intake, workflow.historicalIntake]) {
        const intake = reference?.target;
        const item = intake === undefined ? undefined : polledItem(intake, model);
        if (item === undefined || !skips(item)) continue;
        report(skipsAll, at, { intake: intake?.name ?? "", field: undefined, choice: undefined });
        return;
      }
      for (const { id, required } of workflow.fields) {
        if (id === undefined || required || !skips(given, new Map([[id, undefined]]))) continue;
        report(skipsAll, at, { intake: undefined, field: id, choice: undefined });
        return;
      }
      for (const [field, choice] of choicesOf(workflow)) {
        if (!skips(given, new Map([[field, choice]]))) continue;
        report(skipsAll, at, { intake: undefined, field, choice });
        return;
      }
    },
  },
};
export default module;

/** Whether something in a source is null, or not there. */
function maySkip({ program, children }: Command): boolean {
  if (program !== undefined && /\bnull\b|\bempty\b|\bselect\b/.test(program.node.value)) return true;
  return children.some((child) => child !== undefined && maySkip(child));
}

function lastProgram(command: Command): Command {
  const last = command.key === "!pipe" ? command.children.at(-1) : undefined;
  return last === undefined ? command : lastProgram(last);
}

/** A record that a polling intake gives. */
function polledItem(intake: IntakeSymbol, model: Model): Value | undefined {
  const paging = intake.type === "polling" ? pagingOf(intake, model) : undefined;
  const [page] = paging?.read({ size: 2, base: 1, end: null, isTold: true }) ?? [];
  const [item] = (page === undefined ? undefined : itemsOf(page.results())) ?? [];
  return item !== undefined && isKind(item, "record") ? item : undefined;
}

/** What customers may choose of static options, one field at a time. */
function choicesOf({ fields }: WorkflowSymbol): readonly (readonly [string, string])[] {
  return fields.flatMap(({ id, type, node }: FieldSymbol) => {
    if (id === undefined || type !== "dropdown") return [];
    return objectItems(node.get("options")).flatMap((option) => {
      const value = option.get("value");
      return value?.kind === "string" ? [[id, value.value] as const] : [];
    });
  });
}
