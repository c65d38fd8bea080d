import { types } from "@configc/jq";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isWhole } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const listInText = defineRule<{ expansion: string; list: boolean }>({
  id: "expansion/list-in-text",
  severity: "hint",
  summary: "A list or an object is pasted into a string that is sent",
  why: 'Inside a string, a list or an object becomes JSON text: `["a","b"], more`. An API that expects a list gets one string with brackets and stores it like that.',
  guards: ["D9", "D12", "http.body", "http.params"],
  message: ({ expansion, list }) =>
    `\`${expansion}\` is ${list ? "a list" : "an object"} and is pasted as JSON into the string around it.`,
  because: ({ list }) => [list ? 'the string contains `["a","b"]`' : 'the string contains `{"a":1}`'],
  help: ({ list }) =>
    list
      ? 'Send it alone to keep it a list, or join it in an earlier `!jq`: `join(", ")`.'
      : "Send it alone to keep it an object, or read one of its members.",
  examples: [
    {
      title: "D9",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body",
      with: {
        "/workflows/0/data_pipeline/target/!http/path": '"/subscribers"',
        "/workflows/0/setup/select/form_fields/0/type": '"multiselect"',
      },
      bad: '{"lists": "«${custom_data.list.value}»,news"}',
      good: '{"lists": "${custom_data.list.value}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [listInText],
  checks: {
    template({ node, template, position, command, expansions }, report, model) {
      if ((position !== "value" && position !== "parameter") || command?.key !== "!http" || isWhole(template))
        return;
      for (const expansion of expansions) {
        const { syntax, rootExact } = expansion;
        if (syntax.problem !== undefined || !rootExact) continue;
        const parts = types
          .partsOf(flowOf(model).expansion(expansion))
          .filter((part) => part.kind !== "null" && !(part.kind === "string" && part.value === ""));
        if (parts.length === 0 || !parts.every(({ kind }) => kind === "object" || kind === "array")) continue;
        const { start, end } = syntax;
        report(
          listInText,
          { node, from: start, to: end },
          {
            expansion: excerpt(node.value.slice(start, end)),
            list: parts.every(({ kind }) => kind === "array"),
          },
        );
      }
    },
  },
};
export default module;
