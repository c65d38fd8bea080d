import { types } from "@configc/jq";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { inferNodes } from "../../../flow/inference.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
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

const listInLabel = defineRule<{ text: string; list: boolean }>({
  id: "setup/list-in-label",
  severity: "warning",
  summary: "A list or an object is pasted into a string that customers read",
  why: 'Inside a string, a list or an object becomes JSON text. The customer reads `Lists: ["News","Offers"]`. Both members of a multiselect are lists.',
  guards: ["D12", "describe_selection.display", "connect.describe_connection"],
  message: ({ text, list }) =>
    `\`${text}\` is ${list ? "a list" : "an object"} and is pasted as JSON into the string that customers read.`,
  because: ({ list }) => [list ? 'the customer reads `["a","b"]`' : 'the customer reads `{"a":1}`'],
  help: ({ list }) => (list ? 'Join it: `join(", ")`.' : "Read one of its members."),
  examples: [
    {
      title: "D12",
      in: "inbound-polling",
      at: "/workflows/0/setup/select/describe_selection/display/!jq",
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"id": "kinds", "label": "Kinds", "type": "multiselect", "options": [{"display": "News", "value": "news"}]}',
        "/workflows/0/setup/select/describe_selection/resource_id": '{"!jq": ".custom_data.kinds.value[0]"}',
        "/data_intake/0/request/!pipe/0/!http/path": '"/customers"',
      },
      bad: '"\\"Kinds: «\\\\(.custom_data.kinds.display)»\\""',
      good: '"\\"Kinds: \\\\(.custom_data.kinds.display | join(\\", \\"))\\""',
    },
  ],
});

const module: RuleModule = {
  rules: [listInText, listInLabel],
  checks: {
    program(program, report, model) {
      const { place } = program.command;
      if (place.name !== "describe_selection.display" && place.name !== "connect.describe_connection") return;
      if (program.diagnostics.length > 0 || !program.node.value.includes("\\(")) return;
      const flow = flowOf(model);
      const { nodes } = inferNodes(program, flow.programInput(program), flow.holes(program));
      // `@json "…"` writes it so on purpose.
      const parts = [...nodesOfKind(program, "String")].flatMap((text) =>
        text.format === undefined ? text.parts.filter((part) => part.kind === "Interpolation") : [],
      );
      for (const part of parts) {
        const kinds = types.partsOf(nodes.get(part.expression)?.output ?? types.unknown);
        if (kinds.length === 0 || !kinds.every(({ kind }) => kind === "array" || kind === "object")) continue;
        const { start, end } = part;
        const text = excerpt(program.node.value.slice(start, end));
        report(
          listInLabel,
          { node: program.node, from: start, to: end },
          { text, list: kinds.every(({ kind }) => kind === "array") },
        );
      }
    },
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
