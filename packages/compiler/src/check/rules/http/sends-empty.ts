import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { omitsEmpty, refusedEmpty } from "../../../flow/documented-omissions.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { finalObject, nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import type { SyntaxNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { conditionalParts } from "../jq/fails-on-null.ts";

const sendsEmpty = defineRule<{ name: string }>({
  id: "http/sends-empty",
  severity: "warning",
  summary: "A member is sent empty where, by a comment, an empty one is refused",
  why: "A customer leaves the field out, so an empty text is sent. The service refuses the whole request: for these customers nothing arrives at all.",
  guards: ["command.!jq", "field.required", "D3", "D7", "D13"],
  message: ({ name }) =>
    `\`${name}\` is an empty text where the customer leaves the field out, and a comment says that an empty one is refused.`,
  because: ({ name }) => ["the field is skipped", `\`${name}\` is \`""\`: the request is refused`],
  help: ({ name }) => `Leave \`${name}\` out if it is empty: \`if … == "" then {} else {${name}: …} end\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Note", "id": "note", "type": "textarea", "required": false}',
        "/workflows/0/data_pipeline/_comment": '"note (not empty) may be left out."',
      },
      bad: '{"!pipe": [{"!jq": "${custom_data.note.value | default} as $note | {email: .email, «note: $note»}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "${custom_data.note.value | default} as $note | {email: .email} + (if $note == \\"\\" then {} else {note: $note} end)"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const keepsEmpty = defineRule<Record<string, never>>({
  id: "jq/keeps-empty",
  severity: "warning",
  summary: "A comment says that members without a value are left out, but nothing leaves them out",
  why: "A member that is null or empty clears what the service has, or the whole request is refused. The comment at this step says that such members don't get through. The program sends each as it is.",
  guards: ["command.!jq", "D3", "D23"],
  message: () =>
    "The comment here says that members without a value aren't sent, but this program leaves none out.",
  because: () => ["a contact has no phone: the member is null", "it is sent like the others"],
  help: () => 'Add `| with_entries(select(.value != null and .value != ""))`.',
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"_comment": "Empty members are left out.", "!jq": "«{email, name}»"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"_comment": "Empty members are left out.", "!jq": "{email, name} | with_entries(select(.value != null))"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [sendsEmpty, keepsEmpty],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { unit, place } = program.command;
      if (unit?.kind !== "workflow" || !place.name.startsWith("data_pipeline.") || !hasComments(model))
        return;
      if (program.diagnostics.length > 0) return;
      const own = program.command.key === "!jq" ? ownComment(program) : undefined;
      if (own !== undefined && omitsEmpty(own) && !mayOmit(program, program.command.pipe?.node)) {
        const { body } = program.tree;
        if (buildsRecord(program)) report(keepsEmpty, partAt(program, body), {});
      }
      if (program.holes.length === 0) return;
      let refused: ReadonlySet<string> | undefined;
      for (const entry of nodesOfKind(program, "Entry")) {
        const name = nameOf(entry.key);
        if (name === undefined || entry.value === undefined || !isSkipped(entry.value, program)) continue;
        refused ??= new Set(
          commentsAround(program.node, []).flatMap(({ value }) => [...refusedEmpty(value)]),
        );
        if (!refused.has(name) || omits(program) || conditionalParts(program.tree.body, entry).length > 0)
          continue;
        report(sendsEmpty, partAt(program, entry), { name });
      }
    },
  },
};
export default module;

/** The comment of the step itself. */
function ownComment({ command }: JqProgram): string | undefined {
  const comment = command.node.get("_comment");
  if (comment?.kind === "string") return comment.value;
  return comment?.kind === "array"
    ? comment.items.flatMap((item) => (item.kind === "string" ? [item.value] : [])).join(" ")
    : undefined;
}

/** Whether a program asks for what is there, or takes something out. */
const omits = ({ node }: JqProgram): boolean =>
  /\b(?:select|del|delpaths|values|empty|nulls|strings|walk)\b/.test(node.value);

/** `if .phone == null then {} else {phone} end`, and whatever else may leave members out, here or in a later step. */
const mayOmit = (program: JqProgram, pipe: SyntaxNode | undefined): boolean =>
  omits(program) ||
  /\bif\b[^;]*\bthen\s*(?:\{\}|null|\.|empty)|\belse\s*(?:\{\}|\.)/.test(program.node.value) ||
  (pipe !== undefined &&
    program.command
      .pipe!.children.slice(program.command.stepsRun + 1)
      .some((step) => step?.program !== undefined && omits(step.program)));

/** Whether a program hands on members of its input as they are. */
function buildsRecord(program: JqProgram): boolean {
  const object = finalObject(program);
  const taken =
    object?.entries.filter(({ value }) => value === undefined || bare(value).kind === "Postfix") ?? [];
  return (
    taken.length > 1 ||
    nodesOfKind(program, "Call").some(({ name }) => /^(?:map_values|with_entries)$/.test(name.text))
  );
}

/** Whether a value is an optional field with an empty text as its default. */
function isSkipped(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source !== undefined && isSkipped(source, program) && !isAsked(node.name, program);
  }
  const hole = node.kind === "Hole" ? program.holes[node.hole] : undefined;
  if (hole?.root !== "custom_data" || hole.fields.length === 0) return false;
  const [filter, ...others] = hole.syntax.filters;
  return (
    others.length === 0 &&
    filter?.name === "default" &&
    (filter.argument?.text ?? "") === "" &&
    hole.fields.every(({ required, type }) => !required && type !== undefined && ofOneText.has(type))
  );
}

/** The fields of which an empty text comes where nothing was typed or chosen. */
const ofOneText: ReadonlySet<string> = new Set(["text", "textarea", "dropdown"]);

/** Whether a program fails, or does something else, where a variable is empty. */
const isAsked = (variable: string, program: JqProgram): boolean =>
  nodesOfKind(program, "Comparison").some(({ left, right }) => {
    const sides = [bare(left), bare(right)];
    return (
      sides.some((side) => constantOf(side) === "") &&
      sides.some((side) => side.kind === "Variable" && side.name === variable)
    );
  });
