import { atMost, type Cardinality, either, times } from "./cardinality.ts";
import { never, type Type, union, unknown } from "./type.ts";

/** What an expression gives for one input: the union of its outputs' types, and how many they are. */
export interface Flow {
  readonly type: Type;
  /** If the evaluation doesn't fail. “One” and “none” also say that no output comes before a failure. */
  readonly cardinality: Cardinality;
  /** Whether every evaluation that isn't cut short fails. */
  readonly fails: boolean;
}

export const one = (type: Type): Flow => ({ type, cardinality: "one", fails: false });
export const maybe = (type: Type): Flow => ({ type, cardinality: "maybe", fails: false });
export const many = (type: Type): Flow => ({ type, cardinality: "many", fails: false });
export const none: Flow = { type: never, cardinality: "none", fails: false };
/** Of an expression that certainly fails before its first output. */
export const failing: Flow = { type: never, cardinality: "none", fails: true };
export const anyFlow: Flow = { type: unknown, cardinality: "unknown", fails: false };

/** `first | second`, where `second` was inferred for what the first one gives. */
export function piped(first: Flow, second: Flow): Flow {
  return {
    type: second.type,
    cardinality: times(first.cardinality, second.cardinality),
    fails: first.fails || (first.cardinality === "one" && second.fails),
  };
}

/** Either one or the other is evaluated; one that fails adds no outputs. */
export function eitherFlow(a: Flow, b: Flow): Flow {
  const type = union(a.type, b.type);
  if (a.fails === b.fails) return { type, cardinality: either(a.cardinality, b.cardinality), fails: a.fails };
  return { type, cardinality: a.fails ? b.cardinality : a.cardinality, fails: false };
}

/** What is left if failures are dropped. */
export function caughtFlow({ type, cardinality }: Flow): Flow {
  return { type, cardinality: atMost(cardinality), fails: false };
}

/** Every combination of outputs of several expressions gives one output. */
export function combined(type: Type, parts: readonly Flow[]): Flow {
  let [someFail, eachIsReached, someGiveNone] = [false, true, false];
  // What fails in the end may have had outputs before.
  let cardinality: Cardinality = "one";
  for (const part of parts) {
    someFail ||= part.fails;
    eachIsReached &&= part.fails || part.cardinality === "one";
    someGiveNone ||= part.type.kind === "never";
    cardinality = times(cardinality, part.cardinality);
  }
  const fails = someFail && eachIsReached;
  if (someGiveNone) return fails ? failing : none;
  return { type, cardinality, fails };
}
