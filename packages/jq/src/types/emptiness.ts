import type { Resolution } from "../resolve/resolve.ts";
import type { Expression, Suffix } from "../syntax-tree.ts";

/** Builtins that give an output or fail. */
const definite: ReadonlySet<string> = new Set(
  "null true false not length type keys tostring tonumber ascii_downcase ascii_upcase floor first last add min max now".split(
    " ",
  ),
);

/**
 * Whether an expression may give no output without failing, as far as its form tells: what is evaluated after it isn't
 * certain to be evaluated then.
 */
function mayBeEmpty(node: Expression, resolution: Resolution): boolean {
  const may = (part: Expression): boolean => mayBeEmpty(part, resolution);
  switch (node.kind) {
    case "Identity":
    case "Number":
    case "Variable":
    case "Hole":
    case "SourceLocation":
    case "Format":
    case "Array":
      return false;
    case "String":
      return node.parts.some((part) => part.kind === "Interpolation" && may(part.expression));
    case "Group":
      return may(node.body);
    case "Negation":
      return may(node.operand);
    case "Arithmetic":
      return may(node.first) || node.rest.some(({ operand }) => may(operand));
    case "Comparison":
      return may(node.left) || may(node.right);
    case "Logical":
      return node.operands.some(may);
    case "Alternative":
      return may(node.operands.at(-1)!);
    case "Comma":
      return node.items.every(may);
    case "If":
      return (
        node.branches.some(({ condition, body }) => may(condition) || may(body)) ||
        (node.otherwise !== undefined && may(node.otherwise))
      );
    case "Postfix":
      return may(node.head) || node.suffixes.some((suffix) => stepMayBeEmpty(suffix, resolution));
    case "Pipeline":
      return node.stages.some((stage) => {
        if (stage.kind === "Binding") return stage.patterns.length > 1 || may(stage.source);
        return stage.kind === "Definition" || stage.kind === "Label" || may(stage);
      });
    case "Call":
      return node.arguments.length > 0 || resolution.functions.has(node) || !definite.has(node.name.text);
    default:
      return true;
  }
}

function stepMayBeEmpty(suffix: Suffix, resolution: Resolution): boolean {
  return suffix.kind === "Optional" || suffix.kind === "Iterate" || keysMayBeEmpty(suffix, resolution);
}

/** Whether the keys of a step may give no output. */
export function keysMayBeEmpty(suffix: Suffix, resolution: Resolution): boolean {
  const may = (part: Expression | undefined): boolean => part !== undefined && mayBeEmpty(part, resolution);
  switch (suffix.kind) {
    case "Field":
      return suffix.key.kind !== "Name" && may(suffix.key);
    case "Index":
      return may(suffix.index);
    case "Slice":
      return may(suffix.from) || may(suffix.to);
    default:
      return false;
  }
}
