import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { isIdName, isShownName, nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { isSame, optionsMadeIn } from "../value/made-options.ts";

const nameAsKey = defineRule<{ name: string; key: string }>({
  id: "mapping/name-as-key",
  severity: "warning",
  summary: "A field is identified by its label, although the same program reads its key",
  why: "What customers map is kept by the `id` of the option, and records are sent or read by it. A label there is a name that the API doesn't know: the field is ignored or refused, and each change of the label loses the mapping.",
  guards: ["map.describe_source", "map.describe_target", "option.id", "D37"],
  message: ({ name, key }) =>
    `\`id\` is the field's \`${name}\`, as \`title\` is, although the program knows its \`${key}\`.`,
  because: ({ name, key }) => [
    `the field has the \`${key}\` “mail” and the \`${name}\` “Work email”`,
    "records are sent with “Work email” as a member",
  ],
  help: ({ key }) => `Take \`.${key}\` as the \`id\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.0}"}}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/fields"}}, {"!jq": "[.fields[] | {id: «.label», title: .label, required: (.key == \\"email\\")}]"}]}',
      good: '{"!pipe": [{"!http": {"path": "/fields"}}, {"!jq": "[.fields[] | {id: .key, title: .label, required: (.key == \\"email\\")}]"}]}',
    },
    {
      title: "The key is read before",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.0}"}}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/fields"}}, {"!jq": "[{id: \\"email\\", title: \\"Email\\", required: true}] + (.fields | map(select(.key != \\"email\\")) | map({id: «.label», title: .label}))"}]}',
      good: '{"!pipe": [{"!http": {"path": "/fields"}}, {"!jq": "[{id: \\"email\\", title: \\"Email\\", required: true}] + (.fields | map(select(.key != \\"email\\")) | map({id: .key, title: .label}))"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [nameAsKey],
  checks: {
    map(map, report, model) {
      for (const side of ["describe_source", "describe_target"]) {
        const described = map.node.get(side);
        const options = described?.kind === "object" ? described.get("options") : undefined;
        for (const made of optionsMadeIn(options, "id", "title", model)) {
          const { program, first: id, second: title, object } = made;
          const name = nameOfValue(id);
          if (name === undefined || !isShownName(name) || !isSame(title, id, program)) continue;
          const key = [object, ...stagesBefore(object, program)]
            .map((node) => keyRead(node, bare(id), program))
            .find((each) => each !== undefined);
          if (key !== undefined && !isSaidKey(name, options, model))
            report(nameAsKey, partAt(program, id), { name, key });
        }
      }
    },
  },
};
export default module;

/** Whether a comment says that the service goes by it: `People are written with labels for keys`. */
const isSaidKey = (name: string, options: JsonNode | undefined, model: Model): boolean =>
  options !== undefined &&
  hasComments(model) &&
  commentsAround(options, []).some(({ value }) =>
    new RegExp(
      `\\b${escapedPattern(name)}s? (?:for|as) (?:the |its |their )?(?:keys?|ids?)\\b|\\bby (?:the |its |their )?${escapedPattern(name)}s?\\b`,
      "i",
    ).test(value),
  );

/** What the records go through before objects are made of them: `select(.key != "email") | {…}`, `sort_by(.key) | map({…})`. */
function stagesBefore(object: Expression, program: JqProgram): readonly Expression[] {
  for (const { stages } of nodesOfKind(program, "Pipeline")) {
    const at = stages.findIndex(
      (stage) =>
        stage === object || (stage.kind === "Call" && stage.arguments.some((each) => each === object)),
    );
    const before = stages.slice(0, Math.max(at, 0)) as Expression[];
    if (before.length > 0) return before.slice(before.findLastIndex((stage) => !keeps(stage, program)) + 1);
  }
  return [];
}

/** Whether a stage gives the records that it takes. */
const keeps = ({ start, end }: Expression, { node }: JqProgram): boolean =>
  /^(?:select|map\(select|sort_by|unique_by|\.\[\])/.test(node.value.slice(start, end));

/** What else the same record is told by, in a part of the program that has it as its input. */
function keyRead(object: Expression, id: Expression, program: JqProgram): string | undefined {
  const prefix = program.node.value.slice(id.start, id.end).replace(/[\w]+$/, "");
  for (const node of nodesIn(object)) {
    const name = node.kind === "Postfix" ? nameOfValue(node) : undefined;
    if (
      node.kind !== "Postfix" ||
      name === undefined ||
      !(isIdName(name) || /^(?:key|slug|code|api_?name|field)$/i.test(name))
    )
      continue;
    if (textAt(node, program) === `${prefix}${name}`) return name;
  }
  return undefined;
}
