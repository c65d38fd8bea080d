import type { Expression, If } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { ReadPath } from "../../../flow/emptiness.ts";
import { defines, isExpression, nodesIn, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { plain, plainBody } from "../../../flow/plain-body.ts";
import { roleOf } from "../../../flow/value-role.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { reversedIn } from "../command/reversed-lookup.ts";
import { reversedVerdictIn } from "../command/reversed-verdict.ts";
import { decisionsOf, usesIn, type Way, worksWith } from "./branch-ways.ts";

const usedWhereEmpty = defineRule<{ condition: string; value: string; isCase: boolean }>({
  id: "jq/used-where-empty",
  severity: "warning",
  summary: "A value is used where it is empty, and not where there is one",
  why: "A condition asks whether a value is there. If the branch for “no” is the one that uses it, the two branches are most likely exchanged: a value is left out where there is one, and an empty one is sent.",
  guards: ["command.!jq", "command.!switch", "D23", "D26"],
  message: ({ condition, value, isCase }) =>
    `\`${condition}\` takes ${isCase ? "the case" : "the branch"} that uses \`${value}\` where it is empty; the other one doesn't use it.`,
  because: ({ value, isCase }) => [
    `\`${value}\` is empty: ${isCase ? "the case" : "the branch"} that is taken uses it`,
    `\`${value}\` has a value: ${isCase ? "the case" : "the branch"} that is taken doesn't use it`,
  ],
  help: () => "Exchange the two, or turn the comparison round.",
  examples: [
    {
      title: "In a program",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if «.email != null» then null else {email: .email, first_name: .first_name} end"}',
      good: '{"!jq": "if .email == null then null else {email: .email, first_name: .first_name} end"}',
      also: ["pipeline/skips-all"],
    },
    {
      title: "Cases",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!switch": {"jq": "if «${custom_data.note.value | default} == \\"\\"» then 1 else 0 end", "cases": [{"!jq": "."}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/notes", "body": {"email": "${piped_content.0.email}", "text": "${custom_data.note.value | default}"}}}]}}',
      good: '{"!switch": {"jq": "if ${custom_data.note.value | default} == \\"\\" then 0 else 1 end", "cases": [{"!jq": "."}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/notes", "body": {"email": "${piped_content.0.email}", "text": "${custom_data.note.value | default}"}}}]}}',
    },
  ],
});

const module: RuleModule = {
  rules: [usedWhereEmpty],
  checks: {
    program(program, report, model) {
      if (nodesOfKind(program, "If").length === 0 || reversedIn(program.command, model) !== undefined) return;
      const isRequest = program.command.place.name === "intake.request";
      for (const node of decisionsOf(program, model).keys()) {
        const found = usedEmpty(node, program, model);
        // A cycle that asks the same again is told as that.
        if (found === undefined || (isRequest && found.value.includes("polling_state"))) continue;
        if (reversedVerdictIn(program) !== undefined) continue;
        const { condition, value, isCase } = found;
        const at = { node: program.node, from: condition.start, to: condition.end };
        report(usedWhereEmpty, at, {
          condition: excerpt(textAt(condition, program)),
          value: value.join(".").replace(/^\.(?=\.)/, ""),
          isCase,
        });
      }
    },
  },
};
export default module;

/** A value that a branch uses where it is certainly empty, and no other does. */
export function usedEmpty(node: If, program: JqProgram, model: Model) {
  const ways = decisionsOf(program, model).get(node) ?? [];
  const { command } = program;
  const isCase = command.key === "!switch" && node === plainBody(program);
  for (const way of ways) {
    for (const { path, isEmpty, mayBeFalse, isNull } of way.facts) {
      if (!isEmpty || (mayBeFalse && !isNoFlag(path) && !worksWith(way, path, program))) continue;
      const others = ways.filter((other) => other !== way);
      if (path.length === 1 && path[0] === "." && !isCase) {
        if (losesInput(way, others, isNull === true, program))
          return { condition: way.condition, value: path, isCase };
        continue;
      }
      if (
        usesIn(way, path, program, model, "certain") &&
        !others.some((other) => usesIn(other, path, program, model, "possible"))
      )
        return { condition: way.condition, value: path, isCase };
    }
  }
  return undefined;
}

/** Whether a branch works with an input that is empty, or gives it on, and any other one gives a constant instead of what is there. */
function losesInput(way: Way, others: readonly Way[], isNull: boolean, program: JqProgram): boolean {
  // What certainly fails with null is told by its types.
  if (isNull && failsOnNull(way.body)) return false;
  const isLost = others.every(({ body }) => isConstant(plain(body)));
  return (
    isLost &&
    (plain(way.body).kind === "Identity" || takesInput(way.body, program) || worksWith(way, ["."], program))
  );
}

/** `add / length`, `tostring` */
function takesInput(given: Expression, program: JqProgram): boolean {
  const node = plain(given);
  if (node.kind === "Arithmetic") return takesInput(node.first, program);
  if (node.kind === "Pipeline") {
    const [first] = node.stages;
    return first !== undefined && isExpression(first) && takesInput(first, program);
  }
  return node.kind === "Call" && takers.test(node.name.text) && !defines(program, node.name.text);
}

const takers =
  /^(?:add|first|last|min|max|sort|unique|tostring|tojson|join|map|sort_by|min_by|max_by|unique_by|group_by)$/;

const failsOnNull = (body: Expression): boolean =>
  nodesIn(body).some(
    (each) =>
      (each.kind === "Call" && !/^(?:add|tostring|tojson|length|type|not)$/.test(each.name.text)) ||
      (each.kind === "Arithmetic" && each.rest.some(({ operator }) => operator !== "+")),
  );

function isConstant(node: Expression): boolean {
  if (node.kind === "Array") return node.body === undefined;
  if (node.kind === "Object") return node.entries.length === 0;
  return constantOf(node) !== undefined || (node.kind === "Call" && node.name.text === "empty");
}

/** Whether a value is a text, a number or an object by its name: another one may be `false`, which is sent like any value. */
function isNoFlag(path: ReadPath): boolean {
  const role = roleOf(path.at(-1) ?? "");
  return role !== undefined && role !== "flag";
}
