import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type ReadPath, readPath } from "../../../flow/emptiness.ts";
import { bare, isExpression, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { outcomeOf, waysOf } from "./branch-ways.ts";

const missingAsThere = defineRule<{ value: string; instead: string }>({
  id: "jq/missing-as-there",
  severity: "warning",
  summary: "What a contact doesn't have is compared with an empty text",
  why: "What a contact doesn't have is left out of what the mapping gives, so it is null. Null isn't `\"\"`: who has no email address isn't kept out.",
  guards: ["D23", "D37", "command.!jq", "command.!switch"],
  message: ({ value }) => `A contact without \`${value}\` has null there, not \`""\`, so it isn't kept out.`,
  because: ({ value }) => [
    `a contact has no \`${value}\`: the mapping leaves it out`,
    `\`${value}\` is null, and null isn't \`""\`: it goes on`,
  ],
  help: ({ instead }) => `Take what is missing for empty: \`${instead}\`.`,
  fixes: ({ at, args: { instead } }, { document }) => [
    {
      title: `Change to \`${instead}\``,
      safe: false,
      edits: [{ ...spanOf(document, at), newText: JSON.stringify(instead).slice(1, -1) }],
    },
  ],
  examples: [
    {
      title: "D37",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "if «.email» == \\"\\" then error(\\"The contact has no email address.\\") else . end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "if (.email // \\"\\") == \\"\\" then error(\\"The contact has no email address.\\") else . end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "if (.email // \\"\\") == \\"\\" then error(\\"The contact has no email address.\\") else . end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [missingAsThere],
  checks: {
    program(program, report) {
      const { command, node } = program;
      if (command.place.name !== "data_pipeline.target" || !node.value.includes('""')) return;
      if (command.unit?.kind !== "workflow" || command.unit.direction !== "outbound") return;
      for (const decision of nodesOfKind(program, "If")) {
        const refusing = waysOf(decision, program).find(
          (way) =>
            /^(?:error|nothing)$/.test(outcomeOf(way, program).kind) &&
            way.condition === decision.branches[0]?.condition,
        );
        if (
          refusing === undefined ||
          decision.branches.length > 1 ||
          refusing.body !== decision.branches[0]?.body
        )
          continue;
        for (const value of comparedIn(refusing.condition)) {
          const path = readPath(value, program)?.filter((name) => name !== "");
          if (path === undefined || !isOfContact(path, program) || isAskedForNull(value, program)) continue;
          if (isBehindOwn(value, program)) continue;
          const text = textAt(value, program);
          report(missingAsThere, partAt(program, value), { value: text, instead: `(${text} // "")` });
        }
      }
    },
  },
};
export default module;

/** What is compared with an empty text, alone or beside \`or\`. */
function comparedIn(condition: Expression): readonly Expression[] {
  const node = bare(condition);
  if (node.kind === "Logical") return node.operator === "or" ? node.operands.flatMap(comparedIn) : [];
  return node.kind === "Comparison" && node.operator === "==" && constantOf(node.right) === ""
    ? [bare(node.left)]
    : [];
}

/** Whether a value is a member of what the mapping gives, as it gives it. */
function isOfContact(path: ReadPath, { command }: JqProgram): boolean {
  const [root, index, ...names] = path;
  if (root === "piped_content")
    return index === "0" && names.length > 0 && names.length < 3 && command.pipe?.parent === undefined;
  // In a case, the input is that of the switch.
  return (
    root === "." &&
    index !== undefined &&
    path.length < 4 &&
    command.parent?.key !== "!switch" &&
    stepBefore(command) === undefined
  );
}

/** Whether the program has made what is read itself, which may never be null: `{email: (.email // "")} | if .email == "" …`. */
const isBehindOwn = (value: Expression, program: JqProgram): boolean =>
  nodesOfKind(program, "Pipeline").some(
    ({ start, end, stages }) =>
      start <= value.start &&
      value.end <= end &&
      stages.some((stage) => stage.end <= value.start && isExpression(stage) && makes.has(bare(stage).kind)),
  );

const makes: ReadonlySet<Expression["kind"]> = new Set<Expression["kind"]>([
  "Object",
  "Arithmetic",
  "Call",
  "If",
]);

/** Who asks for null, too, or gives a default, knows that it may come. */
function isAskedForNull(value: Expression, program: JqProgram): boolean {
  const text = textAt(value, program);
  const isSame = (each: Expression): boolean => textAt(bare(each), program) === text;
  return (
    nodesOfKind(program, "Comparison").some(
      ({ left, right }) =>
        (constantOf(right) === null && isSame(left)) || (constantOf(left) === null && isSame(right)),
    ) || nodesOfKind(program, "Alternative").some(({ operands }) => operands.slice(1).some(isSame))
  );
}
