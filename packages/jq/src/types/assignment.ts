import type { ArithmeticOperator, Assignment } from "../syntax-tree.ts";
import { arithmetic } from "./arithmetic.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./environment.ts";
import { shownOperand } from "./findings.ts";
import { combined, type Flow, failing, none, one } from "./flow.ts";
import { truthy } from "./operations.ts";
import { nullType, partsOf, type Type, union, unknown } from "./type.ts";
import { Updater } from "./update.ts";

/** All assignment operators: the input with what the target selects changed. */
export function assignment(node: Assignment, input: Type, scope: Scope, context: Context): Flow {
  const { operator, target } = node;
  const { reports } = context;
  // Its types are for an editor; what is wrong with it is found on the way of the update.
  const selected = reports.paths(() => context.flow(target, input, scope));
  const given = operator === "|=" ? one(unknown) : context.flow(node.value, input, scope);
  if (given.type.kind === "never") return given.fails ? failing : none;
  const change = (old: Type): { type: Type; deletes: boolean } => {
    if (operator !== "|=") return { type: assigned(node, old, given.type, context), deletes: false };
    const updated = context.flow(node.value, old, scope);
    // Without an output the value is deleted.
    return { type: updated.type, deletes: updated.cardinality !== "one" && !updated.fails };
  };
  const updated = new Updater(context, "set").update(target, input, scope, change);
  if (updated === undefined) {
    change(unknown);
    return combined(unknown, [given]);
  }
  const fails = selected.fails && selected.cardinality === "none" && given.cardinality === "one";
  if (fails) return failing;
  const type = updated.deletes ? union(updated.type, nullType) : updated.type;
  return combined(type, [given]);
}

/** What a value becomes; of `|=`, the update is inferred instead. */
function assigned(node: Assignment, old: Type, given: Type, { reports }: Context): Type {
  switch (node.operator) {
    case "=":
    case "|=":
      return given;
    case "//=":
      return union(truthy(old), given);
    default: {
      const operator = node.operator.slice(0, -1) as ArithmeticOperator;
      const result = arithmetic(operator, old, given);
      if (result.kind !== "never") reports.fine(node, "operand-types");
      else if (partsOf(old).length > 0) {
        const [left, right] = [shownOperand(old), shownOperand(given)];
        reports.wrong(node, node.operatorSpan, "operand-types", { operator, left, right });
      }
      return result;
    }
  }
}
