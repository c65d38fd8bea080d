import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { stepsOf } from "../../../flow/value-path.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";

const absentParameter = defineRule<{ text: string; isEqual: boolean; instead: string }>({
  id: "intake/absent-parameter",
  severity: "warning",
  summary: "A parameter or header that may be missing is compared with an empty text",
  why: "What a request doesn't have is null, not an empty text. So a delivery without the parameter passes for one that has it: it is taken for a challenge, or for a signed one.",
  guards: ["D26", "D45", "command.!switch"],
  message: ({ text, isEqual }) =>
    `\`${text}\` is null where it is missing, and never \`""\`: this is ${isEqual ? "false" : "true"} then.`,
  because: ({ text, isEqual }) => [
    `a request without it: \`${text}\` is null`,
    `compared with \`""\`: ${isEqual ? "false" : "true"}`,
  ],
  help: () => "Compare it with `null`.",
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: '{"!switch": {"jq": "if .query.challenge != «\\"\\"» then 0 else 1 end", "cases": [{"!respond": {"process_payload": false, "code": 200}}, {"!respond": {"process_payload": true}}]}}',
      good: '{"!switch": {"jq": "if .query.challenge != null then 0 else 1 end", "cases": [{"!respond": {"process_payload": false, "code": 200}}, {"!respond": {"process_payload": true}}]}}',
      fixed:
        '{"!switch": {"jq": "if .query.challenge != null then 0 else 1 end", "cases": [{"!respond": {"process_payload": false, "code": 200}}, {"!respond": {"process_payload": true}}]}}',
    },
  ],
});

const module: RuleModule = {
  rules: [absentParameter],
  checks: {
    program(program, report) {
      const { command, node, diagnostics } = program;
      if (command.place.name !== "intake.verification" || diagnostics.length > 0) return;
      if (!/\.(?:query|headers)/.test(node.value)) return;
      for (const { left, right, operator } of nodesOfKind(program, "Comparison")) {
        if (operator !== "==" && operator !== "!=") continue;
        const [value, empty] = constantOf(left) === "" ? [right, left] : [left, right];
        if (constantOf(empty) !== "" || !isOfRequest(value, program)) continue;
        const text = textAt(value, program);
        // It is asked for in another way, too.
        if (
          new RegExp(`${escapedPattern(text)}\\s*(?:[!=]= *null|//|\\|\\s*(?:not|length))`).test(node.value)
        )
          continue;
        report(absentParameter, partAt(program, empty), {
          text,
          isEqual: operator === "==",
          instead: "null",
        });
      }
    },
  },
};
export default module;

/** `.query.challenge`, `.headers["x-signature"]`, as they came. */
function isOfRequest(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  if (node.kind === "Hole") {
    const hole = program.holes[node.hole];
    const path = hole?.syntax.path.map(({ text }) => text) ?? [];
    return hole?.root === "piped_content" && hole.syntax.filters.length === 0 && isPath(path.slice(2));
  }
  if (node.kind !== "Postfix" || node.head.kind !== "Identity") return false;
  return isPath(stepsOf(node.suffixes) ?? []);
}

const isPath = (path: readonly string[]): boolean =>
  path.length === 2 && /^(?:query|query_params|headers)$/.test(path[0]!);
