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
      if (holes.length === 0 || !/\b(?:r?index|contains)\(|\b(?:then|else)\s*\[/.test(node.value)) return;
      const calls = nodesOfKind(program, "Call").filter(
        ({ name, arguments: given }) => /^(?:r?index|contains)$/.test(name.text) && given.length === 1,
      );
      const sought = calls.flatMap((call) => wordsIn(call.arguments[0]!).map((word) => ({ call, ...word })));
      const substitutes = nodesOfKind(program, "If").flatMap(substituteIn);
      if (sought.length === 0 && substitutes.length === 0) return;
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
      for (const { choice, words } of substitutes) {
        const items = itemsOf(nodes.get(choice)?.input ?? types.unknown, true);
        const [first] = words;
        // Of other words some are known: the list is of something else, or the service knows more.
        if (items === undefined || first === undefined || words.some(({ text }) => items.includes(text)))
          continue;
        const { at, text } = first;
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

/** The words that stand in for what was chosen, where nothing was: `if length == 0 then ["s", "m"] else . end`. */
function substituteIn(choice: If) {
  const { branches, otherwise } = choice;
  const ways = [...branches.map(({ body }) => body), ...(otherwise === undefined ? [] : [otherwise])].map(
    bare,
  );
  if (!ways.some(({ kind }) => kind === "Identity")) return [];
  return ways.flatMap((way) => {
    const words = way.kind === "Array" ? wordsIn(way) : [];
    return words.length < 2 ? [] : [{ choice, words }];
  });
}

type If = Extract<Expression, { kind: "If" }>;

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

/**
 * The texts that a list may have; undefined where they aren't all known, or it may be no list.
 *
 * @param isOptional whether it may also be the empty text that stands for nothing
 */
function itemsOf(list: Type, isOptional = false): readonly string[] | undefined {
  const found = new Set<string>();
  for (const part of types.partsOf(list)) {
    if (part.kind === "null" || (isOptional && part.kind === "string" && part.value === "")) continue;
    if (part.kind !== "array") return undefined;
    for (const item of types.partsOf(part.items)) {
      if (item.kind !== "string" || item.value === undefined) return undefined;
      found.add(item.value);
    }
  }
  // A type has its parts in the order in which a process first saw them.
  return found.size === 0 ? undefined : [...found].sort();
}
