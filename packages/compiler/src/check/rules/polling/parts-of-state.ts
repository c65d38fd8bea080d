import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { bare, textAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { onlyOutcome, resolved } from "../../../flow/protocol/forms.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";

/**
 * `iterate: (${polling_state.part} + 1 < ${polling_state.parts})`, where parts count from 1 and the state keeps how many there are, as another answer
 * gave it: the last one is never asked for.
 */
export function partLeftOut(intake: IntakeSymbol, model: Model) {
  const outcome = onlyOutcome(intake, model);
  if (outcome === undefined) return undefined;
  const { program } = outcome;
  const value = resolved(outcome.members.get("iterate"), program);
  const compared = value === undefined ? undefined : bare(value);
  if (value === undefined || compared?.kind !== "Comparison") return undefined;
  const isMirrored = compared.operator === ">" || compared.operator === ">=";
  if (!isMirrored && compared.operator !== "<" && compared.operator !== "<=") return undefined;
  const [place, total] = [compared.left, compared.right].map((side) => moved(side, program)) as [
    Moved | undefined,
    Moved | undefined,
  ];
  const [low, high] = isMirrored ? [total, place] : [place, total];
  if (low === undefined || high === undefined || !isCountOf(high.key, low.key)) return undefined;
  // The greatest number after which one more part is asked for, less than that of all: 1 is right.
  const short = low.by - high.by + (compared.operator.endsWith("=") ? 0 : 1);
  if (short !== 2 || !countsFromOne(low.key, high.key, intake, model)) return undefined;
  const isSent = (askedBy(intake, model)?.reads ?? []).some((read) => read.key === low.key);
  if (!isSent) return undefined;
  const [from, to] = [textAt(low.of, program), textAt(high.of, program)];
  return { program, value, instead: isMirrored ? `${to} > ${from}` : `${from} < ${to}` };
}

interface Moved {
  readonly key: string;
  readonly of: Expression;
  readonly by: number;
}

/** `$s.part`, `${polling_state.part} + 1`: a key of the state, and what is added to it. */
function moved(side: Expression, program: JqProgram): Moved | undefined {
  const node = bare(side);
  const [step, ...others] = node.kind === "Arithmetic" ? node.rest : [];
  const of = node.kind === "Arithmetic" ? node.first : node;
  const key = keptKey(bare(of), program);
  if (key === undefined || others.length > 0) return undefined;
  if (step === undefined) return { key, of, by: 0 };
  const added = constantOf(bare(step.operand));
  if (typeof added !== "number" || (step.operator !== "+" && step.operator !== "-")) return undefined;
  return { key, of, by: step.operator === "+" ? added : -added };
}

/** Whether one key counts what the other is the number of: `parts` and `part`, `page_count` and `page`. */
function isCountOf(count: string, place: string): boolean {
  const noun = wordsOf(place).at(-1) ?? "";
  const words = wordsOf(count).filter((word) => !/^(?:total|count|number|of|all|num|n)$/.test(word));
  const [named, ...others] = words;
  return others.length === 0 && named !== undefined && named !== noun
    ? singular(named) === noun
    : count !== place && named === noun && words.length < wordsOf(count).length;
}

/** Whether a key is 1 wherever it isn't counted up, and the other is nowhere reckoned. */
function countsFromOne(place: string, count: string, intake: IntakeSymbol, model: Model): boolean {
  let isBegun = false;
  for (const name of ["initial_setup", "pre_poll", "request", "post_poll"]) {
    const writes = writesIn(intake, name, model);
    if (writes === undefined) return false;
    for (const { keys, program } of writes) {
      const [set, counted] = [keys.get(place), keys.get(count)];
      if (counted !== undefined && bare(counted).kind === "Arithmetic") return false;
      if (set === undefined || keptKey(set, program) === place) continue;
      const start = constantOf(bare(set));
      if (start === 1) isBegun = true;
      else if (start !== undefined || name !== "request") return false;
    }
  }
  return isBegun;
}
