import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { wholeAlone } from "../../../flow/whole-alone.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import { changeInString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const listAsOption = defineRule<{ text: string }>({
  id: "setup/list-as-option",
  severity: "warning",
  summary: "One option is made of a whole list",
  why: "Each record of a list is an option of its own. Of the list as a whole there is no name and no id: the program fails, and customers can't go on with the setup.",
  guards: ["field.options", "D12", "D20"],
  message: ({ text }) => `\`${text}\` is a list by its name, and this makes one option of all of it.`,
  because: ({ text }) => [`\`${text}\` is a list of records`, "a list has no members: the program fails"],
  help: ({ text }) => `Write \`${text}[]\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq",
      bad: '"[«.items» | select(.open) | {display: .name, value: .id}]"',
      good: '"[.items[] | select(.open) | {display: .name, value: .id}]"',
      fixed: '"[.items[] | select(.open) | {display: .name, value: .id}]"',
    },
  ],
  fixes: ({ at }, { document }) =>
    "from" in at ? [changeInString(document, at, `${at.node.value.slice(at.from, at.to)}[]`, false)] : [],
});

const module: RuleModule = {
  rules: [listAsOption],
  checks: {
    program(program, report) {
      const list = isOfOptions(program) ? listTaken(program) : undefined;
      if (list === undefined) return;
      const at = { node: program.node, from: list.start, to: list.end };
      report(listAsOption, at, { text: excerpt(textAt(list, program)) });
    },
  },
};
export default module;

/** The programs of which that is told: what else differs about their lists needn't be. */
export const programsTold: (model: Model) => ReadonlySet<JsonNode> = derived(
  ({ programs }) =>
    new Set(
      programs.flatMap((program) =>
        isOfOptions(program) && listTaken(program) !== undefined ? [program.node] : [],
      ),
    ),
);

const isOfOptions = ({ command: { place } }: JqProgram): boolean =>
  place.name === "field.options" || place.name.startsWith("map.");

/** The list that a program of options takes for one record. */
export function listTaken(program: JqProgram): Expression | undefined {
  if (program.diagnostics.length > 0 || !/\b(?:display|title)\b/.test(program.node.value)) return undefined;
  const body = plainBody(program);
  return body.kind === "Array" ? wholeAlone(body, false) : undefined;
}
