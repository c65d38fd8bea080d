import type { JqProgram } from "./bound-nodes.ts";
import type { Model } from "./model.ts";
import type { Part } from "./part.ts";

/**
 * Something worked out from a model, once: `const savedKeys = derived((model) => …)`, then `savedKeys(model)`.
 *
 * It is for what is asked for again: by several rules, for each of many things, or by an editor. What one pass over a document asks for once
 * is a function.
 *
 * The result lives in the model. A WeakMap by model would do the same, but the garbage collector keeps its entries through
 * many rounds, which costs more than the check itself when there are a thousand documents.
 */
export const derived = <T>(compute: (model: Model) => T): ((model: Model) => T) => once(compute);

/** The same for each thing of a model, once it is asked for: `const pagingOf = derivedOf((intake, model) => …)`. */
export const derivedOf = <Key, T>(
  compute: (key: Key, model: Model) => T,
): ((key: Key, model: Model) => T) => {
  const results = derived((): Map<Key, { readonly of: T }> => new Map());
  return (key, model) => {
    const all = results(model);
    let result = all.get(key);
    if (result === undefined) all.set(key, (result = { of: compute(key, model) }));
    return result.of;
  };
};

/** The same for what is large and asked for by rules alone: it is given up once they are done, so that no open document holds it. */
export const passingOf = <Key, T>(
  compute: (key: Key, model: Model) => T,
): ((key: Key, model: Model) => T) => {
  return (key, model) => {
    const all = passing(model);
    let results = all.get(compute);
    if (results === undefined) all.set(compute, (results = new Map()));
    if (!results.has(key)) results.set(key, compute(key, model));
    return results.get(key) as T;
  };
};

const passing = derived((): Map<unknown, Map<unknown, unknown>> => new Map());

/** Gives up what rules alone ask for. */
export function forgetPassing(model: Model): void {
  passing(model).clear();
}

/** The same for what follows from a jq program's text alone: it is shared between equal texts. */
export const derivedFromText = <T>(compute: (tree: JqProgram["tree"]) => T): ((program: JqProgram) => T) => {
  return once(({ tree }: JqProgram) => compute(tree));
};

/**
 * The same for what also follows from where the program stands: from its expansions and the steps before it. All of them are in one part, and
 * so bound together.
 */
export const derivedInPlace =
  <T>(compute: (program: JqProgram) => T): ((program: JqProgram) => T) =>
  (program) => {
    const known = program.inPlace.get(compute);
    if (known !== undefined) return known as T;
    const result = compute(program);
    program.inPlace.set(compute, result);
    return result;
  };

/**
 * The same for what follows from what stands in a part alone, without what its names are bound to. The next version of the document takes it
 * over with the part.
 */
export const derivedInPart = <T>(compute: (part: Part) => T): ((part: Part) => T) => once(compute);

function once<O extends { readonly derived: Map<unknown, unknown> }, T>(
  compute: (owner: O) => T,
): (owner: O) => T {
  return (owner) => {
    const known = owner.derived.get(compute);
    if (known !== undefined) return known as T;
    const result = compute(owner);
    owner.derived.set(compute, result);
    return result;
  };
}
