import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { serviceOf } from "../../../flow/counted.ts";
import { documentedTimeForm } from "../../../flow/documented-signatures.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { type Verdict, verdictOn } from "../../../flow/machine/verification.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import type { TimeForm } from "../../../flow/time-form.ts";

/** How a verification looks at the time when a delivery was sent. */

/** The only command that looks at the clock. */
export function reckoning(all: readonly Command[]): Command | undefined {
  const [only, ...others] = all.filter(({ program }) => /\bnow\b/.test(program?.node.value ?? ""));
  return others.length === 0 ? only : undefined;
}

/** `now - $sent < 300 or $sent - now < 300` */
export const joinsAges = (program: JqProgram): boolean =>
  /\bnow\b/.test(program.node.value) &&
  nodesOfKind(program, "Logical").some(
    ({ operator, operands }) =>
      operator === "or" &&
      operands.length > 1 &&
      operands.every((operand) => {
        const node = bare(operand);
        return (
          node.kind === "Comparison" && /^[<>]/.test(node.operator) && /\bnow\b/.test(textAt(node, program))
        );
      }),
  );

export const DAY = 86_400;
export const YEAR = 366 * DAY;

/** Whether a look at the time keeps nothing out but what is genuine, by whether what is fresh and what is old is accepted. */
export const isUseless = (fresh: boolean | undefined, stale: boolean | undefined): boolean =>
  fresh === false || (fresh === true && stale === true);

/** How the time may be written that a verification reads; it isn't known of what is no number. */
export function timeForms(all: readonly Command[]): readonly TimeForm[] {
  const isDate = all.some(({ program }) => /fromdate|strptime|date/.test(program?.node.value ?? ""));
  return isDate ? ["date"] : ["seconds", "milliseconds", "microseconds", "nanoseconds"];
}

/** Whether old deliveries are refused, and no others, if the time is written in a form. */
export const keepsOut = (root: Command, form: TimeForm): boolean =>
  verdictOn(root, "genuine", false, form).accepted === true &&
  verdictOn(root, "genuine", false, form, { age: YEAR }).accepted === false;

/** How comments say that the time is written which a verification reads. */
export function saidForm(root: Command, model: Model): TimeForm | undefined {
  if (!hasComments(model)) return undefined;
  const header = /^headers\.([\w-]+)$/.exec(verdictOn(root, "genuine", true, "seconds").dated ?? "")?.[1];
  return header === undefined ? undefined : documentedTimeForm(header, root.node, serviceOf(model));
}

/** Refused certainly only where it is in whatever form the sender writes the time. */
export function refusedInAll(verdicts: readonly Verdict[]): Verdict {
  return verdicts.find(({ accepted }) => accepted !== false) ?? verdicts[0]!;
}
