import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { stepAt, stepBefore } from "../../../flow/producers.ts";
import { definitionOfInput } from "../../../flow/protocol/definition-site.ts";
import { boundTo, stagesOf } from "../../../flow/protocol/dependence.ts";
import { sourcesOf } from "../../../flow/value-sources.ts";
import type { RuleModule } from "../../checks.ts";

const comparedWithItself = defineRule<{ text: string; holds: boolean }>({
  id: "jq/compared-with-itself",
  severity: "warning",
  summary: "A value is compared with itself, read in two ways",
  why: "The input of a program is what the step before gave, and `piped_content` with that step's number is the same. A comparison of one with the other always has the same result: a check lets everything pass.",
  guards: ["expansion.piped_content", "command.!jq", "D14", "D16"],
  message: ({ text, holds }) =>
    `Both sides of \`${text}\` are the same value, so this is always ${holds ? "true" : "false"}.`,
  because: ({ text, holds }) => [
    "the input is what the step before gave, and so is the expansion",
    `\`${text}\`: always ${holds ? "true" : "false"}`,
  ],
  help: () => "Compare it with what it should be: a saved value, an answer, what a customer chose.",
  examples: [
    {
      title: "D14",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": "{email: .email, key: .key}"}, {"!jq": "if «.key == ${piped_content.1.key}» then {email: .email} else null end"}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, key: .key}"}, {"!jq": "if .key == ${custom_data.form.value} then {email: .email} else null end"}]}',
    },
    {
      title: "D16: the payload itself, written as text",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!switch": {"jq": "if «(.kind | tostring) == \\"${piped_content.0.kind}\\"» then 0 else 1 end", "cases": [{"!jq": "{email: .email}"}, {"!jq": "null"}]}}]}',
      good: '{"!pipe": [{"!switch": {"jq": "if (.kind | tostring) == \\"${custom_data.form.value}\\" then 0 else 1 end", "cases": [{"!jq": "{email: .email}"}, {"!jq": "null"}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [comparedWithItself],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0 || !/[!=]=/.test(program.node.value)) return;
      const readsStep = program.node.value.includes("piped_content");
      for (const comparison of nodesOfKind(program, "Comparison")) {
        const { operator, left, right } = comparison;
        if (operator !== "==" && operator !== "!=") continue;
        const isOne = areMadeAlike(left, right, program);
        const [own, other] = readsStep && !isOne ? [left, right].map((side) => readBy(side, program)) : [];
        if (!isOne && (own === undefined || own.path !== other?.path || own.isStep === other.isStep))
          continue;
        const text = textAt(comparison, program);
        report(comparedWithItself, partAt(program, comparison), { text, holds: operator === "==" });
      }
    },
  },
};
export default module;

/** `.shown == .ours`, both of which the step before takes from one saved value. */
function areMadeAlike(left: Expression, right: Expression, program: JqProgram): boolean {
  if (textAt(bare(left), program) === textAt(bare(right), program)) return false;
  const one = definitionOfInput(left, program);
  const other = one === undefined ? undefined : definitionOfInput(right, program);
  if (one === undefined || other === undefined || one.program !== other.program) return false;
  const text = textAt(bare(one.node), one.program);
  return text === textAt(bare(other.node), other.program) && constantOf(bare(one.node)) === undefined;
}

interface Read {
  /** The members of what comes in that lead to it. */
  readonly path: string;
  /** Whether it is read from the step that gives the input, and not from the input. */
  readonly isStep: boolean;
}

/** What a side of a comparison is a part of: the input of the program, or the step that gives it. */
function readBy(side: Expression, program: JqProgram): Read | undefined {
  const node = withoutTostring(side);
  const read = node.kind === "Variable" ? boundTo(program, node) : node;
  // Whatever is made of it, such as another case of its letters, is another value.
  if (read === undefined || !/^(?:Postfix|Hole)$/.test(bare(read).kind)) return undefined;
  const [source, ...others] = sourcesOf(program, node, []);
  if (source === undefined || source.kind === "made" || others.length > 0) return undefined;
  const before = source.kind === "hole" ? namesInStep(source.hole, program) : [];
  const path = before === undefined ? [] : [...before, ...source.path];
  // Of several items, each is compared with each.
  if (path.length === 0 || path.includes("[]")) return undefined;
  return { path: path.join("."), isStep: source.kind === "hole" };
}

/** A value without what only makes it a text, as an expansion between quotes is. */
function withoutTostring(given: Expression): Expression {
  const node = bare(given);
  if (node.kind !== "Pipeline") return node;
  const [first, last, ...others] = stagesOf(node);
  const isText = last?.kind === "Call" && last.name.text === "tostring" && others.length === 0;
  return first !== undefined && isText ? withoutTostring(first) : node;
}

/** `key` of `${piped_content.1.key}`, where step 1 gives the input, and where 0 is that. */
function namesInStep(hole: number, { holes, command }: JqProgram): readonly string[] | undefined {
  const { root, rootExact, syntax } = holes[hole] ?? {};
  const [, index, ...names] = syntax?.path.map(({ text }) => text) ?? [];
  if (root !== "piped_content" || rootExact !== true || syntax?.filters.length !== 0) return undefined;
  const at = Number(index);
  const step = stepAt(command, at);
  return step === stepBefore(command) && (step !== undefined || at === 0) ? names : undefined;
}
