import { nearest } from "@configc/jq/internal";
import { defineRule, type Fix } from "../../../findings/rule.ts";
import { describeValue } from "../../../language/describe.ts";
import type { Value } from "../../../language/index.ts";
import { spanOf } from "../../../parse/document.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { capitalized, didYouMean, excerpt, oneOfNames } from "../../message-text.ts";

const wrongType = defineRule<{
  owner: string;
  expected: string;
  found: string;
  replacement: string | undefined;
}>({
  id: "structure/wrong-type",
  severity: "error",
  summary: "A value has the wrong type",
  why: "The platform expects one type of value for each member. It refuses a number in quotes, or a single object where it expects a list.",
  guards: ["D1"],
  message: ({ owner, expected, found }) => `${capitalized(owner)} must be ${expected}. It is ${found}.`,
  help: ({ replacement }) => (replacement === undefined ? undefined : `Write ${replacement}.`),
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": «"Created"»}',
      good: '{"webhook_events": ["Created"]}',
      fixed: '{"webhook_events": ["Created"]}',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    if (args.replacement === undefined) return [];
    const edits = [{ ...spanOf(document, at), newText: args.replacement }];
    return [{ title: `Write ${excerpt(args.replacement, 40)}`, safe: true, edits }];
  },
});

const unknownValue = defineRule<{
  owner: string;
  value: string;
  accepted: readonly string[];
  suggestion: string | undefined;
}>({
  id: "structure/unknown-value",
  severity: "error",
  summary: "The specification doesn't list this value",
  why: "The platform accepts only the listed values, spelled exactly.",
  guards: ["D41"],
  message: ({ owner, value, accepted, suggestion }) =>
    `\`${excerpt(value)}\` isn't a value of ${owner}.${didYouMean(suggestion)} It can be ${oneOfNames(accepted)}.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/scope",
      bad: '«"workflows"»',
      good: '"workflow"',
      fixed: '"workflow"',
    },
  ],
  fixes: ({ at, args }, { document }): readonly Fix[] => {
    const only = args.accepted.length === 1 ? args.accepted[0] : undefined;
    const value = args.suggestion ?? only;
    const change = (to: string, safe: boolean): Fix => ({
      title: `Change to \`${to}\``,
      safe,
      edits: [{ ...spanOf(document, at), newText: JSON.stringify(to) }],
    });
    if (value !== undefined) return [change(value, true)];
    // Of two either may be meant.
    return args.accepted.length === 2 ? args.accepted.map((each) => change(each, false)) : [];
  },
});

const numberRange = defineRule<{
  owner: string;
  value: number;
  minimum: number | undefined;
  only: number | undefined;
}>({
  id: "structure/number-range",
  severity: "error",
  summary: "A number is outside the range that the specification allows",
  why: "The specification fixes or bounds some numbers, such as the polling frequency of 1800 seconds.",
  guards: ["schedule.frequency", "polling.frequency", "D43", "D42"],
  message: ({ owner, value, minimum, only }) =>
    only !== undefined
      ? `${capitalized(owner)} must be ${only}. It is ${value}.`
      : `${capitalized(owner)} must be at least ${minimum}. It is ${value}.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/workflows/0/setup/schedule/frequency",
      bad: "«900»",
      good: "1800",
      fixed: "1800",
    },
  ],
  fixes: ({ at, args }, { document }) => {
    if (args.only === undefined) return [];
    return [
      {
        title: `Change to ${args.only}`,
        safe: true,
        edits: [{ ...spanOf(document, at), newText: `${args.only}` }],
      },
    ];
  },
});

const emptyText = defineRule<{ owner: string }>({
  id: "structure/empty-text",
  severity: "error",
  summary: "This string can't be empty",
  why: "An empty name or label leaves the customer with nothing to see, and nothing can refer to it.",
  guards: ["D5"],
  message: ({ owner }) => `${capitalized(owner)} can't be empty.`,
  examples: [
    { in: "inbound-webhook", at: "/workflows/0/label", bad: '«""»', good: '"Acme - Import contacts"' },
  ],
});

const module: RuleModule = {
  rules: [wrongType, unknownValue, numberRange, emptyText],
  checks: {
    structure: {
      "wrong-type"({ node, expected, owner }, report, { document }) {
        const replacement = converted(node, expected, document.text);
        report(wrongType, locate(node), {
          owner,
          expected: describeValue(expected),
          found: describeNode(node),
          replacement,
        });
      },
      "unknown-value"({ node, accepted, owner, openEnded }, report) {
        // A value outside of an open-ended list has a rule of its own.
        if (openEnded) return;
        report(unknownValue, node, {
          owner,
          value: node.value,
          accepted,
          suggestion: nearest(node.value, accepted),
        });
      },
      "number-range"({ node, owner, minimum, only }, report) {
        report(numberRange, node, { owner, value: node.value, minimum, only });
      },
      "empty-text"({ node, owner }, report) {
        report(emptyText, node, { owner });
      },
    },
  },
};
export default module;

/** A whole object or list is too much to underline: its opening bracket stands for it. */
function locate(node: JsonNode) {
  const container = node.kind === "object" || node.kind === "array";
  return container && node.end - node.start > 200 ? { start: node.start, end: node.start + 1 } : node;
}

/** The same value in the right kind, where that is certain. */
function converted(node: JsonNode, value: Value, text: string): string | undefined {
  const source = text.slice(node.start, node.end);
  const expected = describeValue(value);
  if (expected === "a list" && node.kind === "string")
    return value.kind === "list" && takes(value.of, node.value) ? `[${source}]` : undefined;
  if (expected === "a string" && (node.kind === "number" || node.kind === "boolean"))
    return takes(value, source) ? JSON.stringify(source) : undefined;
  if (node.kind !== "string") return undefined;
  if (expected === "a whole number" && /^-?\d{1,15}$/.test(node.value)) return `${Number(node.value)}`;
  if (expected === "true or false" && /^(true|false)$/.test(node.value)) return node.value;
  return undefined;
}

/** Whether a text can be any, or is one of those that there are: then it is only of the wrong kind. */
function takes(value: Value, text: string): boolean {
  if (value.kind !== "text") return false;
  if (value.oneOf !== undefined) return value.oneOf.includes(text);
  return value.refersTo === undefined && (value.format === undefined || value.format === "markdown");
}

export function describeNode(node: JsonNode): string {
  switch (node.kind) {
    case "object":
      return "an object";
    case "array":
      return "a list";
    case "string":
      return `the string ${JSON.stringify(excerpt(node.value, 30))}`;
    case "number":
      return `the number ${node.value}`;
    case "boolean":
      return `${node.value}`;
    case "null":
      return "null";
  }
}
