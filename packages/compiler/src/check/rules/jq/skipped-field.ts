import type { Expression } from "@configc/jq";
import type { Expansion, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { evaluate, NOW } from "../../../flow/machine/evaluate.ts";
import { UNKNOWN } from "../../../flow/machine/value.ts";
import { dependenceOf } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const skippedField = defineRule<{ field: string; value: string; text: string; isList?: true }>({
  id: "jq/skipped-field",
  severity: "warning",
  summary: "A program fails where a customer leaves out an optional field",
  why: "With `| default`, a field that was left out is a text: the empty one, or the one that the default names. `tonumber` and the functions that read dates fail with such a text, and so does what goes through a list, such as `[]` and `map`. So the program fails for every customer who leaves out the field.",
  guards: ["field.required", "expansion.default", "D9", "D23"],
  message: ({ field, value, text }) =>
    `Where a customer leaves out \`${field}\`, it is ${value}, and \`${text}\` fails.`,
  because: ({ field, value, text, isList }) => [
    `a customer leaves out \`${field}\`, which isn't \`required\``,
    `its default is ${value}`,
    `\`${text}\` fails: that is no ${isList ? "list" : "number and no date"}`,
  ],
  help: ({ isList }) =>
    isList
      ? "Ask first whether it is empty, or take it with `arrays`, which gives nothing where it is no list."
      : "Use a default that is a number, such as `| default:0`, or ask first whether it is empty.",
  examples: [
    {
      title: "A list of choices",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"id": "list", "label": "Tags", "type": "multiselect", "required": false, "options": [{"display": "New", "value": "new"}, {"display": "Old", "value": "old"}]}',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, tags: [«${custom_data.list.value | default}[]» | {name: .}]}"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, tags: [${custom_data.list.value | default} | arrays | .[] | {name: .}]}"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
    },
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"id": "list", "label": "Days", "type": "textarea", "required": false}',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, days: (${custom_data.list.value | default} | «tonumber»)}"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, days: (${custom_data.list.value | default:0} | tonumber)}"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const unreadableOption = defineRule<{ field: string; value: string; display: string; text: string }>({
  id: "jq/unreadable-option",
  severity: "error",
  summary: "A program fails for customers who choose this option",
  why: "`tonumber` and the functions that read dates fail with a text that is no number and no date. So does the program, for every customer who chose the option.",
  guards: ["field_option.value", "D12", "D23"],
  message: ({ field, value, display, text }) =>
    `Where a customer chooses “${display}” in \`${field}\`, it is “${value}”, and \`${text}\` fails.`,
  because: ({ display, value, text }) => [
    `a customer chooses “${display}”: the value is “${value}”`,
    `\`${text}\` fails: that is no number and no date`,
  ],
  help: () => "Give the option a value that the program can read.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"id": "list", "label": "Days", "type": "dropdown", "options": [{"display": "A week", "value": "7"}, {"display": "A year", "value": "1y"}]}',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, days: (${custom_data.list.value} | «tonumber»)}"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, days: (${custom_data.list.value} | if . == \\"1y\\" then 365 else tonumber end)}"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [skippedField, unreadableOption],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0 || program.holes.length === 0) return;
      const reads = /tonumber|fromdate|strptime/.test(program.node.value);
      for (const [field, holes] of optionalFields(program)) {
        if (!reads && !holes.some(isList)) continue;
        if (holes.some(({ fields }) => fields.some((each) => isAskedBefore(program, each)))) continue;
        const given = new Map(holes.map((hole) => [hole, textOf(hole)]));
        const node = failure(program, given, (condition) => !asksForChoice(condition, program));
        if (node === undefined) continue;
        const [hole] = holes;
        const value = hole === undefined || textOf(hole) === "" ? "an empty text" : `“${textOf(hole)}”`;
        const at = { node: program.node, from: node.start, to: node.end };
        const text = excerpt(program.node.value.slice(node.start, node.end));
        report(skippedField, at, { field, value, text, ...(holes.some(isList) ? { isList: true } : {}) });
      }
      if (!reads) return;
      for (const [field, holes] of chosenFields(program))
        for (const { value, display } of isAskedBefore(program, field) ? [] : staticOptions(field)) {
          const node = failure(program, new Map(holes.map((hole) => [hole, value])));
          if (node === undefined) continue;
          const at = { node: program.node, from: node.start, to: node.end };
          const text = excerpt(program.node.value.slice(node.start, node.end));
          report(unreadableOption, at, { field: field.id, value, display, text });
          break;
        }
    },
  },
};
export default module;

/** The fields with a default that a program reads and customers may leave out, each with its expansions. */
function optionalFields({ holes }: JqProgram): ReadonlyMap<string, readonly Expansion[]> {
  const found = new Map<string, Expansion[]>();
  for (const hole of holes) {
    const { root, rootExact, fields = [], syntax } = hole;
    if (root !== "custom_data" || rootExact !== true || syntax.filters[0]?.name !== "default") continue;
    if (fields.length === 0 || fields.some(({ required }) => required)) continue;
    const name = syntax.path[1]?.text ?? "";
    found.set(name, [...(found.get(name) ?? []), hole]);
  }
  return found;
}

/** Whether customers choose several, which are a list unless none is chosen. */
const isList = ({ fields = [], syntax }: Expansion): boolean =>
  syntax.path.length === 3 && fields.every(({ type }) => type === "multiselect");

/** Whether a condition may depend on what the customer chose: then it may hold only where the field is filled in. */
function asksForChoice(condition: Expression, program: JqProgram): boolean {
  return [...dependenceOf(program, [condition]).holes].some(
    (index) => program.holes[index]?.root === "custom_data",
  );
}

const textOf = ({ syntax }: Expansion): string => syntax.filters[0]?.argument?.text.trim() ?? "";

/** Whether a `!switch` around a program reads a field: its case may be for some of the choices only. */
function isAskedBefore({ command }: JqProgram, field: FieldSymbol): boolean {
  for (let at = command.parent; at !== undefined; at = at.parent)
    if (at.key === "!switch" && at.program?.holes.some(({ fields }) => fields.includes(field)) === true)
      return true;
  return false;
}

/** The fields with options that a program reads, each with its expansions of what was chosen. */
function chosenFields({ holes }: JqProgram): ReadonlyMap<FieldSymbol, readonly Expansion[]> {
  const found = new Map<FieldSymbol, Expansion[]>();
  for (const hole of holes) {
    const { root, rootExact, fields = [], syntax } = hole;
    const [field, ...others] = fields;
    if (root !== "custom_data" || rootExact !== true || field === undefined || others.length > 0) continue;
    // Several choices are a list.
    if (syntax.path[2]?.text === "value" && field.type !== "multiselect")
      found.set(field, [...(found.get(field) ?? []), hole]);
  }
  return found;
}

/**
 * What certainly fails where these expansions have these values, and nothing else is known.
 *
 * @param mayHold whether records are thought of for which a condition holds, and others
 */
function failure(
  program: JqProgram,
  values: ReadonlyMap<Expansion, string>,
  mayHold?: (condition: Expression) => boolean,
): Expression | undefined {
  let failed: Expression | undefined;
  const given = program.holes.map((hole) => values.get(hole) ?? UNKNOWN);
  evaluate(program, UNKNOWN, given, {
    now: NOW,
    ...(mayHold === undefined ? {} : { mayHold }),
    onFailure(_, node) {
      failed ??= node;
    },
  });
  return failed;
}
