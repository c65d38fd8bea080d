import type { Comparison, Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import { nameRead } from "../../../flow/vocabulary.ts";

/**
 * The command that takes a delivery as genuine if it is fresh or signed, instead of both: `.hash == $v1 or now - $t <= 300`. What would refuse
 * it only if neither holds is the same: `.hash != $v1 and now - $t > 300`. And so is one that is signed or comes by POST, as all do.
 */
export const joinsChecksByEither = (all: readonly Command[]): Command | undefined =>
  all.find(
    ({ program }) => program !== undefined && /\bnow\b|"POST"/.test(program.node.value) && hasEither(program),
  );

const hasEither = (program: JqProgram): boolean =>
  nodesOfKind(program, "Logical").some(({ operator, operands }) => {
    const parts = operands.map(bare);
    const [equal, near] = operator === "or" ? ["==", /^<=?$/] : (["!=", /^>=?$/] as const);
    const isAged = parts.some((part) => part.kind === "Comparison" && isAge(part, near, program));
    const isPosted = parts.some((part) => isOfAnyPost(part, equal, program));
    if (!isAged && !isPosted) return false;
    // `or` binds less than `and`: what stands beside a token with `and` is no more than that.
    const tests =
      equal === "=="
        ? parts.flatMap((part) =>
            part.kind === "Logical" && part.operator === "and" ? part.operands.map(bare) : [part],
          )
        : parts;
    return tests.some(
      (part) =>
        part.kind === "Comparison" &&
        part.operator === equal &&
        (hasHash(part, program) || (isPosted && hasToken(part, program))),
    );
  });

/** `.method == "POST"`, also together with a test that there is something to compare with: `.method == "POST" and $token != ""`. */
function isOfAnyPost(part: Expression, equal: string, program: JqProgram): boolean {
  const tests = part.kind === "Logical" && part.operator === "and" && equal === "==" ? part.operands : [part];
  const compared = tests.map(bare).filter((each) => each.kind === "Comparison");
  const isPost = ({ left, right, operator }: Comparison): boolean =>
    operator === equal && constantOf(right) === "POST" && nameRead(left, program) === "method";
  const isThere = ({ left, right, operator }: Comparison): boolean =>
    operator === "!=" && (constantOf(right) === "" || constantOf(right) === null) && isSaved(left, program);
  return (
    compared.length === tests.length &&
    compared.some(isPost) &&
    compared.every((each) => isPost(each) || isThere(each))
  );
}

/** A header that is compared with what was saved. */
const hasToken = ({ left, right }: Comparison, program: JqProgram): boolean =>
  [
    [left, right],
    [right, left],
  ].some(([side, other]) => /\bheaders\b/.test(behind(side!, program)) && isSaved(other!, program));

function isSaved(side: Expression, program: JqProgram): boolean {
  const read = valueBehind(side, program);
  return read.kind === "Hole" && program.holes[read.hole]?.root === "data";
}

const behind = (side: Expression, program: JqProgram): string => textAt(valueBehind(side, program), program);

/** `index(.hash) != null` says that it is there. */
const hasHash = ({ left, right }: Comparison, program: JqProgram): boolean =>
  constantOf(left) !== null &&
  constantOf(right) !== null &&
  [left, right].some((side) => /\.hash\b/.test(behind(side, program)));

/** Whether a comparison asks how long ago something was, in this direction. */
function isAge({ left, right, operator }: Comparison, near: RegExp, program: JqProgram): boolean {
  const reads = (side: Expression): boolean => /\bnow\b/.test(textAt(side, program));
  return near.test(operator) && reads(left) && !reads(right);
}
