import { type Call, children, type Expression, type Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type Emptiness, emptinessBy, type ReadPath, readPath } from "../../../flow/emptiness.ts";
import { bare, defines, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { inputReads } from "../../../flow/protocol/value-readers.ts";
import { roleOf } from "../../../flow/value-role.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { reversedIn } from "../command/reversed-lookup.ts";

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
      if (reversedIn(program.command, model) !== undefined) return;
      const isRequest = program.command.place.name === "intake.request";
      for (const node of nodesOfKind(program, "If")) {
        const found = usedEmpty(node, program, model);
        // A cycle that asks the same again is told as that.
        if (found === undefined || (isRequest && found.value.includes("polling_state"))) continue;
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

/** What a branch may do, and on what condition it is taken. */
interface Way {
  readonly body: Expression;
  readonly condition: Expression;
  readonly facts: readonly Emptiness[];
}

function usedEmpty(node: Extract<Node, { kind: "If" }>, program: JqProgram, model: Model) {
  if (node.otherwise === undefined) return undefined;
  const { branches } = node;
  const ways: Way[] = branches.map(({ condition, body }) => ({
    body,
    condition,
    facts: emptinessBy(condition, true, program),
  }));
  const [first] = branches;
  if (branches.length === 1 && first !== undefined)
    ways.push({
      body: node.otherwise,
      condition: first.condition,
      facts: emptinessBy(first.condition, false, program),
    });
  else ways.push({ body: node.otherwise, condition: node.otherwise, facts: [] });
  const { command } = program;
  const isCase = command.key === "!switch" && node === plainBody(program);
  const uses = (way: Way, path: ReadPath): boolean => {
    const index = isCase ? constantOf(way.body) : undefined;
    const taken = typeof index === "number" ? command.children[index] : undefined;
    return taken === undefined ? reads(way.body, path, program) : commandUses(taken, path, command, model);
  };
  for (const way of ways) {
    for (const { path, isEmpty, mayBeFalse } of way.facts) {
      if (mayBeFalse && !isNoFlag(path)) continue;
      if (!isEmpty || (path.length === 1 && path[0] === "." && !isCase)) continue;
      const others = ways.filter((other) => other !== way);
      if (uses(way, path) && !others.some((other) => uses(other, path)))
        return { condition: way.condition, value: path, isCase };
    }
  }
  return undefined;
}

/** Whether a value is a text, a number or an object by its name: another one may be `false`, which is sent like any value. */
function isNoFlag(path: ReadPath): boolean {
  const role = roleOf(path.at(-1) ?? "");
  return role !== undefined && role !== "flag";
}

const _withoutGroups = (node: Expression): Expression =>
  node.kind === "Group" ? _withoutGroups(node.body) : node;

/** Whether an expression reads a value, or a part of it, other than to ask whether it is there. */
function reads(node: Expression, path: ReadPath, program: JqProgram): boolean {
  const isBuiltIn = ({ name: { text } }: Call): boolean => text !== "select" && !defines(program, text);
  const visit = (at: Node): boolean => {
    // With another input a path means something else, and a default is for what is empty.
    // A variable is the same with any input: `error($problem)`. In a text it may tell that there is none.
    if (at.kind === "Call")
      return (
        path[0]!.startsWith("$") &&
        isBuiltIn(at) &&
        at.arguments.map(bare).some((given) => given.kind !== "String" && visit(given))
      );
    if (at.kind === "Alternative" || at.kind === "Reduce" || at.kind === "Foreach") return false;
    if (at.kind === "Comparison") return false;
    // What is filled where it is empty isn't read.
    if (at.kind === "Assignment") return visit(at.value);
    if (at.kind === "Pipeline") {
      const index = at.stages.findIndex((stage) => stage.kind !== "Binding" && stage.kind !== "Definition");
      return at.stages.slice(0, index + 1).some(visit);
    }
    if (at.kind === "Postfix" || at.kind === "Hole" || at.kind === "Variable") {
      const read = readPath(at, program)?.filter((name) => name !== "");
      if (read !== undefined && isBelow(read, path)) return true;
      if (at.kind !== "Postfix") return false;
    }
    return children(at).some(visit);
  };
  return visit(node);
}

const isBelow = (read: ReadPath, path: ReadPath): boolean => path.every((name, at) => read[at] === name);

/** The same of a command: by its expansions, and by what the program that it begins with takes of its input. */
function commandUses(taken: Command, path: ReadPath, around: Command, model: Model): boolean {
  const { stepsRun, pipe, unit } = around;
  // `.tags` of the `!switch` is what its own input is called elsewhere; in that of the roots, `.polling_state` is a root.
  if (path[0] === "." && isRoot.test(path[1] ?? "") && commandUses(taken, path.slice(1), around, model))
    return true;
  const own =
    path[0] === "." ? ["piped_content", `${pipe === undefined ? 0 : stepsRun}`, ...path.slice(1)] : path;
  if (unit?.kind !== "intake" && unit?.kind !== "workflow") return true;
  const inExpansions = partOfUnit(unit, model).expansions.some(
    ({ command, syntax, node }) =>
      node.start >= taken.node.start &&
      node.end <= taken.node.end &&
      (own[0] !== "piped_content" || command?.pipe === pipe) &&
      isBelow(
        syntax.path.map(({ text }) => text),
        own,
      ),
  );
  if (inExpansions) return true;
  const first = taken.key === "!pipe" ? taken.children[0] : taken;
  const isInput = own[0] === "piped_content" && own[1] === `${pipe === undefined ? 0 : stepsRun}`;
  if (!isInput || first?.program === undefined) return false;
  const [name, ...below] = own.slice(2);
  const { program } = first;
  if (below.length > 0)
    return nodesOfKind(program, "Postfix").some((node) => {
      const read = readPath(node, program)?.filter((each) => each !== "");
      return read?.[0] === "." && isBelow(read.slice(1), own.slice(2));
    });
  const { members, whole } = inputReads(program);
  return name === undefined ? members.size > 0 : members.has(name) || (whole && !isIdentity(program));
}

const isRoot = /^(?:custom_data|polling_state|data)$/;

const isIdentity = (program: JqProgram): boolean => plainBody(program).kind === "Identity";
