import type { CheckOptions, ParseResult } from "./options.ts";
import { resolve } from "./resolve/resolve.ts";
import { parse } from "./syntax/parser.ts";

/**
 * Parses a program and resolves its names: besides what `parse` finds, undefined functions, variables
 * and labels, wrong argument counts, unknown formats and impossible object keys. Never throws.
 */
export function check(text: string, options: CheckOptions = {}): ParseResult {
  const { program, diagnostics } = parse(text, options);
  const resolved = resolve(program, options.variables).diagnostics;
  return { program, diagnostics: [...diagnostics, ...resolved].sort((a, b) => a.start - b.start) };
}
