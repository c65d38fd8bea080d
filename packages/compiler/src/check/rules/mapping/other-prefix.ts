import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { entryOf, nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { resultsOf } from "../../../flow/result.ts";
import { type JsonNode, objectItems, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { pipelineCommand } from "../pipeline/courses.ts";

const otherPrefix = defineRule<{ prefix: string; offered: string }>({
  id: "mapping/other-prefix",
  severity: "warning",
  summary: "The pipeline gives fields with a prefix that no field of the map has",
  why: "The customer maps fields by their ids, and the transform drops what has no mapping. Where `source` puts another prefix in front of a name than `describe_source`, none of these fields ever arrives, and everything else does.",
  guards: ["data_pipeline.source", "map.describe_source", "option.id", "D37"],
  message: ({ prefix, offered }) =>
    prefix === ""
      ? `\`source\` gives fields without a prefix, but the map offers the same names as \`${offered}…\`.`
      : offered === ""
        ? `\`source\` gives fields as \`${prefix}…\`, but the map offers the same names without \`${prefix}\`.`
        : `\`source\` gives fields as \`${prefix}…\`, but the map offers them as \`${offered}…\`.`,
  because: ({ prefix, offered }) => [
    `the customer maps \`${offered}size\``,
    `the record has \`${prefix}size\`: it's dropped`,
  ],
  help: ({ prefix, offered }) =>
    prefix === ""
      ? `Write \`${offered}\` in front of the names in \`source\`, too.`
      : offered === ""
        ? `Write \`${prefix}\` in front of the ids of the map, too.`
        : "Write the same prefix in both.",
  examples: [
    {
      title: "D37",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '{"!pipe": [{"!http": {"path": "/fields"}}, {"!jq": "[{id: \\"email\\", title: \\"Email\\"}] + [.fields[] | {id: \\"custom_\\\\(.key)\\", title: .title}]"}]}',
      },
      bad: '{"!jq": "{email: .email} + (.custom // {} | with_entries(.key |= «\\"field_\\" + .»))"}',
      good: '{"!jq": "{email: .email} + (.custom // {} | with_entries(.key |= \\"custom_\\" + .))"}',
    },
    {
      title: "D37: of the same names",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '{"!pipe": [{"!http": {"path": "/fields"}}, {"!jq": "[{id: \\"email\\", title: \\"Email\\"}] + [.fields[] | {id: .key, title: .title}]"}]}',
      },
      bad: '{"!jq": "{email: .email} + ([.answers[] | {key: «\\"custom_\\\\(.key)\\"», value: .value}] | from_entries)"}',
      good: '{"!jq": "{email: .email} + ([.answers[] | {key: .key, value: .value}] | from_entries)"}',
    },
  ],
});

