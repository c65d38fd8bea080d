import type { Expression } from "@configc/jq";
import { constantOf, nearest } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { valueReaders } from "../../../flow/protocol/value-readers.ts";
import type { Location } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, didYouMean } from "../../message-text.ts";
import { optionsOf, textIn } from "./options.ts";

const unreadGroup = defineRule<{ group: string; read: readonly string[]; suggestion: string | undefined }>({
  id: "mapping/unread-group",
  severity: "warning",
  summary: "`target` never reads a group that customers can map to",
  why: "With groups, the mapped values are in one object per group. If the pipeline's `target` doesn't read a group, it is dropped: customers map its fields, but the values never arrive.",
  guards: ["option.group", "data_pipeline.target", "events.5", "D37"],
  message: ({ group, suggestion }) =>
    `\`target\` never reads the group \`${group}\`, so values mapped to it are dropped.${didYouMean(suggestion)}`,
  because: ({ group }) => [
    `a customer maps a field to \`${group}\``,
    "the transform fills it in, but `target` doesn't send it",
  ],
  help: ({ read }) => `It reads ${allNames(read)}.`,
  examples: [
    {
      title: "D37",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      with: {
        "/workflows/0/data_pipeline/target/!http/body": '{"name": "${piped_content.0.person.name}"}',
      },
      bad: '[{"title": "Name", "id": "name", "group": "person", "required": true}, {"title": "Value", "id": "value", «"group"»: "deal"}]',
      good: '[{"title": "Name", "id": "name", "group": "person", "required": true}, {"title": "Value", "id": "value", "group": "person"}]',
    },
    {
      title: "D37: each list gets its group in a step of its own",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/people", "body": "${piped_content.0.person}"}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/deals", "body": "${piped_content.0.deal}"}}]}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/person-fields"}}, {"!jq": ".fields | map({id: .key, title: .label, group: \\"person\\"})"}, {"!http": {"path": "/deal-fields"}}, {"!jq": "${piped_content.2} + (.fields | map({id: .key, title: .label, group: «\\"deals\\"»}))"}]}',
      good: '{"!pipe": [{"!http": {"path": "/person-fields"}}, {"!jq": ".fields | map({id: .key, title: .label, group: \\"person\\"})"}, {"!http": {"path": "/deal-fields"}}, {"!jq": "${piped_content.2} + (.fields | map({id: .key, title: .label, group: \\"deal\\"}))"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unreadGroup],
  checks: {
    workflow(workflow, report, model) {
      const [map, ...others] = workflow.maps;
      const pipeline = workflow.node.get("data_pipeline");
      const target =
        pipeline?.kind === "object" ? flowOf(model).commandAt(pipeline.get("target")) : undefined;
      if (map === undefined || others.length > 0 || target === undefined) return;
      const side = optionsOf(map, "target", model);
      const groups = side === undefined ? [] : groupsOf(side, model);
      if (groups.length < 2) return;
      const { members, whole } = valueReaders(partOfUnit(workflow, model)).input(target);
      const names = [...new Set(groups.map(({ group }) => group))];
      // A target that reads no group at all has another mistake.
      if (whole || !names.some((name) => members.has(name))) return;
      const told = new Set<string>();
      for (const { group, at } of groups) {
        if (members.has(group) || told.has(group)) continue;
        told.add(group);
        const read = [...members].filter((name) => name !== "_tags");
        report(unreadGroup, at, { group, read, suggestion: nearest(group, read) });
      }
    },
  },
};
export default module;

interface Group {
  readonly group: string;
  readonly at: Location;
}

/** The groups of target fields, with where each is named, as far as constants name them. */
function groupsOf(
  { list, value }: NonNullable<ReturnType<typeof optionsOf>>,
  model: Model,
): readonly Group[] {
  if (list !== undefined)
    return list.flatMap(({ group }) => {
      const name = textIn(group);
      return group === undefined || name === undefined ? [] : [{ group: name, at: group.key }];
    });
  const command = flowOf(model).plainAt(value);
  // A step may name the group of what a later one adds to its own.
  const last = command?.children.at(-1);
  const isChanged = /\.group\b/.test(last?.program?.node.value ?? "");
  const steps = command?.key === "!pipe" ? (isChanged ? [last] : command.children) : [command];
  return steps.flatMap((step: Command | undefined) =>
    step?.key === "!jq" && step.program !== undefined ? namedIn(step.program) : [],
  );
}

function namedIn(program: JqProgram): readonly Group[] {
  return nodesOfKind(program, "Object").flatMap((object) => {
    const value = entryOf(object, "group")?.value;
    return (value === undefined ? [] : waysOf(value)).flatMap((each): Group | [] => {
      const group = constantOf(each);
      if (typeof group !== "string") return [];
      return { group, at: { node: program.node, from: each.start, to: each.end } };
    });
  });
}

/** The branches of a value that depends on a condition, and else the value itself. */
function waysOf(value: Expression): readonly Expression[] {
  const node = bare(value);
  if (node.kind !== "If" || node.otherwise === undefined) return [node];
  return [node.otherwise, ...node.branches.map(({ body }) => body)].flatMap(waysOf);
}
