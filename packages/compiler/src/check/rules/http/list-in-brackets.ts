import { types } from "@configc/jq";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const listInBrackets = defineRule<{ expansion: string }>({
  id: "http/list-in-brackets",
  severity: "warning",
  summary: "A list is sent in brackets that are a text",
  why: 'An expansion that is a whole string keeps its type. With brackets around it, the list becomes the text `[["a","b"]]`, which is neither a list nor the JSON of one.',
  guards: ["command.!http", "http.body", "D8", "D9"],
  message: ({ expansion }) => `\`${expansion}\` is a list. With the brackets around it, a text is sent.`,
  because: () => ['`[["a","b"]]` is sent as a text', "the service wants a list"],
  help: ({ expansion }) => `Write \`"${expansion}"\` alone: that is the list.`,
  fixes: ({ at, args: { expansion } }, { document }) => [
    {
      title: "Take the brackets away",
      safe: false,
      edits: [{ ...spanOf(document, at), newText: expansion }],
    },
  ],
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body",
      with: {
        "/workflows/0/data_pipeline/target/!http/path": '"/subscribers"',
        "/workflows/0/setup/select/form_fields/0/type": '"multiselect"',
      },
      bad: '{"lists": "«[${custom_data.list.value}]»"}',
      good: '{"lists": "${custom_data.list.value}"}',
      fixed: '{"lists": "${custom_data.list.value}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [listInBrackets],
  checks: {
    expansion(expansion, report, model) {
      const { node, syntax, position, command } = expansion;
      if (position !== "value" || command?.key !== "!http" || syntax.problem !== undefined) return;
      if (node.value.slice(0, syntax.start).trim() !== "[" || node.value.slice(syntax.end).trim() !== "]")
        return;
      const parts = types.partsOf(flowOf(model).expansion(expansion));
      if (parts.length === 0 || parts.some(({ kind }) => kind !== "array")) return;
      const text = node.value.slice(syntax.start, syntax.end);
      report(listInBrackets, { node, from: 0, to: node.value.length }, { expansion: text });
    },
  },
};
export default module;
