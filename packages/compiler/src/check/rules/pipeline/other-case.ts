import { type Expression, types } from "@configc/jq";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { below } from "../../../flow/expansion-type.ts";
import { flowOf } from "../../../flow/flow.ts";
import { literalMembers } from "../../../flow/literal-object.ts";
import { bare } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { inputReads } from "../../../flow/protocol/value-readers.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";

const otherCase = defineRule<{ member: string; given: readonly string[]; expansion: string }>({
  id: "pipeline/other-case",
  severity: "warning",
  summary: "One case of a `!switch` doesn't give what a later step reads",
  why: "A later step takes the output of whichever case was taken. Where one case gives an id under another name than the others, reading it fails for every record that goes this way, often after something was made for it.",
  guards: ["command.!switch", "expansion.piped_content", "D9", "D14", "D26"],
  message: ({ member, given, expansion }) =>
    `A later step reads \`${expansion}\`, but this case gives ${allNames(given)} and no \`${member}\`.`,
  because: ({ member, given, expansion }) => [
    `another case gives \`${member}\`, this one gives ${allNames(given)}`,
    `\`${expansion}\` has no value here, and no default`,
  ],
  help: ({ member }) => `Give \`${member}\` in each case.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!switch": {"jq": "if ${custom_data.list.value} == 1 then 0 else 1 end", "cases": [{"!jq": "«{address: .email}»"}, {"!jq": "{mail: .email}"}]}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.1.mail}"}}}]}',
      good: '{"!pipe": [{"!switch": {"jq": "if ${custom_data.list.value} == 1 then 0 else 1 end", "cases": [{"!jq": "{mail: .email}"}, {"!jq": "{mail: .email}"}]}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.1.mail}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherCase],
  checks: {
    command: {
      "!switch"(command, report, model) {
        const { unit } = command;
        if (command.parent?.key !== "!pipe" || (unit?.kind !== "workflow" && unit?.kind !== "intake")) return;
        const results = resultsOf(command);
        const given = results.flatMap(objectsOf);
        const [first] = given;
        const isMixed = given.some(({ names }) => `${[...names]}` !== `${[...first!.names]}`);
        const isAnswer =
          results.some(({ key }) => key === "!http") && results.some(({ key }) => key === "!jq");
        if (!isMixed && !isAnswer) return;
        const reads = partOfUnit(unit, model).expansions.filter(
          (each) =>
            isNeeded(each) &&
            !isDecidedByIt(each, command) &&
            !mayStopBefore(each, command) &&
            isOf(stepOf(each), command),
        );
        if (isAnswer) {
          for (const result of results) {
            const found = lackingIn(result, reads, model);
            if (found !== undefined) report(otherCase, ...found);
          }
          return;
        }
        for (const { names, program, node } of given) {
          const lacking = reads.find(({ syntax }) => {
            const name = syntax.path[2]!.text;
            return !names.has(name) && given.some((other) => other.names.has(name));
          });
          if (lacking === undefined) continue;
          const { start, end, path } = lacking.syntax;
          report(
            otherCase,
            { node: program.node, from: node.start, to: node.end },
            { member: path[2]!.text, given: [...names], expansion: lacking.node.value.slice(start, end) },
          );
        }
      },
    },
  },
};
export default module;

/** What a case certainly doesn't give, where others give the answer to a request. */
function lackingIn(result: Command, reads: readonly Expansion[], model: Model) {
  const { key, program } = result;
  if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) return undefined;
  const type = flowOf(model).output(result);
  const parts = types.partsOf(type);
  if (parts.length === 0 || !parts.every((part) => part.kind === "object" && part.rest === undefined))
    return undefined;
  const lacking = reads.find(
    ({ syntax }) =>
      below(
        type,
        syntax.path.slice(2).map(({ text }) => text),
      ).kind === "never",
  );
  if (lacking === undefined) return undefined;
  const { start, end, path } = lacking.syntax;
  const expansion = lacking.node.value.slice(start, end);
  const given = [
    ...new Set(parts.flatMap((part) => (part.kind === "object" ? [...part.members.keys()] : []))),
  ];
  const names = path.slice(2).map(({ text }) => text);
  const length = names.findIndex((_, index) => below(type, names.slice(0, index + 1)).kind === "never");
  const member = names.slice(0, length + 1).join(".");
  const body = plainBody(program);
  return [
    { node: program.node, from: body.start, to: body.end },
    { member, given, expansion },
  ] as const;
}

/** Whether what an expansion reads is given in some cases, and in others certainly not. */
export function isOfOtherCase(expansion: Expansion): boolean {
  const step = isNeeded(expansion) ? stepOf(expansion) : undefined;
  const given = step?.key === "!switch" ? resultsOf(step).flatMap(objectsOf) : [];
  const has = given.map(({ names }) => names.has(expansion.syntax.path[2]!.text));
  return has.includes(true) && has.includes(false);
}

interface Given {
  readonly program: JqProgram;
  readonly node: Expression;
  readonly names: ReadonlySet<string>;
}

/** The objects that a program gives whose members are all known. */
function objectsOf({ key, program }: Command): readonly Given[] {
  if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) return [];
  return branchesOf(plainBody(program)).flatMap((node) => {
    const members = node.kind === "Object" ? literalMembers(node) : undefined;
    return members === undefined || members.size === 0
      ? []
      : [{ program, node, names: new Set(members.keys()) }];
  });
}

function branchesOf(given: Expression): readonly Expression[] {
  const node = bare(given);
  if (node.kind === "If")
    return [
      ...node.branches.map(({ body }) => body),
      ...(node.otherwise === undefined ? [] : [node.otherwise]),
    ].flatMap(branchesOf);
  const last = node.kind === "Pipeline" ? node.stages.at(-1) : undefined;
  return last === undefined ? [node] : branchesOf(last as Expression);
}

/** Whether an expansion reads a member that must be there. */
const isNeeded = ({ root, rootExact, syntax }: Expansion): boolean =>
  root === "piped_content" && rootExact && syntax.filters.length === 0 && syntax.path[2] !== undefined;

/** The step whose output an expansion reads, also from within a pipe that begins with it. */
function stepOf({ command, syntax }: Expansion): Command | undefined {
  const index = Number(syntax.path[1]?.text);
  const { pipe } = command ?? {};
  return index === 0 ? before(pipe) : pipe?.children[index - 1];
}

/** The step before a command, or before the `!switch` or `!pipe` that it is in. */
function before(command: Command | undefined): Command | undefined {
  for (let at = command; at?.parent !== undefined; at = at.parent)
    if (at.parent.key === "!pipe" && at.stepsRun > 0) return at.parent.children[at.stepsRun - 1];
  return undefined;
}

/** Whether a step is another one, or hands on what that gives. */
function isOf(step: Command | undefined, command: Command): boolean {
  if (step === undefined || step === command) return step !== undefined;
  return resultsOf(step).some(
    (each) => each.program?.node.value.trim() === "." && each.key === "!jq" && isOf(before(each), command),
  );
}

/** Whether a step in between may end the run, with some of the cases. */
function mayStopBefore({ command }: Expansion, { pipe, stepsRun }: Command): boolean {
  let at = command;
  while (at !== undefined && at.parent !== pipe) at = at.parent;
  const between = pipe?.children.slice(stepsRun + 1, at?.stepsRun) ?? [];
  return between.some((step) => step !== undefined && mayStop(step));
}

const mayStop = ({ key, program, children }: Command): boolean =>
  key === "!error" ||
  program?.node.value.includes("error") === true ||
  children.some((child) => child !== undefined && mayStop(child));

/** Whether a `!switch` around an expansion may go by what a step gave. */
function isDecidedByIt({ command }: Expansion, step: Command): boolean {
  for (let at = command?.parent; at !== undefined && at !== step.parent; at = at.parent) {
    const { program } = at;
    if (at === step) return true;
    if (at.key !== "!switch" || program === undefined) continue;
    const { members, whole } = inputReads(program);
    if (whole || members.size > 0 || program.holes.some((hole) => mayTellCase(hole, step))) return true;
  }
  return false;
}

/** Whether an expansion in a condition may tell which case of a step was taken: it reads the step, or what that goes by. */
function mayTellCase(hole: Expansion, step: Command): boolean {
  if (hole.root === "custom_data") return false;
  const read = hole.root === "piped_content" ? stepOf(hole) : undefined;
  const name = hole.syntax.path[2]?.text;
  const { program } = step;
  if (read === undefined || read === step || name === undefined || program === undefined) return true;
  const { members, whole } = inputReads(program);
  const isInput = read === before(step) && (whole || members.has(name));
  return isInput || program.holes.some(({ syntax }) => syntax.path[2]?.text === name);
}
