import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedAt, documentedKind } from "../../../flow/documented-records.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const sumOfRecords = defineRule<{ text: string; list: string; member: string }>({
  id: "jq/sum-of-records",
  severity: "warning",
  summary: "Records are added up where the sum of one of their members is wanted",
  why: "`add` puts objects together into one. Where a number is wanted, the field gets the last record with all its members, and nothing fails.",
  guards: ["command.!jq", "D3", "D23"],
  message: ({ text, list }) =>
    `\`${text}\` adds up records: a comment shows that the items of \`${list}\` are objects. The default is a number.`,
  because: ({ list }) => [`\`${list}\` has objects`, "their sum is an object, and no number"],
  help: ({ list, member }) => `Add up a member: \`[.${list}[].${member}] | add // 0\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"Payload: {email, lines: [{product_id, quantity}]}."' },
      bad: '{"!jq": "{email: .email, pieces: («.lines | add // 0»)}"}',
      good: '{"!jq": "{email: .email, pieces: ([.lines[].quantity] | add // 0)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [sumOfRecords],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { node, command, diagnostics } = program;
      if (diagnostics.length > 0 || !/\badd\b/.test(node.value) || !hasComments(model)) return;
      for (const pipeline of nodesOfKind(program, "Pipeline")) {
        const stages = stagesOf(pipeline);
        const sum = stages.at(-1);
        if (sum === undefined || stages.length < 2 || !isNumber(sum)) continue;
        const list = itemsOf(stages.slice(0, -1), program);
        const shown = list === undefined ? undefined : documentedKind(list, documentedAt(command, model));
        if (list === undefined || shown?.kind !== "list" || shown.members === undefined) continue;
        const [first, second] = shown.members;
        if (first === undefined || second === undefined) continue;
        const member =
          shown.members.find(({ name }) => /^(?:quantity|qty|count|amount|total|price|pieces)/i.test(name)) ??
          second;
        report(
          sumOfRecords,
          partAt(program, pipeline),
          { text: excerpt(textAt(pipeline, program), 60), list, member: member.name },
          [{ message: "the comment", at: shown.comment }],
        );
      }
    },
  },
};
export default module;

/** `add // 0`, and `add / 100`: what comes of it is taken for a number. */
function isNumber(given: Expression): boolean {
  const node = bare(given);
  if (node.kind === "Alternative") {
    const [first, ...others] = node.operands;
    return first !== undefined && isAdd(first) && others.some((each) => typeof constantOf(each) === "number");
  }
  if (node.kind !== "Arithmetic") return false;
  return (
    (isAdd(node.first) || isNumber(node.first)) &&
    node.rest.every(({ operator, operand }) => operator !== "+" && typeof constantOf(operand) === "number")
  );
}

const isAdd = (given: Expression): boolean => {
  const node = bare(given);
  return node.kind === "Call" && node.name.text === "add" && node.arguments.length === 0;
};

/** The name of a list whose items are added up as they are, all or some of them: `.lines`, `[.lines[]]`, `.lines | map(select(.x))`. */
function itemsOf([first, ...others]: readonly Expression[], program: JqProgram): string | undefined {
  if (first === undefined) return undefined;
  const keepsItems = others.every((stage) => {
    const [only] = stage.kind === "Call" && stage.name.text === "map" ? stage.arguments : [];
    return only !== undefined && bare(only).kind === "Call" && /^select\b/.test(textAt(bare(only), program));
  });
  const node = bare(first);
  if (!keepsItems) return undefined;
  if (node.kind === "Array" && node.body !== undefined) {
    const read = bare(node.body);
    const last = read.kind === "Postfix" ? read.suffixes.at(-1) : undefined;
    return read.kind === "Postfix" && last?.kind === "Iterate"
      ? nameRead({ ...read, suffixes: read.suffixes.slice(0, -1) }, program)
      : undefined;
  }
  return node.kind === "Postfix" && node.suffixes.at(-1)?.kind === "Field"
    ? nameRead(node, program)
    : undefined;
}
