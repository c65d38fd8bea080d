import type { Expression, Node, Stage } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";

const bothKinds = defineRule<{ value: string; call: string; text: string }>({
  id: "jq/both-kinds",
  severity: "warning",
  summary: "A value is read as a text in one place, and calculated with as a number in another",
  why: "No value is both. `fromdate`, `strptime` and `[:10]` fail with a number, and arithmetic fails with a text, so one of the two places fails for every record.",
  guards: ["D23"],
  message: ({ value, call, text }) =>
    `\`${call}\` takes \`${value}\` for a text, but \`${text}\` calculates with it as a number.`,
  because: ({ value, call, text }) => [
    `\`${value}\` is a number: \`${call}\` fails`,
    `\`${value}\` is a text: \`${text}\` fails`,
  ],
  help: ({ call }) => `Remove \`${call}\`, or use it in both places.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, day: (.at | «fromdate» | strftime(\\"%Y-%m-%d\\")), days_left: ((.at - now) / 86400)}"}',
      good: '{"!jq": "{email: .email, day: (.at | strftime(\\"%Y-%m-%d\\")), days_left: ((.at - now) / 86400)}"}',
    },
    {
      title: "A part of a text",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, day: .due_at«[:10]», days_late: ((now - .due_at) / 86400)}"}',
      good: '{"!jq": "{email: .email, day: .due_at[:10], days_late: ((now - (.due_at | fromdate)) / 86400)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [bothKinds],
  checks: {
    program(program, report) {
      const { node, diagnostics } = program;
      if (diagnostics.length > 0 || !/fromdate|strptime|\[\s*-?\d*\s*:/.test(node.value)) return;
      const read = unconditional(program);
      const texts = read.flatMap((each) => textRead(each, program));
      if (texts.length === 0) return;
      for (const each of read) {
        const numbers = numbersIn(each.node);
        const operands = numbers.map((operand) => pathOf({ ...each, node: operand }, program));
        // Lists can be subtracted, and cut, too.
        const isCounted = numbers.some(isNumber);
        const found = texts.find(({ path, isCut }) => operands.includes(path) && (!isCut || isCounted));
        if (found === undefined) continue;
        const text = node.value.slice(each.node.start, each.node.end);
        const call = node.value.slice(found.call.start, found.call.end);
        const at = { node, from: found.call.start, to: found.call.end };
        return report(bothKinds, at, { value: found.path, call, text });
      }
    },
  },
};
export default module;

interface Read {
  readonly node: Expression;
  /** Whether its input is that of the program. */
  readonly hasInput: boolean;
}

/**
 * The parts of a program that are evaluated together: not those of which a condition chooses one by the kind of a value, and nothing that is
 * done with each of several. Whether a value is null or empty says nothing of its kind.
 */
function unconditional(program: JqProgram): readonly Read[] {
  const found: Read[] = [{ node: program.tree.body, hasInput: true }];
  // It grows while it is gone through.
  for (const { node, hasInput } of found) found.push(...partsOf(node, hasInput));
  return found;
}

function partsOf(node: Expression, hasInput: boolean): readonly Read[] {
  const all = (nodes: readonly (Expression | undefined)[]): readonly Read[] =>
    nodes.flatMap((each) => (each === undefined ? [] : [{ node: each, hasInput }]));
  switch (node.kind) {
    case "Group":
      return all([node.body]);
    case "Object":
      return all(node.entries.map(({ value }) => value));
    case "Arithmetic":
      return all([node.first, ...node.rest.map(({ operand }) => operand)]);
    case "Comparison":
      return all([node.left, node.right]);
    case "If": {
      const bodies = [...node.branches.map(({ body }) => body), node.otherwise];
      const others = bodies.filter((body) => body !== undefined && constantOf(body) === undefined);
      return others.length === 1 || node.branches.every(({ condition }) => asksForNothing(condition))
        ? all(others)
        : [];
    }
    case "Pipeline": {
      // Behind a stage the input is another one; a binding and `select` pass it on.
      const at = node.stages.findIndex((stage) => !passesOn(stage));
      return node.stages.flatMap((stage, index): readonly Read[] => {
        if (stage.kind === "Definition" || stage.kind === "Label") return [];
        return [
          {
            node: stage.kind === "Binding" ? stage.source : stage,
            hasInput: hasInput && (at < 0 || index <= at),
          },
        ];
      });
    }
    default:
      return [];
  }
}

const passesOn = (stage: Stage): boolean =>
  stage.kind === "Binding" ||
  stage.kind === "Definition" ||
  (stage.kind === "Call" && stage.name.text === "select");

/** `$c.ends_at == null` */
function asksForNothing(condition: Expression): boolean {
  const node = bare(condition);
  if (node.kind !== "Comparison") return false;
  const other = constantOf(node.right);
  return other === null || other === "";
}

/** What is subtracted, multiplied or divided: numbers. */
function numbersIn(node: Expression): readonly Expression[] {
  if (node.kind !== "Arithmetic" || node.rest.some(({ operator }) => operator === "+")) return [];
  return [node.first, ...node.rest.map(({ operand }) => operand)];
}

/** Whether it is a number, whatever comes in. */
function isNumber(operand: Expression): boolean {
  const node = bare(operand);
  return node.kind === "Number" || (node.kind === "Call" && node.name.text === "now");
}

interface TextRead {
  /** As it is written. */
  readonly path: string;
  /** What takes it for a text. */
  readonly call: Node;
  readonly isCut: boolean;
}

/** The member that is cut, as in `.due_at[:10]`. */
function cut(node: Expression, hasInput: boolean, program: JqProgram): readonly TextRead[] {
  const path = bare(node);
  const last = path.kind === "Postfix" ? path.suffixes.at(-1) : undefined;
  if (path.kind !== "Postfix" || last?.kind !== "Slice") return [];
  const whole = { ...path, suffixes: path.suffixes.slice(0, -1), end: last.start };
  const found = pathOf({ node: whole, hasInput }, program);
  return found === undefined ? [] : [{ path: found, call: last, isCut: true }];
}

/** The member that a function which reads dates is given as it is, or that is cut. */
function textRead({ node, hasInput }: Read, program: JqProgram): readonly TextRead[] {
  if (node.kind !== "Pipeline") return cut(node, hasInput, program);
  const [first, call] = node.stages;
  if (
    first === undefined ||
    first.kind === "Binding" ||
    first.kind === "Definition" ||
    first.kind === "Label"
  )
    return [];
  const path = pathOf({ node: first, hasInput }, program);
  const isReading = call?.kind === "Call" && /^(?:fromdate(?:iso8601)?|strptime)$/.test(call.name.text);
  return path === undefined || call === undefined || !isReading ? [] : [{ path, call, isCut: false }];
}

/** `$c.ends_at`, as it is written, where that is the same value in the whole program. */
function pathOf({ node, hasInput }: Read, program: JqProgram): string | undefined {
  const path = bare(node);
  if (path.kind !== "Postfix" || path.suffixes.some(({ kind }) => kind !== "Field")) return undefined;
  const { head } = path;
  const isSame =
    head.kind === "Variable" ? isBoundOnce(head.name, program) : head.kind === "Identity" && hasInput;
  return isSame ? program.node.value.slice(path.start, path.end) : undefined;
}

const isBoundOnce = (name: string, program: JqProgram): boolean =>
  nodesOfKind(program, "VariablePattern").filter((pattern) => pattern.name === name).length === 1;
