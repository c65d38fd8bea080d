import type { Comparison, Expression, If, Pipeline } from "@configc/jq";

/**
 * A condition as it is written most plainly: `if A | not then B else C end` as `if A then C else B end`, and a further condition in the
 * `else` as one more branch. Equal nodes give the same one, so that it can be looked for.
 */
export function plainIf(node: If): If {
  if (!isTurned(node) && furtherIn(node) === undefined) return node;
  let plain = known.get(node);
  if (plain === undefined) {
    known.set(node, (plain = nested(turned(node), furtherIn(node))));
    written.set(plain, node);
  }
  return plain;
}

/** The same as it is written, for what a condition itself says. */
export const asWritten = (node: If): If => written.get(node) ?? node;

/** Few conditions are written otherwise, so that few are kept. */
const known = new WeakMap<If, If>();
const written = new WeakMap<If, If>();

/** The further condition whose branches are those of a condition, too. */
export function furtherIn(node: If): If | undefined {
  const otherwise = isTurned(node) ? node.branches[0]!.body : node.otherwise;
  const further = otherwise === undefined ? undefined : withoutBrackets(otherwise);
  return further?.kind === "If" ? further : undefined;
}

/** A condition without its `not`, and whether it holds where the whole does. */
export function withoutNot(condition: Expression): {
  readonly condition: Expression;
  readonly holds: boolean;
} {
  let at = withoutBrackets(condition);
  let holds = true;
  for (let asked = negated(at); asked !== undefined; asked = negated(at)) {
    at = asked;
    holds = !holds;
  }
  return holds ? { condition, holds } : { condition: at, holds };
}

function isTurned({ branches, otherwise }: If): boolean {
  const [branch, ...others] = branches;
  if (branch === undefined || others.length > 0 || otherwise === undefined) return false;
  if (withoutNot(branch.condition).holds) return false;
  // A further condition stays in the `else`.
  return withoutBrackets(otherwise).kind !== "If" || withoutBrackets(branch.body).kind === "If";
}

function turned(node: If): If {
  const [branch] = node.branches;
  if (branch === undefined || node.otherwise === undefined || !isTurned(node)) return node;
  const { condition } = withoutNot(branch.condition);
  return { ...node, branches: [{ ...branch, condition, body: node.otherwise }], otherwise: branch.body };
}

function nested(node: If, further: If | undefined): If {
  if (further === undefined) return node;
  const inner = plainIf(further);
  const { otherwise: _, ...own } = node;
  const branches = [...node.branches, ...inner.branches];
  // Without an `else` the input comes out, which is the same in both.
  return inner.otherwise === undefined
    ? { ...own, branches }
    : { ...own, branches, otherwise: inner.otherwise };
}

/** `a == b | not` as `a != b`, and the comparison in it; the same one for equal nodes. */
export function notCompared(
  node: Pipeline,
): { readonly of: Comparison; readonly node: Comparison } | undefined {
  const asked = negated(node);
  if (asked?.kind !== "Comparison") return undefined;
  let plain = knownComparisons.get(node);
  if (plain === undefined) {
    const operator = opposites[asked.operator];
    knownComparisons.set(node, (plain = { of: asked, node: { ...asked, operator } }));
  }
  return plain;
}

const knownComparisons = new WeakMap<Pipeline, { readonly of: Comparison; readonly node: Comparison }>();

/** jq has an order of all values, so that one of two always holds. */
const opposites = { "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">" } as const;

/** `A` of `A | not`. */
function negated(node: Expression): Expression | undefined {
  if (node.kind !== "Pipeline") return undefined;
  const [asked, not, ...others] = node.stages as readonly (Pipeline["stages"][number] | undefined)[];
  const isNot = not?.kind === "Call" && not.name.text === "not" && not.arguments.length === 0;
  if (!isNot || others.length > 0 || asked === undefined) return undefined;
  return asked.kind === "Definition" || asked.kind === "Binding" || asked.kind === "Label"
    ? undefined
    : withoutBrackets(asked);
}

function withoutBrackets(node: Expression): Expression {
  return node.kind === "Group" ? withoutBrackets(node.body) : node;
}
