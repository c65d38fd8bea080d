import { calls } from "./calls.ts";
import { checked } from "./check.ts";
import { diagnostic, type JqDiagnostic } from "./diagnostics.ts";
import { preludeDefinition, standard } from "./evaluate/builtins/index.ts";
import type { CompileOptions } from "./evaluate/compile.ts";
import type { PreparedProgram } from "./evaluate/prepared.ts";
import type { Definition, Node } from "./syntax-tree.ts";
import { walk } from "./walk.ts";

/** What `prepare` gives: a program, unless it has mistakes. */
export interface PrepareResult {
  readonly program?: PreparedProgram;
  readonly diagnostics: readonly JqDiagnostic[];
}

/**
 * Parses and checks a program, so that `load` of `@configc/jq/run` can run it without a parser. It can't import modules. Custom
 * functions are named here and given to `load`.
 */
export function prepare(text: string, options: Omit<CompileOptions, "modules"> = {}): PrepareResult {
  const { variables = [], functions = {}, exact = false } = options;
  const { program, diagnostics: found, linked } = checked(text, options);
  const diagnostics = [...found];
  const definitions = new Map<string, Definition>();
  const needed = new Set<string>();
  const need = (key: string): void => {
    const definition = preludeDefinition(key);
    if (Object.hasOwn(functions, key) || standard.values.has(key) || standard.filters.has(key))
      needed.add(key);
    // What has a shorter way has a definition, too.
    if (standard.direct.has(key)) needed.add(key);
    if (definition === undefined || definitions.has(key)) return;
    definitions.set(key, definition);
    walk(definition.body, {
      enter: (node: Node) => {
        if (node.kind === "Call") need(`${node.name.text}/${node.arguments.length}`);
        return undefined;
      },
    });
  };
  for (const { name, arity, definition, node } of calls(program, linked.resolution)) {
    if (definition !== undefined) continue;
    if (name === "modulemeta") diagnostics.push(diagnostic("not-implemented", node.name, { name, arity }));
    need(`${name}/${arity}`);
  }
  if (diagnostics.some(({ code }) => code !== "unknown-format")) return { diagnostics };
  const { body } = program;
  return {
    program: {
      version: 1,
      body,
      definitions: Object.fromEntries(definitions),
      calls: [...needed].sort(),
      variables,
      exact,
    },
    diagnostics,
  };
}
