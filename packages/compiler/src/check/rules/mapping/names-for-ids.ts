import type { Expression } from "@configc/jq";
import type { Command, FieldSymbol, JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, isIdsName, isShownName, nameOfValue } from "../../../flow/id-names.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { isHole, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { saysOf } from "../../../flow/said/of-name.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { areMixed } from "./other-prefix.ts";

const shownValue = defineRule<{ id: string; name: string; other: string }>({
  id: "setup/shown-value",
  severity: "warning",
  summary: "The value of an option is a name, and the pipeline compares it with ids",
  why: "What a customer chooses comes back as the option's `value`. If that is what the option shows and a program looks for it among ids, it never finds it: records are skipped, or all of them pass.",
  guards: ["field.options", "D12"],
  message: ({ id, name, other }) =>
    `The value of an option is its \`${name}\`, and \`${other}\`, with which \`${id}\` is compared, are ids.`,
  because: ({ id, other }) => [`\`${id}\` is “Gold”`, `\`${other}\` has 7`, "they are never the same"],
  help: () => "Take the id as the `value`.",
  examples: [
    {
      in: "inbound-polling",
      at: "/workflows/0/setup/select/form_fields/0/options",
      with: {
        "/workflows/0/data_pipeline/source":
          '{"!jq": "if .list_id == ${custom_data.list.value} then {email, name, city} else null end"}',
      },
      also: ["value/compared-kind"],
      bad: '{"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: .title, value: «.title»}]"}]}',
      good: '{"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: .title, value: .id}]"}]}',
    },
  ],
});

const otherKeys = defineRule<{ offered: string; given: string }>({
  id: "mapping/other-keys",
  severity: "hint",
  summary: "Fields are offered by name and delivered by id, or the other way round",
  why: "The customer maps the ids of `describe_source`, and each is looked up among the keys that `source` gives. If one side has names and the other ids, no field finds its value, and the contacts stay empty.",
  guards: ["map.describe_source", "data_pipeline.source", "option.id", "D37"],
  message: ({ offered, given }) =>
    `\`source\` gives its fields under \`${given}\`, and \`describe_source\` offers them by \`${offered}\`.`,
  because: ({ offered, given }) => [
    `a customer maps a field by its \`${offered}\``,
    `the record has it under its \`${given}\`: nothing is carried over`,
  ],
  help: () => "Use the same on both sides.",
  examples: [
    {
      in: "inbound-polling",
      at: "/workflows/0/setup/map/describe_source/options",
      with: {
        "/workflows/0/data_pipeline/source":
          '{"!jq": "[.columns[] | {key: .id, value: .text}] | from_entries"}',
      },
      also: ["mapping/shown-for-key"],
      bad: '{"!pipe": [{"!http": {"path": "/columns"}}, {"!jq": "[.columns[] | {id: «.name», title: .name}]"}]}',
      good: '{"!pipe": [{"!http": {"path": "/columns"}}, {"!jq": "[.columns[] | {id: .id, title: .name}]"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [shownValue, otherKeys],
  checks: {
    field(field, report, model) {
      const option = madeIn(lastProgram(flowOf(model).plainAt(field.node.get("options"))), "value");
      const name = option === undefined ? undefined : nameOfValue(option.value);
      if (option === undefined || name === undefined || !isShownName(name) || field.id === undefined) return;
      const other = idsComparedWith(field, model);
      if (other !== undefined)
        report(shownValue, partAt(option.program, option.value), { id: field.id, name, other });
    },
    workflow(workflow, report, model) {
      const given = madeIn(lastProgram(sourceOf(workflow, model)), "key", "from_entries");
      const options = given === undefined ? undefined : madeIn(lastProgram(offering(workflow, model)), "id");
      if (options === undefined || given === undefined) return;
      const [offered, key] = [roleOf(options), roleOf(given)];
      if (offered === undefined || key === undefined || offered.isId === key.isId) return;
      // Labels are told as such.
      if (areMixed(offered.name, key.name)) return;
      report(otherKeys, partAt(options.program, options.value), { offered: offered.name, given: key.name });
    },
  },
};
export default module;

interface Made {
  readonly program: JqProgram;
  readonly value: Expression;
}

/** The value of a member of the objects that a program makes; undefined where it makes others too. */
function madeIn(program: JqProgram | undefined, name: string, beside = ""): Made | undefined {
  if (program === undefined || !program.node.value.includes(beside)) return undefined;
  let made: Made | undefined;
  for (const object of nodesOfKind(program, "Object")) {
    const value = entryOf(object, name)?.value;
    if (value === undefined) continue;
    if (made !== undefined) return undefined;
    made = { program, value };
  }
  return made;
}

function lastProgram(command: Command | undefined): JqProgram | undefined {
  const last = command?.key === "!pipe" ? command.children.at(-1) : command;
  return last?.key === "!jq" ? last.program : undefined;
}

function offering({ maps }: WorkflowSymbol, model: Model): Command | undefined {
  const describe = maps.length === 1 ? maps[0]?.node.get("describe_source") : undefined;
  return flowOf(model).plainAt(get(describe, "options"));
}

function sourceOf({ node }: WorkflowSymbol, model: Model): Command | undefined {
  return flowOf(model).plainAt(get(node.get("data_pipeline"), "source"));
}

const get = (node: JsonNode | undefined, name: string): JsonNode | undefined =>
  node?.kind === "object" ? node.get(name) : undefined;

/** Whether a value identifies a field, or is its name: also as the key of an object that `to_entries` lists. */
function roleOf({ program, value }: Made): { readonly name: string; readonly isId: boolean } | undefined {
  const name = nameOfValue(value);
  if (name === undefined) return undefined;
  if (isIdName(name)) return { name, isId: true };
  const isKey = name === "key" && program.node.value.includes("to_entries");
  return isKey || isShownName(name) ? { name, isId: false } : undefined;
}

/** What a field's value is compared with in a pipeline, where that is named after ids. */
function idsComparedWith(field: FieldSymbol, model: Model): string | undefined {
  for (const program of model.programs) {
    if (program.command.unit !== field.workflow || !program.command.place.name.startsWith("data_pipeline"))
      continue;
    const other = program.holes
      .flatMap(({ fields, syntax }, hole) =>
        fields.includes(field) && syntax.path[2]?.text === "value" ? [idBeside(program, hole, model)] : [],
      )
      .find((found) => found !== undefined);
    if (other !== undefined) return other;
  }
  return undefined;
}

/** A path that ends in the name of an id, in the same comparison or difference as a hole. */
function idBeside(program: JqProgram, hole: number, model: Model): string | undefined {
  const { value } = program.node;
  const compared = nodesOfKind(program, "Comparison").map(({ left, right }) => [left, right]);
  const reckoned = nodesOfKind(program, "Arithmetic").map(({ first, rest }) => [
    first,
    ...rest.map(({ operand }) => operand),
  ]);
  for (const sides of [...compared, ...reckoned]) {
    if (!sides.some((side) => isHole(side, hole))) continue;
    for (const side of sides) {
      const name = nameOfValue(side);
      // `status_id is the name of a status`
      const isSaid = (): boolean => saysOf(name!, /\b(?:name|title|label)s?\b/i, program.command, model);
      if (name !== undefined && (isIdName(name) || isIdsName(name)) && !isSaid())
        return value.slice(side.start, side.end).trim();
    }
  }
  return undefined;
}
