import type { Comparison, Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { bare, isExpression, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { resultsOf } from "../../../flow/result.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import { decisionOf } from "./decision.ts";
import { accepts } from "./reversed-check.ts";

/** What refuses each genuine delivery by its form alone, wherever in the request the signature and the time stand. */

/**
 * A `!switch` that refuses what has just been sent: `if (now - $sent | fabs) < 300 then 2 …`, where case 2 is an error, and others accept.
 */
export function refusesYoung(command: Command): boolean {
  if (command.key !== "!switch" || !/\bnow\b/.test(command.program?.node.value ?? "")) return false;
  const found = decisionOf(command);
  return (
    found?.conditions.some((condition, index) => {
      const own = found.cases[index];
      const others = found.cases.slice(index + 1);
      return (
        own !== undefined &&
        asksForYoung(condition, found.program) &&
        resultsOf(own).every(isError) &&
        others.some((each) => each !== undefined && accepts(each))
      );
    }) === true
  );
}

const isError = ({ key, argument }: Command): boolean => {
  const code = argument?.kind === "object" ? argument.get("code") : undefined;
  return key === "!error" || (key === "!respond" && code?.kind === "number" && code.value >= 400);
};

/** `now - $sent < 300`, `($sent - now | fabs) < 300`: what has been sent less than so many seconds ago. */
function asksForYoung(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  if (node.kind !== "Comparison" || !/^<=?$/.test(node.operator)) return false;
  const limit = constantOf(node.right);
  const text = textAt(node.left, program);
  // What lies less than some seconds ahead is another thing, but not without its sign.
  const isAge =
    /\bnow\b[^|]{0,20}-(?!\s*\d)/.test(text) || (/-\s*now\b/.test(text) && /\|\s*(?:fabs|abs)\b/.test(text));
  return typeof limit === "number" && limit >= 10 && isAge;
}

/** A comparison of the hash, which has small letters, with something in capitals: `.hash == (.signature | ascii_upcase)`. */
export const comparesCapitals = (program: JqProgram): boolean =>
  program.node.value.includes("ascii_upcase") &&
  program.diagnostics.length === 0 &&
  nodesOfKind(program, "Comparison").some((each) => hasCapitals(each, program));

function hasCapitals({ operator, left, right }: Comparison, program: JqProgram): boolean {
  if (operator !== "==" && operator !== "!=") return false;
  return [
    [left, right],
    [right, left],
  ].some(([side, other]) => isBareHash(side!, program) && isUpcased(other!, program));
}

function isBareHash(side: Expression, program: JqProgram): boolean {
  const node = valueBehind(side, program);
  const [suffix, ...others] = node.kind === "Postfix" ? node.suffixes : [];
  return (
    node.kind === "Postfix" &&
    node.head.kind === "Identity" &&
    others.length === 0 &&
    suffix?.kind === "Field" &&
    nameRead(node, program) === "hash"
  );
}

function isUpcased(side: Expression, program: JqProgram): boolean {
  const node = valueBehind(side, program);
  const last = node.kind === "Pipeline" ? node.stages.filter(isExpression).at(-1) : undefined;
  return last?.kind === "Call" && last.name.text === "ascii_upcase";
}

/** Whether a program compares how long ago something was. */
export const comparesAge = ({ program }: Command): boolean =>
  program !== undefined &&
  /\bnow\b/.test(program.node.value) &&
  program.diagnostics.length === 0 &&
  nodesOfKind(program, "Comparison").some(
    ({ operator, left }) => /^[<>]/.test(operator) && /\bnow\b/.test(textAt(left, program)),
  );
