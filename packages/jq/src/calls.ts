import { type Builtin, builtin } from "./builtins/index.ts";
import { type Resolution, resolve } from "./resolve/resolve.ts";
import type { Call, Definition, Parameter, Program, Span } from "./syntax-tree.ts";
import { walk } from "./walk.ts";

/** A call of a function; the span is the whole call's, `name.start`/`name.end` the name's. */
export interface FunctionCall extends Span {
  readonly name: string;
  readonly arity: number;
  readonly node: Call;
  /** Set if the call means a builtin function. */
  readonly builtin?: Builtin;
  /** Set if the call means a definition or parameter of the program. */
  readonly definition?: Definition | Parameter;
}

/** Every call in the program, in source order; neither `builtin` nor `definition` is set for unknown ones. */
export function calls(program: Program, resolution: Resolution = resolve(program)): readonly FunctionCall[] {
  const found: FunctionCall[] = [];
  walk(program, {
    enter(node) {
      if (node.kind !== "Call") return undefined;
      const name = node.name.text;
      const arity = node.arguments.length;
      const definition = resolution.functions.get(node);
      const known = definition === undefined ? builtin(name, arity) : undefined;
      found.push({
        name,
        arity,
        node,
        start: node.start,
        end: node.end,
        ...(known === undefined ? {} : { builtin: known }),
        ...(definition === undefined ? {} : { definition }),
      });
      return undefined;
    },
  });
  return found;
}

/** A use of something that has no place in a hosted config (decision D23). */
export interface HostUse extends Span {
  /** `input`, `$ENV`, `import` … as written. */
  readonly name: string;
}

/** Uses of `input`, `debug`, `env`, `$ENV`, `import`, `halt` … (decision D23), in source order. */
export function hostUses(program: Program, resolution: Resolution = resolve(program)): readonly HostUse[] {
  const found: HostUse[] = [];
  walk(program, {
    enter(node) {
      if (node.kind === "ModuleDirective" && node.directive !== "module") {
        found.push({ name: node.directive, start: node.start, end: node.start + node.directive.length });
      } else if (node.kind === "Variable" && node.name === "ENV" && !resolution.variables.has(node)) {
        found.push({ name: "$ENV", start: node.start, end: node.end });
      } else if (node.kind === "Call" && !resolution.functions.has(node)) {
        const known = builtin(node.name.text, node.arguments.length);
        if (known?.forbiddenInHost) {
          found.push({ name: known.name, start: node.name.start, end: node.name.end });
        }
      }
      return undefined;
    },
  });
  return found;
}
