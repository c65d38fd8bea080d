import type { AppExpansion } from "@configc/compiler";
import { parseExpansions } from "@configc/compiler/internal";
import { compile, type Json, parse, walk } from "@configc/jq";

/** What an expression can read where it is evaluated. */
export interface Surroundings {
  /** What `.` is. */
  readonly input: Json;
  /** By name without `$`, each read only if it is used. */
  readonly variables: Readonly<Record<string, () => Json | undefined>>;
  /** The value of an expansion. @throws Error where it has none */
  readonly expand: (expansion: Omit<AppExpansion, "span">) => Json;
}

/** An expression that can't be evaluated, told for people. */
class ExpressionError extends Error {}

/** A person waits: what takes longer isn't worth it, and the run may be held up by it. */
const BUDGET = { steps: 50_000_000, milliseconds: 5_000, memory: 500_000_000 };

/**
 * Evaluates what a person wrote: one expansion gives its value, all else is jq, with expansions as in a config.
 *
 * @returns all outputs
 * @throws ExpressionError
 */
export function evaluateExpression(text: string, around: Surroundings): readonly Json[] {
  const expansions = parseExpansions(text);
  const [only] = expansions;
  try {
    if (only !== undefined && only.start === 0 && only.end === text.trim().length && text === text.trim())
      return [around.expand(only)];
    const used = variablesIn(text, expansions);
    const known = used.filter((name) => Object.hasOwn(around.variables, name));
    const { filter, diagnostics } = compile(text, { holes: expansions, variables: known, exact: true });
    if (filter === undefined) throw new ExpressionError(problemOf(text, diagnostics[0], around));
    return filter.all(around.input, {
      bindings: {
        holes: expansions.map((expansion) => around.expand(expansion)),
        variables: Object.fromEntries(known.map((name) => [name, around.variables[name]?.() ?? null])),
      },
      timeZone: "UTC",
      budget: BUDGET,
    });
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    throw new ExpressionError(error instanceof Error ? error.message : String(error));
  }
}

/** A text for people with the values of its expansions: `Got ${length} items for ${custom_data.list}`. What isn't a path of a root is jq. */
export function expandText(text: string, around: Surroundings, told: (value: Json) => string): string {
  return text.replaceAll(/\$\{((?:[^{}]|\{[^{}]*\})*)\}/g, (whole, inner: string) => {
    try {
      const isExpansion = parseExpansions(whole).some(({ end }) => end === whole.length);
      const [value = null] = evaluateExpression(isExpansion ? whole : inner, around);
      return told(value);
    } catch (error) {
      return `(${error instanceof Error ? error.message : String(error)})`;
    }
  });
}

function variablesIn(
  text: string,
  holes: readonly { readonly start: number; readonly end: number }[],
): string[] {
  const names = new Set<string>();
  walk(parse(text, { holes }).program, {
    enter(node) {
      if (node.kind === "Variable") names.add(node.name);
      return undefined;
    },
  });
  return [...names];
}

function problemOf(
  text: string,
  diagnostic: { readonly code: string; readonly args: object; readonly start: number } | undefined,
  { variables }: Surroundings,
): string {
  if (diagnostic === undefined) return "This isn't a jq expression.";
  const { code, start, args } = diagnostic;
  const name = (args as { readonly name?: string }).name;
  if (code === "unknown-variable")
    return `There is no \`$${name}\` here. There are ${Object.keys(variables)
      .map((each) => `$${each}`)
      .join(", ")}.`;
  if (code === "unknown-function") return `jq has no \`${name}\`.`;
  return `This isn't a jq expression: it can't be read from “${text.slice(start, start + 20)}” on.`;
}
