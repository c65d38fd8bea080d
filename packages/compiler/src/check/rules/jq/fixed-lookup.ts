import type { Expression, Node, Postfix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, isExpression, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import type { Span } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const fixedLookup = defineRule<{ table: string; key: string; others: number }>({
  id: "jq/fixed-lookup",
  severity: "warning",
  summary: "A table is only ever asked for one and the same key",
  why: "A table turns a code into a word, or a choice into another value. If a fixed key stands where the code of the record belongs, every record gets the same entry, and the rest of the table is for nobody.",
  guards: ["D23", "command.!jq"],
  message: ({ table, key }) => `\`${key}\` is always the same, so \`${table}\` always gives this one entry.`,
  because: ({ key, others }) => [
    `every record gets the entry for \`${key}\``,
    others === 1 ? "the other entry is never read" : `the other ${others} entries are never read`,
  ],
  help: () => "Ask for what the record has, or what was chosen: `{…}[.status]`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, state: ({\\"a\\": \\"Active\\", \\"l\\": \\"Left\\"}[«\\"a\\"»])}"}',
      good: '{"!jq": "{email: .email, state: ({\\"a\\": \\"Active\\", \\"l\\": \\"Left\\"}[.state])}"}',
    },
    {
      title: "A table that a variable holds",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{a: \\"Active\\", l: \\"Left\\"} as $states | {email: .email, state: $states[«\\"a\\"»]}"}',
      good: '{"!jq": "{a: \\"Active\\", l: \\"Left\\"} as $states | {email: .email, state: $states[.state]}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [fixedLookup],
  checks: {
    program(program, report) {
      // A literal table, and a bracket or a dot behind it or behind a variable.
      if (!/[}\])]\s*(?:\[|\.)|\$\w+\s*(?:\[|\.)|[}\])]\s*\|\s*\./.test(program.node.value)) return;
      const before = tablesBefore(program);
      for (const read of nodesOfKind(program, "Postfix")) {
        const table = read.head.kind === "Identity" ? before.get(read) : tableBehind(read, program);
        const asked = table === undefined ? undefined : keyOf(read, program);
        if (table === undefined || asked === undefined) continue;
        const args = {
          table: excerpt(textAt(table.node, program), 40),
          key: textAt(asked, program),
          others: table.entries - 1,
        };
        report(fixedLookup, partAt(program, asked), args);
      }
    },
  },
};
export default module;

interface Table {
  readonly node: Expression;
  readonly entries: number;
}

/** `{…} | .["key"]`: the tables that come into a stage, by that. */
function tablesBefore(program: JqProgram): ReadonlyMap<Node, Table> {
  const found = new Map<Node, Table>();
  for (const { stages } of nodesOfKind(program, "Pipeline"))
    for (const [index, stage] of stages.entries()) {
      const before = stages[index - 1];
      const table = before !== undefined && isExpression(before) ? tableOf(bare(before)) : undefined;
      if (table !== undefined) found.set(stage, table);
    }
  return found;
}

/** The table that a read begins with, where this is its only reader. */
function tableBehind({ head }: Postfix, program: JqProgram): Table | undefined {
  if (head.kind !== "Variable") return tableOf(bare(head));
  const source = boundTo(program, head);
  const table = source === undefined ? undefined : tableOf(bare(source));
  if (table === undefined) return undefined;
  // `$words[.state] // $words["other"]`
  const uses = nodesOfKind(program, "Variable").filter(({ name }) => name === head.name);
  return uses.length === 1 ? table : undefined;
}

/** A construction of at least two constants: of a record that a program makes, one member may well be read. */
function tableOf(node: Expression): Table | undefined {
  if (node.kind !== "Object" && node.kind !== "Array") return undefined;
  const given = constantOf(node);
  const entries = given === undefined || given === null ? 0 : Object.keys(given).length;
  return entries > 1 ? { node, entries } : undefined;
}

/** The one constant that a table is asked for. */
function keyOf({ suffixes }: Postfix, program: JqProgram): Span | undefined {
  const [first] = suffixes;
  if (first?.kind === "Field") {
    const { key, inBrackets } = first;
    if (inBrackets === true) return { start: key.start - 1, end: key.end + 1 };
    return key.kind === "Hole" || (key.kind === "String" && constantOf(key) === undefined) ? undefined : key;
  }
  if (first?.kind !== "Index") return undefined;
  const value = constantOf(valueBehind(first.index, program));
  return typeof value === "string" || typeof value === "number" ? first.index : undefined;
}
