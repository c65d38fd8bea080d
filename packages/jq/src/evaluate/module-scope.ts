import type { Linked, LinkedData } from "../modules/link.ts";
import type { ImportedNames } from "../resolve/resolve.ts";
import type { Definition, VariablePattern } from "../syntax-tree.ts";
import { withDefinition } from "./pipeline-code.ts";
import { type Scope, type ScopeEntry, withName } from "./scope.ts";

/**
 * The scope of a program with modules. What modules import as data is bound around all of them, behind the
 * variables of the program; a module's definitions see that and what it imports, nothing of the program.
 *
 * @param around with the variables that each run binds
 */
export function scopeOfProgram({ imported, modules, data }: Linked, around: Scope): Scope {
  if (modules.length === 0 && data.length === 0) return around;
  const depths = new Map<VariablePattern, number>();
  let base = around;
  for (const [at, { variable }] of (data as readonly LinkedData[]).entries()) {
    // Only what imports it has a name for it.
    base = withName(base, "variable", `::${at}`);
    depths.set(variable, base.depth);
  }
  const entries = new Map<Definition, ScopeEntry>();
  const seeing = ({ functions, variables }: ImportedNames): Scope => {
    let scope = base;
    for (const [name, variable] of variables) {
      scope = { ...scope, entry: { kind: "variable", name }, depth: depths.get(variable)!, parent: scope };
    }
    // What follows has all environments around it again.
    scope = { ...scope, entry: { kind: "outermost", name: "" }, depth: base.depth, parent: scope };
    for (const [key, definition] of functions) {
      const entry = entries.get(definition);
      if (entry?.kind !== "function") continue;
      const name = key.slice(0, key.lastIndexOf("/"));
      scope = { ...scope, entry: { ...entry, name, isImported: true }, parent: scope };
    }
    return scope;
  };
  for (const module of modules) {
    let scope = seeing(module.imported);
    for (const definition of module.definitions) {
      scope = withDefinition(scope, definition);
      entries.set(definition, scope.entry);
    }
  }
  return seeing(imported);
}
