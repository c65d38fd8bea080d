import { defineRule } from "../../../findings/rule.ts";
import { isIdName, isShownName, nameOfValue } from "../../../flow/id-names.ts";
import { partAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { pipelineCommand } from "../pipeline/courses.ts";
import { optionsMadeIn } from "../value/made-options.ts";
import { areMixed, isBound, keysIn, type Made, madeBy } from "./other-prefix.ts";

const shownForKey = defineRule<{ offered: string; given: string; isOffered: boolean }>({
  id: "mapping/shown-for-key",
  severity: "warning",
  summary: "Fields are offered by one member and delivered by another, of which one is what the map shows",
  why: "The customer maps fields by their ids, and the transform drops what has no mapping. Where one side takes the text that people read and the other a key, no field ever arrives.",
  guards: ["data_pipeline.source", "map.describe_source", "option.id", "D37"],
  message: ({ offered, given, isOffered }) =>
    isOffered
      ? `The map offers fields by \`${offered}\`, which is also their title, but \`source\` names them by \`${given}\`.`
      : `\`source\` names fields by \`${given}\`, which the map shows as their title, but it offers them by \`${offered}\`.`,
  because: ({ offered, given }) => [
    `the customer maps a field by its \`${offered}\``,
    `the record has it under its \`${given}\`: it's dropped`,
  ],
  help: ({ isOffered, offered, given }) =>
    isOffered ? `Take the \`${given}\` as the \`id\` of the option.` : `Name the fields by \`${offered}\`.`,
  examples: [
    {
      title: "The map has the titles",
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_source/options",
      with: {
        "/workflows/0/data_pipeline/source":
          '{"!jq": "{email: .email} + ([.columns[] | {key: .id, value: .text}] | from_entries)"}',
      },
      also: ["mapping/other-keys"],
      bad: '{"!pipe": [{"!http": {"path": "/columns"}}, {"!jq": "[{id: \\"email\\", title: \\"Email\\"}] + [.columns[] | {id: «.name», title: .name}]"}]}',
      good: '{"!pipe": [{"!http": {"path": "/columns"}}, {"!jq": "[{id: \\"email\\", title: \\"Email\\"}] + [.columns[] | {id: .id, title: .name}]"}]}',
    },
    {
      title: "The pipeline has the titles",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '{"!pipe": [{"!http": {"path": "/fields"}}, {"!jq": "[{id: \\"email\\", title: \\"Email\\"}] + [.fields[] | {id: .key, title: .name}]"}]}',
      },
      bad: '{"!jq": "{email: .email} + ([.custom[] | {key: «.name», value: .value}] | from_entries)"}',
      good: '{"!jq": "{email: .email} + ([.custom[] | {key: .key, value: .value}] | from_entries)"}',
    },
  ],
});

const module: RuleModule = {
  rules: [shownForKey],
  checks: {
    workflow(workflow, report, model) {
      const [map, ...others] = workflow.maps;
      const source = pipelineCommand(workflow, "source", model);
      const described = map?.node.get("describe_source");
      const options = described?.kind === "object" ? described.get("options") : undefined;
      if (workflow.direction !== "inbound" || source === undefined || others.length > 0) return;
      const offered = optionsMadeIn(options, "id", "title", model).flatMap(({ program, first, second }) => {
        const id = madeBy(first, program);
        const title = nameOfValue(second);
        return id?.name === undefined || title === undefined ? [] : [{ id, title }];
      });
      const [one, ...more] = offered;
      if (one === undefined || more.length > 0) return;
      for (const key of keysIn(source)) {
        const { name } = key;
        if (name === undefined || key.prefix !== one.id.prefix || isBound(key.value, key.program)) continue;
        // Labels in the pipeline are told as such.
        if (areMixed(one.id.name, name)) continue;
        const isOffered = one.id.name === one.title && isKeyBeside(one.id, name);
        const isGiven = name === one.title && isShownName(name) && isKeyName(one.id.name ?? "");
        if (name === one.id.name || (!isOffered && !isGiven)) continue;
        const { program, value } = isOffered ? one.id : key;
        report(shownForKey, partAt(program, value), { offered: one.id.name!, given: name, isOffered });
        return;
      }
    },
  },
};
export default module;

/** What identifies, beside what people read: a field's `name` may do both, but not where there is an id. */
function isKeyBeside({ name = "", program }: Made, given: string): boolean {
  if (isIdName(given))
    return isShownName(name) || (name === "key" && program.node.value.includes("to_entries"));
  return isShownName(name) && name !== "name" && isKeyName(given);
}

const isKeyName = (name: string): boolean =>
  isIdName(name) || /(?:^|_)(?:key|slug|code|ref|reference|field|handle)$/.test(name);
