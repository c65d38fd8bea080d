import { type Expression, type Type, types } from "@configc/jq";
import { constantOf, nearest } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { inferNodes } from "../../../flow/inference.ts";
import { bare, defines, nodesOfKind } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { didYouMean, oneOfNames } from "../../message-text.ts";

const noSuchItem = defineRule<{ text: string; items: readonly string[]; suggestion: string | undefined }>({
  id: "jq/no-such-item",
  severity: "warning",
  summary: "A word is looked for in a list that never has it",
  why: "The value of a multiselect has the values of its options, and nothing else. A word that no option has is never found, whatever a customer chooses.",
  guards: ["D12", "D23", "field_option.value"],
  message: ({ text, items, suggestion }) =>
    `This list can only have ${oneOfNames(items)}, never \`${text}\`.${didYouMean(suggestion)}`,
  because: ({ text, items }) => [
    `a customer may choose ${oneOfNames(items)}`,
    `\`${text}\` is never among them: one way is always taken`,
  ],
  help: ({ items }) => `Look for one of ${oneOfNames(items)}.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source/!jq",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Extras", "id": "extras", "type": "multiselect", "options": [{"display": "Insurance", "value": "insured"}, {"display": "Signature", "value": "signature"}]}',
      },
      bad: '"{email: .email, isSigned: (${custom_data.extras.value} | index(«\\"signed\\"») != null)}"',
      good: '"{email: .email, isSigned: (${custom_data.extras.value} | index(\\"signature\\") != null)}"',
    },
  ],
});

const module: RuleModule = {
  rules: [noSuchItem],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { node, holes } = program;
      if (!/\b(?:r?index|contains)\(/.test(node.value) || !holes.some(({ root }) => root !== undefined))
        return;
      const calls = nodesOfKind(program, "Call").filter(
        ({ name, arguments: given }) => /^(?:r?index|contains)$/.test(name.text) && given.length === 1,
      );
      const sought = calls.flatMap((call) => wordsIn(call.arguments[0]!).map((word) => ({ call, ...word })));
      if (sought.length === 0) return;
      const flow = flowOf(model);
      const { nodes } = inferNodes(program, flow.programInput(program), flow.holes(program));
      for (const { call, at, text } of sought) {
        if (defines(program, call.name.text)) continue;
        const items = itemsOf(nodes.get(call)?.input ?? types.unknown);
        // `contains` is content with a part of a text.
        const isThere = items?.some(
          (item) => item === text || (call.name.text === "contains" && item.includes(text)),
        );
        if (items === undefined || isThere) continue;
        report(
          noSuchItem,
          { node, from: at.start, to: at.end },
          { text, items, suggestion: nearest(text, items) },
        );
      }
    },
  },
};
export default module;

/** `"signed"`, and each of `["signed"]`. */
function wordsIn(given: Expression): readonly { readonly at: Expression; readonly text: string }[] {
  const node = bare(given);
  if (node.kind === "Array" && node.body !== undefined) {
    const body = bare(node.body);
    return body.kind === "Comma" ? body.items.flatMap(wordsIn) : wordsIn(body);
  }
  const text = constantOf(node);
  return node.kind === "String" && typeof text === "string" && text !== "" ? [{ at: node, text }] : [];
}

/** The texts that a list may have; undefined where they aren't all known, or it may be no list. */
function itemsOf(list: Type): readonly string[] | undefined {
  const found = new Set<string>();
  for (const part of types.partsOf(list)) {
    if (part.kind === "null") continue;
    if (part.kind !== "array") return undefined;
    for (const item of types.partsOf(part.items)) {
      if (item.kind !== "string" || item.value === undefined) return undefined;
      found.add(item.value);
    }
  }
  return found.size === 0 ? undefined : [...found];
}
