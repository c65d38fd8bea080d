import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type ReadPath, readPath } from "../../../flow/emptiness.ts";
import { coursesOf, given } from "../../../flow/machine/pipeline.ts";
import type { Value } from "../../../flow/machine/value.ts";
import { bare, isExpression, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { underlying } from "../../../flow/underlying.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { pipelineCommand } from "../pipeline/courses.ts";
import { mappedTo, offeredBy } from "../pipeline/unmapped-field.ts";
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
    reach: "saved",
    workflow(workflow, report, model) {
      if (workflow.direction !== "outbound") return;
      for (const { program, value } of refusedOnlyEmpty(workflow, model)) {
        const text = textAt(value, program);
        report(missingAsThere, partAt(program, value), { value: text, instead: `(${text} // "")` });
      }
    },
    program(program, report) {
      const { command, node } = program;
      if (command.place.name !== "data_pipeline.target" || !node.value.includes('""')) return;
      if (command.unit?.kind !== "workflow" || command.unit.direction !== "outbound") return;
      for (const value of refusedAtOnce(program)) {
        const text = textAt(value, program);
        report(missingAsThere, partAt(program, value), { value: text, instead: `(${text} // "")` });
      }
    },
  },
};
export default module;

/** What a program itself refuses where it is the empty text, as it comes from the mapping. */
const refusedAtOnce = (program: JqProgram): readonly Expression[] =>
  nodesOfKind(program, "If").flatMap((decision) => {
    const [first, ...others] = decision.branches;
    const refusing = waysOf(decision, program).find(
      (way) => /^(?:error|nothing)$/.test(outcomeOf(way, program).kind) && way.condition === first?.condition,
    );
    if (refusing === undefined || others.length > 0 || refusing.body !== first?.body) return [];
    return comparedIn(refusing.condition).filter((value) => {
      const path = readPath(value, program)?.filter((name) => name !== "");
      if (path === undefined || !isOfContact(path, program) || isAskedForNull(value, program)) return false;
      const name = path.at(-1)!;
      return !isBehindOwn(value, program) && !isAskedOtherwise(name, refusing.condition, program);
    });
  });

/** So many comparisons of a workflow are tried. */
const TRIED = 8;

/**
 * What is compared with an empty text, and refused with one, but not where it is left out: found by going through the pipeline with such
 * contacts, so whatever stands between.
 */
function refusedOnlyEmpty(
  workflow: WorkflowSymbol,
  model: Model,
): readonly { readonly program: JqProgram; readonly value: Expression }[] {
  const candidates = partOfUnit(workflow, model).programs.flatMap((program) => {
    const { command, node, diagnostics } = program;
    if (command.place.name !== "data_pipeline.target" || !/[!=]=\s*""/.test(node.value)) return [];
    if (diagnostics.length > 0) return [];
    const told = new Set(command.unit?.kind === "workflow" ? refusedAtOnce(program) : []);
    return nodesOfKind(program, "If").flatMap(({ branches }) =>
      branches.flatMap(({ condition }) =>
        comparedIn(condition).flatMap((compared) => {
          const value = underlying(compared);
          const name = value.kind === "Postfix" && !told.has(value) ? lastName(value, program) : undefined;
          return name === undefined || isAskedOtherwise(name, condition, program)
            ? []
            : [{ program, value, name }];
        }),
      ),
    );
  });
  if (candidates.length === 0 || candidates.length > TRIED) return [];
  const offered = offeredBy(workflow, model);
  const target = offered === undefined ? undefined : pipelineCommand(workflow, "target", model);
  if (offered === undefined || target === undefined) return [];
  const isRefused = (name: string, own: Value | undefined): boolean => {
    const input = mappedTo(offered, ({ id }) => (id === name ? own : { ...given, path: [id] }));
    if (input === undefined) return false;
    return coursesOf(target, workflow, model, { input }).every((course) => course.isRefused);
  };
  return candidates.filter(
    ({ name }) =>
      offered.fields.filter(({ id }) => id === name).length === 1 &&
      isRefused(name, "") &&
      !isRefused(name, undefined),
  );
}

/** The name of the member that is read in the end: only names lead there. */
function lastName(value: Expression, program: JqProgram): string | undefined {
  const path = readPath(value, program)?.filter((name) => name !== "");
  return path === undefined || path.length < 2 ? undefined : path.at(-1);
}

/** Whether a condition, or another one of the program, asks in some other way whether it is there. */
function isAskedOtherwise(name: string, condition: Expression, program: JqProgram): boolean {
  const member = String.raw`\.${escapedPattern(name)}\b[}?]?\)?`;
  const asked = new RegExp(
    String.raw`${member}\s*(?:[!=]=\s*null|//|\|\s*(?:not|length|type|test|select|if|\(|\.)|(?:and|or|then)\b)`,
  );
  const compared = new RegExp(String.raw`${member}(?:\s*\|\s*tostring\)?)?\s*[!=]=\s*""`, "g");
  const whole = textAt(condition, program);
  const reads = [...whole.matchAll(new RegExp(member, "g"))].length;
  return asked.test(program.node.value) || reads !== [...whole.matchAll(compared)].length;
}

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
