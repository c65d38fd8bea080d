import { type Builtin, builtins, predefinedVariables } from "../builtins/index.ts";
import type { Definition, Node, Parameter, Pattern, Program, VariablePattern } from "../syntax-tree.ts";
import { children, nodesAt } from "../walk.ts";

/** A name that can be used at a place. */
export interface VisibleVariable {
  /** Without `$`. */
  readonly name: string;
  /** Where it is bound; absent for those that the caller binds and for predefined ones. */
  readonly declaration?: VariablePattern | Parameter;
}
/** A function that can be called at a place. */
export interface VisibleFunction {
  readonly name: string;
  readonly arity: number;
  readonly declaration: Definition | Parameter;
}

/** What can be named at an offset; of equal names the innermost is listed. */
export interface VisibleNames {
  readonly variables: readonly VisibleVariable[];
  /** Definitions and parameters of the program, innermost first. */
  readonly functions: readonly VisibleFunction[];
  /** Builtins that no definition hides. */
  readonly builtins: readonly Builtin[];
  /** Labels that can be broken out of, without `$`. */
  readonly labels: readonly string[];
}

/**
 * The variables, functions and labels visible at an offset.
 * @param variables names that the caller binds, without `$`
 */
export function scopeAt(program: Program, offset: number, variables: readonly string[] = []): VisibleNames {
  const found = new Names();
  for (const name of [...predefinedVariables, ...variables]) found.variables.set(name, { name });
  const path = nodesAt(program, offset);
  for (const [depth, node] of path.entries()) declare(node, path[depth + 1], offset, found);
  const functions = [...found.functions.values()].reverse();
  return {
    variables: [...found.variables.values()].reverse(),
    functions,
    builtins: builtins.filter(({ name, parameters }) => !found.functions.has(`${name}/${parameters.length}`)),
    labels: [...found.labels].reverse(),
  };
}

class Names {
  readonly variables = new Map<string, VisibleVariable>();
  readonly functions = new Map<string, VisibleFunction>();
  readonly labels = new Set<string>();

  variable(name: string, declaration: VariablePattern | Parameter): void {
    // Again, so that the innermost is the last.
    this.variables.delete(name);
    this.variables.set(name, { name, declaration });
  }

  function(name: string, arity: number, declaration: Definition | Parameter): void {
    const key = `${name}/${arity}`;
    this.functions.delete(key);
    this.functions.set(key, { name, arity, declaration });
  }

  patterns(patterns: readonly Pattern[]): void {
    const nodes: Node[] = [...patterns].reverse();
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      if (node.kind === "VariablePattern") this.variable(node.name, node);
      else if (
        node.kind === "ArrayPattern" ||
        node.kind === "ObjectPattern" ||
        node.kind === "PatternEntry"
      ) {
        nodes.push(...[...children(node)].reverse());
      }
    }
  }
}

/** Adds what a node declares for its child that holds the offset. */
function declare(node: Node, child: Node | undefined, offset: number, names: Names): void {
  switch (node.kind) {
    case "Pipeline":
      for (const stage of node.stages) {
        if (stage === child || stage.end > offset) break;
        if (stage.kind === "Definition") names.function(stage.name.text, stage.parameters.length, stage);
        else if (stage.kind === "Binding") names.patterns(stage.patterns);
        else if (stage.kind === "Label") names.labels.add(stage.name.text);
      }
      return;
    case "Definition":
      names.function(node.name.text, node.parameters.length, node);
      for (const parameter of node.parameters) {
        names.function(parameter.name, 0, parameter);
        if (parameter.byValue) names.variable(parameter.name, parameter);
      }
      return;
    case "Reduce":
    case "Foreach":
      if (offset >= node.update.start || (node.initial.end < offset && child !== node.source)) {
        names.patterns(node.patterns);
      }
      return;
  }
}
