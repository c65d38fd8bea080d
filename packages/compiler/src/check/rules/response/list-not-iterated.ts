import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { listTaken } from "../setup/list-as-option.ts";

const listNotIterated = defineRule<{ text: string }>({
  id: "response/list-not-iterated",
  severity: "hint",
  summary: "The options of a field are made of one object instead of each record of a list",
  why: "`[.body | {…}]` makes one option of the whole answer. If the answer is a list, which has no members, the program fails and the customer can choose nothing.",
  guards: ["field.options", "D12", "D20"],
  message: ({ text }) => `This makes one option of \`${text}\` as a whole. If it is a list, that fails.`,
  because: ({ text }) => [`\`${text}\` is a list of records`, "a list has no members: no options"],
  help: ({ text }) => `Write \`${text}[]\`.`,
  examples: [
    {
      title: "D20",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq",
      bad: '"[«.body» | {display: .name, value: .id}]"',
      good: '"[.body[] | {display: .name, value: .id}]"',
      fixed: '"[.body[] | {display: .name, value: .id}]"',
    },
  ],
  fixes: ({ at, args: { text } }, { document }) => {
    const { end } = spanOf(document, at);
    return [{ title: `Change to \`${text}[]\``, safe: false, edits: [{ start: end, end, newText: "[]" }] }];
  },
});

const module: RuleModule = {
  rules: [listNotIterated],
  checks: {
    field(field, report, model) {
      const command = flowOf(model).plainAt(field.node.get("options"));
      const last = command?.key === "!pipe" ? command.children.at(-1) : command;
      const program = last?.key === "!jq" ? last.program : undefined;
      const path = program === undefined ? undefined : wholeAnswer(program);
      // What is a list by its name is told as certain.
      if (program === undefined || path === undefined || listTaken(program) !== undefined) return;
      const at = { node: program.node, from: path.start, to: path.end };
      report(listNotIterated, at, { text: program.node.value.slice(path.start, path.end) });
    },
  },
};
export default module;

/** `.body` of `[.body | {display: .name, value: .id}]` */
function wholeAnswer(program: JqProgram) {
  if (nodesOfKind(program, "Array").length !== 1) return undefined;
  const list = plainBody(program);
  const body = list.kind === "Array" && list.body !== undefined ? bare(list.body) : undefined;
  if (body?.kind !== "Pipeline") return undefined;
  const [path, made, ...others] = stagesOf(body);
  if (path?.kind !== "Postfix" || made?.kind !== "Object" || others.length > 0) return undefined;
  const isPlain = path.head.kind === "Identity" && path.suffixes.every(({ kind }) => kind === "Field");
  return isPlain && entryOf(made, "value") !== undefined ? path : undefined;
}
