import type { Expression } from "@configc/jq";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { bare } from "../../../flow/nodes.ts";
import { withoutNot } from "../../../flow/plain-if.ts";
import { onlyOutcome, pagesName, resolved } from "../../../flow/protocol/forms.ts";
import { keepsKey } from "../../../flow/protocol/kept-state.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";

const totalName = /^total(?:_?(?:count|items|results|records|rows|size))?$|(?:^|_)total$|[a-z]Total$/i;
const mirrored: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==" };

/**
 * `iterate: ($read >= ${polling_state.total})`, where the state keeps a total that another answer gave, and a place in the list is compared with it the
 * wrong way round: it is true only once everything was read.
 */
export function turnedTotal(intake: IntakeSymbol, model: Model) {
  const outcome = onlyOutcome(intake, model);
  if (outcome === undefined) return undefined;
  const { program } = outcome;
  const value = resolved(outcome.members.get("iterate"), program);
  if (value === undefined) return undefined;
  const { condition: compared, holds } = withoutNot(value);
  const isNegated = !holds;
  if (compared.kind !== "Comparison" || !(compared.operator in mirrored)) return undefined;
  const { left, right, operator, operatorSpan } = compared;
  const isMirrored = keptTotal(left) !== undefined;
  const total = keptTotal(isMirrored ? left : right);
  const place = isMirrored ? right : left;
  if (total === undefined) return undefined;
  const asked = isMirrored ? mirrored[operator]! : operator;
  const isTurned = isNegated ? asked === "<" || asked === "<=" : /^(?:>=?|==)$/.test(asked);
  if (!isTurned || !isSentPlace(place, total)) return undefined;
  const written = program.node.value.slice(value.start, value.end);
  const [from, to] = [operatorSpan.start - value.start, operatorSpan.end - value.start];
  const instead = isNegated
    ? program.node.value.slice(compared.start, compared.end)
    : `${written.slice(0, from)}${isMirrored ? ">" : "<"}${written.slice(to)}`;
  return { program, value, instead };

  /** What `request` leaves as it was: another answer gave it. */
  function keptTotal(node: Expression): string | undefined {
    const key = keptKey(bare(node), program);
    if (key === undefined || !(totalName.test(key) || pagesName.test(key))) return undefined;
    const writes = writesIn(intake, "request", model);
    return writes?.every((write) => keepsKey(write, key)) ? key : undefined;
  }

  /** Whether it is worked out from a place that the request sends and nothing else of the state. */
  function isSentPlace(node: Expression, total: string): boolean {
    const { keys, all } = stateDependence(program, [node]);
    const [key, ...others] = keys;
    return (
      !all &&
      key !== undefined &&
      others.length === 0 &&
      key !== total &&
      (askedBy(intake, model)?.reads ?? []).some((read) => read.key === key)
    );
  }
}
