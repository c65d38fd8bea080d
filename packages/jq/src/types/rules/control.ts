import { atMost, type Cardinality } from "../cardinality.ts";
import { failing, many, maybe, none, one } from "../flow.ts";
import { itemsOf, truthy } from "../operations.ts";
import { boolean, DEPTH_LIMIT, never, number, partsOf, type Type, union, unknown } from "../type.ts";
import { type BuiltinRule, type RuleTable, reachable } from "./rule.ts";

/** The first output of the last argument. */
const firstOutput: BuiltinRule = {
  flow: ({ input, arguments: args }) => {
    const { type, cardinality, fails } = args.at(-1)!(input);
    return { type, cardinality: atMostOne(cardinality), fails: fails && cardinality === "none" };
  },
};

function atMostOne(cardinality: Cardinality): Cardinality {
  return cardinality === "many" || cardinality === "unknown" ? "maybe" : cardinality;
}

/** Some of the outputs of the last argument. */
const someOutputs: BuiltinRule = {
  flow: ({ input, arguments: args }) => {
    const { type, cardinality } = args.at(-1)!(input);
    return { type, cardinality: cardinality === "unknown" ? "many" : atMost(cardinality), fails: false };
  },
};

const numbers: BuiltinRule = {
  arguments: [["number"], ["number"]],
  flow: () => many(number),
};

/** Everything inside a value, and the value itself. */
export function everything(type: Type): Type {
  const found = new Set<Type>();
  const visit = (part: Type): void => {
    if (found.has(part)) return;
    found.add(part);
    if (part.kind === "array" || part.kind === "object")
      for (const item of partsOf(itemsOf(part))) visit(item);
  };
  for (const part of partsOf(type)) visit(part);
  return union(...found);
}

/** Conditions, errors, and generators. */
export const controlRules: RuleTable = {
  "empty/0": { flow: () => none },
  "error/0": { flow: () => failing },
  "error/1": {
    flow: ({ input, arguments: [message] }) => {
      const { cardinality, fails } = message!(input);
      return cardinality === "one" || fails ? failing : none;
    },
  },
  "select/1": {
    flow: ({ input, arguments: [condition] }) => {
      const { type, cardinality, fails } = condition!(input);
      if (type.kind !== "unknown" && truthy(type).kind === "never") return fails ? failing : none;
      const kept = condition!.narrow(input, true);
      if (kept.kind === "never") return fails ? failing : none;
      const isTrue = type.kind !== "unknown" && truthy(type) === type;
      const isCertain = cardinality === "one" && (isTrue || condition!.narrow(input, false).kind === "never");
      return { type: kept, cardinality: isCertain ? "one" : atMost(cardinality), fails };
    },
  },
  "isempty/1": {
    flow: ({ input, arguments: [generator] }) => {
      generator!(input);
      return one(boolean);
    },
  },
  "limit/2": {
    flow: (call) => (call.arguments[0]?.constant === 1 ? firstOutput : someOutputs).flow(call),
  },
  "skip/2": someOutputs,
  "first/1": firstOutput,
  "last/1": firstOutput,
  "nth/2": {
    flow: ({ input, arguments: [, generator] }) => maybe(generator!(input).type),
  },
  "until/2": {
    flow: ({ input, arguments: [condition, update] }) => {
      let cardinality: Cardinality = "one";
      const state = reachable(input, (type) => {
        const test = condition!(type);
        if (test.cardinality !== "one") cardinality = "unknown";
        const going = condition!.narrow(type, false);
        if (going.kind === "never") return never;
        const next = update!(going);
        if (next.cardinality !== "one") cardinality = "unknown";
        return next.type;
      });
      return { type: condition!.narrow(state, true), cardinality, fails: false };
    },
  },
  "while/2": {
    flow: ({ input, arguments: [condition, update] }) => {
      const state = reachable(input, (type) => {
        condition!(type);
        return update!(condition!.narrow(type, true)).type;
      });
      return many(condition!.narrow(state, true));
    },
  },
  "repeat/1": {
    flow: ({ input, arguments: [update] }) => many(update!(input).type),
  },
  "range/1": numbers,
  "range/2": numbers,
  "range/3": {
    // Steps of other kinds may be added as well.
    flow: ({ values: [from, , by] }) =>
      many(from!.kind === "number" && by!.kind === "number" ? number : unknown),
  },
  "recurse/0": { flow: ({ input }) => many(everything(input)) },
  "recurse/1": {
    flow: ({ input, arguments: [step] }) => many(reachable(input, (type) => step!(type).type, DEPTH_LIMIT)),
  },
  "recurse/2": {
    flow: ({ input, arguments: [step, condition] }) =>
      many(
        reachable(input, (type) => {
          const next = step!(type).type;
          if (next.kind === "never") return never;
          condition!(next);
          return condition!.narrow(next, true);
        }),
      ),
  },
};