const labelForKey = defineRule<{ prefix: string; name: string; offered: string }>({
  id: "mapping/label-for-key",
  severity: "warning",
  summary: "The pipeline names fields by what they show, and the map by their ids, or the other way round",
  why: "The customer maps fields by their ids, and the transform drops what has no mapping. Where `source` names an answer by its label and `describe_source` by its id, no answer ever arrives, and everything else does.",
  guards: ["data_pipeline.source", "map.describe_source", "option.id", "D37"],
  message: ({ prefix, name, offered }) =>
    `\`source\` names fields \`${prefix}…\` by \`${name}\`, but the map offers them by \`${offered}\`.`,
  because: ({ prefix, name, offered }) => [
    `the customer maps \`${prefix}\` with the \`${offered}\` of a field`,
    `the record has \`${prefix}\` with its \`${name}\`: it's dropped`,
  ],
  help: () => "Name the fields by the same member in both.",
  examples: [
    {
      title: "D37",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '{"!pipe": [{"!http": {"path": "/fields"}}, {"!jq": "[{id: \\"email\\", title: \\"Email\\"}] + [.fields[] | {id: (\\"answer_\\" + .id), title: .label}]"}]}',
      },
      bad: '{"!jq": "{email: .email} + (.answers | map({(«\\"answer_\\" + .label»): .value}) | add // {})"}',
      good: '{"!jq": "{email: .email} + (.answers | map({(\\"answer_\\" + .field_id): .value}) | add // {})"}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherPrefix, labelForKey],
  checks: {
    workflow(workflow, report, model) {
      const [map, ...others] = workflow.maps;
      const source = pipelineCommand(workflow, "source", model);
      const described = map?.node.get("describe_source");
      const options = described?.kind === "object" ? described.get("options") : undefined;
      if (workflow.direction !== "inbound" || source === undefined || options === undefined) return;
      if (others.length > 0) return;
      const offered = idsIn(options, flowOf(model).plainAt(options));
      if (offered === undefined || offered.made.length === 0) return;
      const keys = keysIn(source);
      for (const { program, value } of bareKeys(keys, offered)) {
        const [first] = offered.made;
        report(
          otherPrefix,
          { node: program.node, from: value.start, to: value.end },
          { prefix: "", offered: first!.prefix },
          [
            {
              message: "offered here",
              at: { node: first!.program.node, from: first!.value.start, to: first!.value.end },
            },
          ],
        );
      }
      for (const { program, value, prefix, name } of keys) {
        const other = offered.made.find((each) => each.prefix === prefix && each.name !== undefined);
        const isMixed = offered.made.every((each) => areMixed(each.name, name));
        if (other !== undefined && isMixed && !isBound(value, program))
          report(
            labelForKey,
            { node: program.node, from: value.start, to: value.end },
            { prefix, name: name!, offered: other.name! },
          );
        if (prefix === "" || offered.written.some((id) => id.startsWith(prefix))) continue;
        const isKnown = offered.made.every((each) =>
          each.prefix === ""
            ? each.name !== undefined && each.name === name
            : !each.prefix.startsWith(prefix) && !prefix.startsWith(each.prefix),
        );
        const [first] = offered.made;
        if (!isKnown || first === undefined) continue;
        report(
          otherPrefix,
          { node: program.node, from: value.start, to: value.end },
          { prefix, offered: first.prefix },
          [
            {
              message: "offered here",
              at: { node: first.program.node, from: first.value.start, to: first.value.end },
            },
          ],
        );
      }
    },
  },
};
export default module;

/**
 * Names without a prefix, where the map has one for all that it makes of the same member, and nothing of the pipeline has it: `questionId` of
 * an answer and the `id` of a question are the same.
 */
function bareKeys(
  keys: readonly Made[],
  { made, written }: { readonly made: readonly Made[]; readonly written: readonly string[] },
): readonly Made[] {
  const prefixes = new Set(made.map(({ prefix }) => prefix));
  const [prefix = ""] = prefixes;
  if (prefix === "" || prefixes.size > 1 || keys.some((each) => each.prefix !== "")) return [];
  if (written.some((id) => id.startsWith(prefix))) return [];
  return keys.filter(
    ({ name, value, program }) =>
      name !== undefined &&
      !/^(?:key|name|value)$/.test(name) &&
      !isBound(value, program) &&
      // The source's own text has the prefix somewhere else, in what a function or a table makes.
      !program.node.value.includes(prefix) &&
      made.every((each) => each.name === name || (isIdName(each.name ?? "") && isIdName(name))),
  );
}

/** Whether a value is in what a variable is bound to: a table by labels, in which something is looked up. */
export const isBound = ({ start }: Expression, program: JqProgram): boolean =>
  nodesOfKind(program, "Binding").some(({ source }) => source.start <= start && start < source.end);

/** Whether one of two members has what people read, and the other what identifies. A `name` may do either. */
export function areMixed(a = "", b = ""): boolean {
  const isText = (name: string): boolean =>
    /(?:^|_)(?:label|title|caption|display_?name)$|[a-z](?:Label|Title)$/.test(name);
  const isKey = (name: string): boolean => isIdName(name) || /(?:^|_)(?:key|slug|code|ref)$/.test(name);
  return (isText(a) && isKey(b)) || (isKey(a) && isText(b));
}

/** A name that a program makes: a constant, and what stands behind it. */
export interface Made {
  readonly program: JqProgram;
  readonly value: Expression;
  readonly prefix: string;
  /** The member that is behind it. */
  readonly name: string | undefined;
}

/** The ids that a map offers; undefined where some aren't known. */
function idsIn(options: JsonNode, command: Command | undefined) {
  const written: string[] = [];
  const made: Made[] = [];
  for (const option of objectItems(options)) written.push(textOf(option, "id") ?? "");
  for (const { program } of command === undefined ? [] : resultsOf(command)) {
    if (program === undefined) return undefined;
    for (const object of nodesOfKind(program, "Object")) {
      const value = entryOf(object, "id")?.value;
      const constant = value === undefined ? undefined : constantOf(value);
      if (typeof constant === "string") written.push(constant);
      else if (value !== undefined) {
        const id = madeBy(value, program);
        if (id === undefined) return undefined;
        made.push(id);
      }
    }
  }
  return { written, made };
}

/** The names of members that a pipeline's source makes of others. */
export function keysIn(source: Command): readonly Made[] {
  return resultsOf(source).flatMap(({ program }) => {
    if (program === undefined) return [];
    const entries = nodesOfKind(program, "Object").flatMap((object) => {
      const isEntry = entryOf(object, "value") !== undefined;
      const key = isEntry ? entryOf(object, "key")?.value : undefined;
      // `from_entries` takes these, too.
      const spelled = ["k", "name"].flatMap((each) => (isEntry ? (entryOf(object, each)?.value ?? []) : []));
      const isPaired = key === undefined && /\bfrom_entries\b/.test(program.node.value);
      const named = object.entries.flatMap(({ key: own }) =>
        nameOf(own) === undefined && (own.kind === "String" || own.kind === "Group")
          ? [own.kind === "Group" ? own.body : own]
          : [],
      );
      return [...(key === undefined ? [] : [key]), ...(isPaired ? spelled : []), ...named];
    });
    const updated = nodesOfKind(program, "Assignment").flatMap(({ target, operator, value }) => {
      const isKey = /^\.key$/.test(textAt(target, program));
      const made = isKey && operator === "|=" ? madeBy(value, program) : undefined;
      return made === undefined ? [] : [{ ...made, name: made.name ?? "key" }];
    });
    const others = [...entries, ...setIn(program)].flatMap(
      (value) => madeBy(value as Expression, program) ?? [],
    );
    return [...others, ...updated];
  });
}

/** The keys that are set one by one: `.["q_" + $a.id] = $a.text`. */
function setIn(program: JqProgram): readonly Expression[] {
  return nodesOfKind(program, "Assignment").flatMap(({ target, operator }) => {
    const last = target.kind === "Postfix" && operator === "=" ? target.suffixes.at(-1) : undefined;
    const isOwn =
      target.kind === "Postfix" && target.suffixes.length === 1 && target.head.kind === "Identity";
    return last?.kind === "Index" && isOwn && typeof constantOf(last.index) !== "string" ? [last.index] : [];
  });
}

/** `"custom_\(.key)"`, `"custom_" + .key`, `.key`; undefined for what is made otherwise. */
export function madeBy(given: Expression, program: JqProgram): Made | undefined {
  const value = bare(given);
  const own = nameOfValue(value);
  if (own !== undefined) return { program, value, prefix: "", name: own };
  if (value.kind === "String") {
    const [first, second, ...others] = value.parts;
    // Nothing but a member, as text.
    if (first?.kind === "Interpolation" && second === undefined && value.format === undefined)
      return { program, value, prefix: "", name: nameOfValue(first.expression) };
    if (first?.kind !== "StringText" || second === undefined || second.kind === "StringText")
      return undefined;
    if (others.length > 0) return undefined;
    return { program, value, prefix: first.value, name: nameOfValue(second.expression) };
  }
  const [step, ...others] = value.kind === "Arithmetic" ? value.rest : [];
  const prefix = value.kind === "Arithmetic" ? constantOf(bare(value.first)) : undefined;
  if (typeof prefix !== "string" || step?.operator !== "+" || others.length > 0) return undefined;
  return { program, value, prefix, name: nameOfValue(step.operand) };
}
