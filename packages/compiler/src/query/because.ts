import { children, type Expression, type Node, type Type, types } from "@configc/jq";
import type { JqProgram } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import type { Diagnostic } from "../findings/diagnostic.ts";
import { flowOf } from "../flow/flow.ts";
import { inferNodes } from "../flow/inference.ts";
import { stepType } from "../flow/member-reads.ts";
import { expansionTrails, inputTrails, type Trail, trailsOf } from "../flow/origin.ts";
import type { TypeFlow } from "../flow/type-flow.ts";
import { stepsOf } from "../flow/value-path.ts";
import type { Span } from "../parse/syntax-tree.ts";
import { tellsMore, trailsText } from "./provenance-text.ts";

/** Areas of the rules that are about types. */
const areas: ReadonlySet<string> = new Set([
  "contract",
  "jq",
  "response",
  "payload",
  "openapi",
  "reference",
  "expansion",
]);

/**
 * Where the types that a finding is about come from, a text for each value, of several lines where it has several sources:
 * `string <- .items[].name <- GET /v1/items <- 14 samples`. Worked out for this one finding, when it is shown.
 */
export function becauseOf(model: Model, { finding }: Pick<Diagnostic, "finding">): readonly string[] {
  const { at, rule } = finding;
  const shown = rule.because?.(finding.args) ?? [];
  if (shown.length > 0) return shown;
  if (!("from" in at) || !areas.has(rule.id.split("/")[0] ?? "")) return [];
  const flow = flowOf(model);
  const expansion = model.expansions.find(
    ({ node, syntax }) => node === at.node && syntax.start <= at.from && at.to <= syntax.end,
  );
  if (expansion !== undefined && (at.from !== expansion.syntax.start || at.to !== expansion.syntax.end)) {
    // What is marked is one segment: the value that it is read of is what needs an explanation.
    const length = expansion.syntax.path.findIndex(({ start }) => start === at.from);
    const trails = length > 0 ? expansionTrails(flow, expansion, length) : [];
    return tellsMore(trails) ? [trailsText(model, undefined, trails)] : [];
  }
  const program = model.programs.find(({ node }) => node === at.node);
  if (program === undefined || program.diagnostics.length > 0) return [];
  return [...new Set(subjects(program, { start: at.from, end: at.to }, flow).flatMap(lineOf(model)))];
}

/** A value that a finding is about. */
interface Subject {
  readonly type: Type;
  readonly trails: readonly Trail[];
}

const lineOf =
  (model: Model) =>
  ({ type, trails }: Subject): string[] =>
    // What isn't known explains nothing.
    type !== types.unknown && tellsMore(trails) ? [trailsText(model, type, trails)] : [];

/** The values that the marked part of a program works on. */
function subjects(program: JqProgram, span: Span, flow: TypeFlow): Subject[] {
  const { nodes } = inferNodes(program, flow.programInput(program), flow.holes(program));
  const found: Subject[] = [];
  const value = (node: Expression): Subject => ({
    type: nodes.get(node)?.output ?? types.unknown,
    trails: trailsOf(flow, program, node),
  });
  const visit = (node: Node): void => {
    if (node.end < span.start || span.end < node.start) return;
    const exact = node.start === span.start && node.end === span.end;
    if (node.kind === "Postfix") {
      let type = nodes.get(node.head)?.output ?? types.unknown;
      for (const [index, suffix] of node.suffixes.entries()) {
        const path = stepsOf(node.suffixes.slice(0, index));
        if (suffix.start === span.start && suffix.end === span.end && path !== undefined)
          found.push({ type, trails: trailsOf(flow, program, node.head, path) });
        type = stepType(type, suffix);
      }
    }
    if (exact && found.length === 0 && isExpression(node))
      found.push(...ofExpression(node, value, program, flow));
    if (found.length === 0) for (const child of children(node)) visit(child);
  };
  visit(program.tree);
  return found;
}

function isExpression(node: Node): node is Expression {
  return ![
    "Program",
    "Name",
    "Entry",
    "Branch",
    "ArithmeticOperand",
    "Field",
    "Index",
    "Iterate",
    "Slice",
  ].includes(node.kind);
}

function ofExpression(
  node: Expression,
  value: (node: Expression) => Subject,
  program: JqProgram,
  flow: TypeFlow,
): Subject[] {
  switch (node.kind) {
    case "Arithmetic":
      return [node.first, ...node.rest.map(({ operand }) => operand)].map(value);
    case "Comparison":
      return [node.left, node.right].map(value);
    case "Negation":
      return [value(node.operand)];
    case "Call": {
      const { nodes } = inferNodes(program, flow.programInput(program), flow.holes(program));
      return [
        { type: nodes.get(node)?.input ?? types.unknown, trails: inputTrails(flow, program, node) },
        ...node.arguments.map(value),
      ];
    }
    case "Object":
      // A contract's members are made here; each has a way of its own.
      return node.entries.flatMap((entry) => (entry.value === undefined ? [] : [value(entry.value)]));
    default:
      return [value(node)];
  }
}
