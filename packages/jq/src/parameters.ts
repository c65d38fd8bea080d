import { nodesWithin } from "./nodes-within.ts";
import type { Definition, Parameter } from "./syntax-tree.ts";

/**
 * Whether a parameter may be called as a function. One by value can be, too, but hardly ever is, so that what it stands
 * for needs to be kept only if something of its name is called in the definition's body.
 */
export function isCallable(parameter: Parameter, definition: Definition): boolean {
  return !parameter.byValue || calledNames(definition).has(parameter.name);
}

const known = new WeakMap<Definition, ReadonlySet<string>>();

/** The names of all that is called in a definition's body. Each call of the definition asks: a long one would be walked for each. */
export function calledNames(definition: Definition): ReadonlySet<string> {
  const before = known.get(definition);
  if (before !== undefined) return before;
  const names = new Set<string>();
  for (const node of nodesWithin(definition.body)) if (node.kind === "Call") names.add(node.name.text);
  known.set(definition, names);
  return names;
}
