import { callable } from "./custom-functions.ts";
import { type Linked, link } from "./modules/link.ts";
import type { CheckOptions, ParseResult } from "./options.ts";
import { parse } from "./syntax/parser.ts";

/**
 * Parses a program and resolves its names: besides what `parse` finds, undefined functions, variables
 * and labels, wrong argument counts, unknown formats and impossible object keys. Never throws.
 */
export function check(text: string, options: CheckOptions = {}): ParseResult {
  const { program, diagnostics } = checked(text, options);
  return { program, diagnostics };
}

/** The same, with all that the names of the program and of its modules mean. */
export function checked(
  text: string,
  { modules, variables = [], functions = {}, ...options }: CheckOptions,
): ParseResult & { readonly linked: Linked } {
  const { program, diagnostics } = parse(text, options);
  const linked = link(program, { variables, functions: Object.keys(callable(functions)) }, modules);
  const own =
    modules === undefined ? diagnostics : diagnostics.filter(({ code }) => code !== "module-directive");
  const all = [...own, ...linked.resolution.diagnostics].sort((a, b) => a.start - b.start);
  return { program, diagnostics: all, linked };
}
