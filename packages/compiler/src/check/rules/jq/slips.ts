import { type Assignment, calls, type Expression, type Postfix, walk } from "@configc/jq";
import { derivedFromText } from "../../../bind/derived.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const assignedCondition = defineRule<{ condition: string; target: string }>({
  id: "jq/assigned-condition",
  severity: "warning",
  summary: "`=` assigns where `==` should compare",
  why: "`=` assigns: it gives the whole input with one member changed, which always counts as true. The first branch always runs, and `select` lets everything through.",
  guards: ["command.!jq", "D23"],
  message: ({ condition, target }) =>
    `\`${condition}\` is always true: \`=\` gives the input with \`${target}\` changed.`,
  because: ({ target }) => [`any record: an object, with \`${target}\` changed`, "an object counts as true"],
  help: () => "Compare with `==`.",
  examples: [
    {
      title: "D23: in a condition",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if .kind «=» \\"test\\" then null else {email: .email} end"}',
      good: '{"!jq": "if .kind == \\"test\\" then null else {email: .email} end"}',
      fixed: '{"!jq": "if .kind == \\"test\\" then null else {email: .email} end"}',
    },
    {
      title: "D23: in a selection",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq",
      bad: '"[.items[] | select(.active «=» true) | {display: .name, value: .id}]"',
      good: '"[.items[] | select(.active == true) | {display: .name, value: .id}]"',
      fixed: '"[.items[] | select(.active == true) | {display: .name, value: .id}]"',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { node, from, to } = at as StringPart;
    const edits = [replaceInString(document, node, from, to, "==")];
    return [{ title: "Compare with `==`", safe: true, edits }];
  },
});

const doubleQuestion = defineRule<{ value: string }>({
  id: "jq/double-question",
  severity: "warning",
  summary: "`??` in a jq program",
  why: "In jq, `?` drops errors, and a second `?` does nothing. Other languages write `a ?? b` for a default, but jq reads `.a ?? .b` as the path `.a.b`, which gives `null`.",
  guards: ["command.!jq", "D23"],
  message: ({ value }) =>
    `\`??\` isn't an operator in jq. After \`${value}\` it is \`?\` twice and gives no default.`,
  because: ({ value }) => [`\`${value}\` is null`, "`??` gives no default: it stays null"],
  help: () => "Write a default with `//`: `.a // .b`.",
  examples: [
    {
      title: "D23: a default",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/1/!jq",
      bad: '"{account_id: .id, description: (.company «??» .email)}"',
      good: '"{account_id: .id, description: (.company // .email)}"',
      fixed: '"{account_id: .id, description: (.company // .email)}"',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { node, from, to } = at as StringPart;
    const edits = [replaceInString(document, node, from, to, "//")];
    return [{ title: "Change to `//`", safe: false, edits }];
  },
});

/** Which argument of a builtin is a condition. */
const conditionOf: Readonly<Record<string, number | undefined>> = {
  "select/1": 0,
  "any/1": 0,
  "all/1": 0,
  "any/2": 1,
  "all/2": 1,
  "until/2": 0,
  "while/2": 0,
  "recurse/2": 1,
};

interface Slips {
  readonly assigned: readonly Assignment[];
  /** Each with where its `??` begins. */
  readonly doubled: readonly { readonly path: Postfix; readonly at: number }[];
}

const slipsOf = derivedFromText((tree): Slips => {
  const conditions: Expression[] = [];
  const doubled: { path: Postfix; at: number }[] = [];
  for (const { name, arity, node, builtin } of calls(tree)) {
    const key = `${name}/${arity}`;
    const at = builtin !== undefined && Object.hasOwn(conditionOf, key) ? conditionOf[key] : undefined;
    if (at !== undefined) conditions.push(node.arguments[at]!);
  }
  walk(tree, {
    enter(node) {
      if (node.kind === "Branch") conditions.push(node.condition);
      if (node.kind === "Postfix") {
        const first = node.suffixes.findIndex(
          ({ kind, end }, index, all) =>
            kind === "Optional" && all[index + 1]?.kind === "Optional" && all[index + 1]?.start === end,
        );
        if (first >= 0) doubled.push({ path: node, at: node.suffixes[first]!.start });
      }
      return undefined;
    },
  });
  return { assigned: conditions.flatMap(assignmentsIn), doubled };
});

/** Assignments whose result counts as true or false. `. = false` may be meant. */
function assignmentsIn(condition: Expression): Assignment[] {
  switch (condition.kind) {
    case "Group":
      return assignmentsIn(condition.body);
    case "Logical":
      return condition.operands.flatMap(assignmentsIn);
    case "Assignment":
      return condition.operator === "=" && condition.target.kind !== "Identity" ? [condition] : [];
    default:
      return [];
  }
}

const module: RuleModule = {
  rules: [assignedCondition, doubleQuestion],
  checks: {
    program(program, report) {
      const { node, diagnostics } = program;
      // Asked by the text first: nearly no program has either.
      if (diagnostics.length > 0 || !/[^=!<>|+\-*/%]=[^=]|\?\?/.test(node.value)) return;
      const { assigned, doubled } = slipsOf(program);
      for (const { start, end, target, operatorSpan } of assigned) {
        const args = {
          condition: excerpt(node.value.slice(start, end)),
          target: excerpt(node.value.slice(target.start, target.end)),
        };
        report(assignedCondition, { node, from: operatorSpan.start, to: operatorSpan.end }, args);
      }
      for (const { path, at } of doubled)
        report(
          doubleQuestion,
          { node, from: at, to: at + 2 },
          { value: excerpt(node.value.slice(path.start, at).trimEnd()) },
        );
    },
  },
};
export default module;
