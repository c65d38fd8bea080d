import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Args, Rule } from "../../../findings/rule.ts";
import type { Cycle } from "../../../flow/machine/cycle.ts";
import type { Leaf } from "../../../flow/machine/leaves.ts";
import { partAt } from "../../../flow/nodes.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { Location } from "../../../parse/document.ts";
import type { Report } from "../../checks.ts";
import type { Cycles } from "./cycles.ts";

/** The arguments of a rule. */
export type ArgsOf<R> = R extends Rule<infer A> ? A : never;

/** What a request sends, with what a rule says of it. */
export interface Found<A extends Args> {
  readonly leaf: Leaf;
  readonly args: A;
}

/** What is found in all cycles that may be meant. */
export function inAll<A extends Args>(
  { first: cycle, others, order, otherwise }: Cycles,
  find: (cycle: Cycle, order: "ascending" | "descending") => Found<A> | undefined,
): Found<A> | undefined {
  const first = find(cycle, order ?? "ascending");
  if (first === undefined) return undefined;
  const isSame = (each: Found<A> | undefined): boolean => each?.leaf.expansion === first.leaf.expansion;
  return others().every((each) => isSame(find(each, order ?? "ascending"))) &&
    otherwise().every((each) => isSame(find(each, "descending")))
    ? first
    : undefined;
}

export const nameOf = ({ names }: Leaf): string => names.at(-1) ?? "";

/** Where a program writes what is sent, where that can be read off it. */
function placeOf(leaf: Leaf, intake: IntakeSymbol, model: Model): Location {
  const { root, syntax, node } = leaf.expansion;
  const [, key, ...below] = syntax.path;
  const writes = root === "polling_state" && below.length === 0 ? writesIn(intake, "request", model) : [];
  for (const { keys, program } of writes ?? []) {
    const value = keys.get(key?.text ?? "");
    if (value === undefined || keptKey(value, program) !== undefined) continue;
    const ways = waysOf(value, program).filter(
      (way) => keptKey(way, program) === undefined && constantOf(way) === undefined,
    );
    return partAt(program, ways.length === 1 ? ways[0]! : value);
  }
  return partAt({ node }, syntax);
}

/** Tells findings where a program writes what is sent. */
export const teller =
  (report: Report, intake: IntakeSymbol, model: Model) =>
  <A extends Args>(rule: Rule<A>, { leaf, args }: Found<A>): void =>
    report(rule, placeOf(leaf, intake, model), args);
