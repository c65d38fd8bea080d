import { type Type, types } from "@configc/jq";
import { nearest } from "@configc/jq/internal";
import type { Command, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { mayBeIncomplete } from "../../../bind/incomplete-object.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { memberValue } from "../../../parse/member-value.ts";
import { type JsonNode, objectItems, textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { replaceValue } from "../../edits.ts";
import { allNames, didYouMean } from "../../message-text.ts";

const unknownSourceField = defineRule<{
  /** Undefined where all of the group is missing. */
  id: string | undefined;
  group: string | undefined;
  known: readonly string[];
  suggestion: string | undefined;
}>({
  id: "mapping/unknown-source-field",
  severity: "warning",
  summary: "`source` never gives a field that customers can map",
  why: "The customer maps the fields of `describe_source` by their ids, and each id is looked up in what `source` gives. A field that it lacks carries nothing over, whatever the customer maps it to.",
  guards: ["map.describe_source", "option.id", "data_pipeline.source", "D37"],
  message: ({ id, group, suggestion }) => {
    const what =
      id === undefined ? "a group" : group === undefined ? "a field" : `the group \`${group}\` a field`;
    return `\`source\` never gives ${what} \`${id ?? group}\`.${didYouMean(suggestion)}`;
  },
  because: ({ id, group }) => [
    `a customer maps \`${id ?? group}\``,
    "`source` never gives it: the target field stays as it was",
  ],
  help: ({ known }) => (known.length === 0 ? undefined : `It gives ${allNames(known)}.`),
  fixes: ({ at, args: { suggestion } }) =>
    suggestion === undefined
      ? []
      : [
          {
            title: `Change to \`${suggestion}\``,
            safe: false,
            edits: [replaceValue(at as JsonNode, suggestion)],
          },
        ],
  examples: [
    {
      title: "D37",
      in: "inbound-polling",
      at: "/workflows/0/setup/map/describe_source/options",
      bad: '[{"title": "Email", "id": "email"}, {"title": "Town", "id": «"town"»}]',
      good: '[{"title": "Email", "id": "email"}, {"title": "Town", "id": "city"}]',
    },
    {
      title: "D37: a group",
      in: "inbound-polling",
      at: "/workflows/0/setup/map/describe_source/options",
      bad: '[{"title": "Email", "id": "email", "group": «"person"»}, {"title": "Town", "id": "city", "group": "person"}]',
      good: '[{"title": "Email", "id": "email"}, {"title": "Town", "id": "city"}]',
    },
    {
      title: "D37: misspelled",
      in: "inbound-polling",
      at: "/workflows/0/setup/map/describe_source/options",
      bad: '[{"title": "Email", "id": «"emial"»}, {"title": "Town", "id": "city"}]',
      good: '[{"title": "Email", "id": "email"}, {"title": "Town", "id": "city"}]',
      fixed: '[{"title": "Email", "id": "email"}, {"title": "Town", "id": "city"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [unknownSourceField],
  checks: {
    workflow(workflow, report, model) {
      const source = flowOf(model).commandAt(memberValue(workflow.node, "data_pipeline", "source"));
      if (source === undefined || isInPieces(source, model)) return;
      checkOptions(workflow, source, report, model);
    },
  },
};
export default module;

/** Whether what gives a field may be lost: with a mistake in the JSON, or the steps of a pipe. */
function isInPieces({ key, argument, node }: Command, { document }: Model): boolean {
  if (key === "!pipe" && (argument?.kind !== "array" || argument.items.length === 0)) return true;
  return mayBeIncomplete(document, node);
}

function checkOptions({ maps }: WorkflowSymbol, source: Command, report: Report, model: Model): void {
  const [map] = maps;
  const options = memberValue(map?.node, "describe_source", "options");
  if (options?.kind !== "array" || maps.length > 1) return;
  const type = flowOf(model).output(source);
  const groups = closedNames(type);
  const missing = new Set<string>();
  for (const option of objectItems(options)) {
    const id = option.get("id");
    if (id?.kind !== "string" && id?.kind !== "number") continue;
    // Fixed values are offered at the wrong side: that is the finding.
    if (option.member("source_fields") !== undefined) continue;
    const group = textOf(option, "group");
    if (group !== undefined && groups?.includes(group) === false) {
      const suggestion = nearest(group, groups);
      // One finding for all of its fields.
      if (!missing.has(group))
        report(unknownSourceField, option.get("group")!, { id: undefined, group, known: groups, suggestion });
      missing.add(group);
      continue;
    }
    const known = closedNames(group === undefined ? type : memberOf(type, group));
    const name = `${id.value}`;
    if (known === undefined || known.includes(name)) continue;
    report(unknownSourceField, id, { id: name, group, known, suggestion: nearest(name, known) });
  }
}

/** The members that values of a type can have, if all are closed objects; `null` skips the item. */
function closedNames(type: Type): readonly string[] | undefined {
  const parts = types.partsOf(type).filter(({ kind }) => kind !== "null");
  const names = new Set<string>();
  for (const part of parts) {
    if (part.kind !== "object" || part.rest !== undefined) return undefined;
    for (const name of part.members.keys()) names.add(name);
  }
  return parts.length === 0 ? undefined : [...names];
}

function memberOf(type: Type, name: string): Type {
  return types.union(
    ...types.partsOf(type).map((part) => {
      if (part.kind !== "object") return part;
      return part.members.get(name)?.type ?? part.rest ?? types.never;
    }),
  );
}
