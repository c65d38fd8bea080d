import type { Comparison, Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";

/**
 * The command that takes a delivery as genuine if it is fresh or signed, instead of both: `.hash == $v1 or now - $t <= 300`. What would refuse
 * it only if neither holds is the same: `.hash != $v1 and now - $t > 300`.
 */
export const joinsChecksByEither = (all: readonly Command[]): Command | undefined =>
  all.find(
    ({ program }) => program !== undefined && /\bnow\b/.test(program.node.value) && hasEither(program),
  );

const hasEither = (program: JqProgram): boolean =>
  nodesOfKind(program, "Logical").some(({ operator, operands }) => {
    const parts = operands.map(bare);
    const [equal, near] = operator === "or" ? ["==", /^<=?$/] : (["!=", /^>=?$/] as const);
    const isSigned = parts.some(
      (part) => part.kind === "Comparison" && part.operator === equal && hasHash(part, program),
    );
    return isSigned && parts.some((part) => part.kind === "Comparison" && isAge(part, near, program));
  });

/** `index(.hash) != null` says that it is there. */
const hasHash = ({ left, right }: Comparison, program: JqProgram): boolean =>
  constantOf(left) !== null &&
  constantOf(right) !== null &&
  [left, right].some((side) => /\.hash\b/.test(textAt(side, program)));

/** Whether a comparison asks how long ago something was, in this direction. */
function isAge({ left, right, operator }: Comparison, near: RegExp, program: JqProgram): boolean {
  const reads = (side: Expression): boolean => /\bnow\b/.test(textAt(side, program));
  return near.test(operator) && reads(left) && !reads(right);
}
