import type { Definition, Node, Parameter } from "./syntax-tree.ts";
import { children } from "./walk.ts";

/**
 * Whether a parameter may be called as a function. One by value can be, too, but hardly ever is, so that what it stands
 * for needs to be kept only if something of its name is called in the definition's body.
 */
export function isCallable(parameter: Parameter, definition: Definition): boolean {
  return !parameter.byValue || calledNames(definition).has(parameter.name);
}

const known = new WeakMap<Definition, ReadonlySet<string>>();

/** The names of all calls without arguments in a definition's body. */
function calledNames(definition: Definition): ReadonlySet<string> {
  const before = known.get(definition);
  if (before !== undefined) return before;
  const names = new Set<string>();
  const left: Node[] = [definition.body];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.kind === "Call" && node.arguments.length === 0) names.add(node.name.text);
    for (const child of children(node)) left.push(child);
  }
  known.set(definition, names);
  return names;
}
