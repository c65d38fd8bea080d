import type { Expression, Postfix, Suffix } from "../syntax-tree.ts";
import { readIndex, readItems, readOfUnknown, readSlice, type Step } from "./access.ts";
import { atMost } from "./cardinality.ts";
import type { Context } from "./context.ts";
import { keysMayBeEmpty } from "./emptiness.ts";
import type { Scope } from "./environment.ts";
import { caughtFlow, combined, type Flow, failing, maybe, none, one, piped } from "./flow.ts";
import { literal, partsOf, type Type } from "./type.ts";

/** A term and the steps behind it: `.name`, `[…]`, and `?`. */
export function postfix({ head, suffixes }: Postfix, input: Type, scope: Scope, context: Context): Flow {
  // A `?` that doesn't follow a step catches what comes before it.
  const last = suffixes.findLastIndex(({ kind }, at) => kind === "Optional" && !isStep(suffixes[at - 1]));
  let result =
    last < 0
      ? followFrom(head, suffixes, input, scope, context)
      : caughtFlow(
          context.reports.tried(() => followFrom(head, suffixes.slice(0, last), input, scope, context)),
        );
  if (last >= 0) result = follow(result, suffixes.slice(last + 1), input, scope, context);
  return result;
}

/** Errors of such a suffix are dropped by a `?` behind it, and no others. */
function isStep(suffix: Suffix | undefined): boolean {
  return suffix !== undefined && suffix.kind !== "Optional";
}

function followFrom(
  head: Expression,
  suffixes: readonly Suffix[],
  input: Type,
  scope: Scope,
  context: Context,
): Flow {
  // The keys of the last step are evaluated first: if they may have no output, what comes before needn't be evaluated.
  const last = suffixes.findLastIndex((suffix) => keysMayBeEmpty(suffix, context.resolution));
  if (last < 0) return follow(context.flow(head, input, scope), suffixes, input, scope, context);
  const { type, cardinality } = context.reports.caught(() =>
    followFrom(head, suffixes.slice(0, last), input, scope, context),
  );
  return follow({ type, cardinality, fails: false }, suffixes.slice(last), input, scope, context);
}

function follow(start: Flow, suffixes: readonly Suffix[], input: Type, scope: Scope, context: Context): Flow {
  let result = start;
  for (let at = 0; at < suffixes.length; at++) {
    const suffix = suffixes[at]!;
    if (suffix.kind === "Optional") continue;
    const isOptional = suffixes[at + 1]?.kind === "Optional";
    const { type } = result;
    const next = isOptional
      ? context.reports.tried(() => flowOf(suffix, type, input, scope, true, context))
      : flowOf(suffix, type, input, scope, false, context);
    result = piped(result, next);
  }
  return result;
}

function flowOf(
  suffix: Exclude<Suffix, { kind: "Optional" }>,
  target: Type,
  input: Type,
  scope: Scope,
  isOptional: boolean,
  context: Context,
): Flow {
  switch (suffix.kind) {
    case "Field":
    case "Index": {
      const key = suffix.kind === "Index" ? suffix.index : suffix.key;
      if (key.kind === "Name" && target.kind === "unknown") {
        readOfUnknown(suffix, context.reports);
        return isOptional ? maybe(target) : one(target);
      }
      const flow = key.kind === "Name" ? one(literal(key.text)) : context.flow(key, input, scope);
      return stepped(target, [flow], readIndex(target, flow.type, suffix, context.reports), isOptional);
    }
    case "Slice": {
      const bounds = [suffix.from, suffix.to].filter((bound) => bound !== undefined);
      const flows = bounds.map((bound) => context.flow(bound, input, scope));
      const cut = (): Step =>
        readSlice(
          target,
          flows.map(({ type }) => type),
          suffix,
          context.reports,
        );
      const isCut = flows.every(({ type }) => type.kind !== "never");
      return stepped(target, flows, isCut ? cut() : context.reports.caught(cut), isOptional);
    }
    case "Iterate": {
      const { type } = readItems(target, suffix, context.reports);
      const iterable = partsOf(target).some(
        ({ kind }) => kind === "array" || kind === "object" || kind === "unknown",
      );
      if (!iterable && target.kind !== "never") return isOptional ? none : failing;
      return { type, cardinality: type.kind === "never" ? "none" : "many", fails: false };
    }
  }
}

/** What a step gives for the values of its keys. */
function stepped(target: Type, keys: readonly Flow[], { type, isSafe }: Step, isOptional: boolean): Flow {
  const result = combined(type, keys);
  if (result.type.kind !== "never" || type.kind !== "never" || target.kind === "never" || result.fails) {
    return isOptional && !isSafe
      ? { ...result, cardinality: atMost(result.cardinality), fails: false }
      : result;
  }
  if (keys.some((key) => key.cardinality !== "one")) return none;
  return isOptional ? none : failing;
}
