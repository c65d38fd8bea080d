import { builtins } from "../builtins/index.ts";
import { lex } from "../syntax/lexer.ts";
import { parse } from "../syntax/parser.ts";
import type { Hole, Span } from "../syntax-tree.ts";
import { scopeAt } from "./scope-at.ts";

/** One way to call a function. */
export interface Signature {
  readonly name: string;
  /** As declared, `$` marking those that are evaluated first. */
  readonly parameters: readonly string[];
  /** Documentation, of builtins. */
  readonly doc?: string;
}

/** The call whose arguments an offset stands in. */
export interface SignatureHelp {
  /** The function's name. */
  readonly name: Span;
  /** From 0. */
  readonly argument: number;
  /** Those with enough parameters for the argument first, fewest parameters first. */
  readonly signatures: readonly Signature[];
}

/**
 * The innermost call `name(…;…)` around an offset, also of a program that isn't finished. Undefined outside
 * of arguments, and for functions that don't exist.
 */
export function signatureAt(
  text: string,
  offset: number,
  holes: readonly Hole[] = [],
): SignatureHelp | undefined {
  const open: { name?: Span; argument: number }[] = [];
  let previous: (Span & { readonly kind: string }) | undefined;
  for (const token of lex(text, holes).tokens) {
    if (token.end > offset || token.kind === "end") break;
    const punctuation = token.kind === "operator" ? text.slice(token.start, token.end) : "";
    if (punctuation === "(" && previous?.kind === "identifier" && previous.end === token.start) {
      open.push({ name: { start: previous.start, end: previous.end }, argument: 0 });
    } else if (["(", "[", "{"].includes(punctuation) || token.kind === "interpolation-start")
      open.push({ argument: 0 });
    else if ([")", "]", "}"].includes(punctuation) || token.kind === "interpolation-end") open.pop();
    else if (punctuation === ";" && open.length > 0) open.at(-1)!.argument++;
    previous = token;
  }
  const call = open.findLast(({ name }) => name !== undefined);
  if (call?.name === undefined) return undefined;
  const signatures = signaturesOf(text, call.name, holes);
  if (signatures.length === 0) return undefined;
  const fits = ({ parameters }: Signature): boolean => parameters.length > call.argument;
  return {
    name: call.name,
    argument: call.argument,
    signatures: [...signatures.filter(fits), ...signatures.filter((signature) => !fits(signature))],
  };
}

function signaturesOf(text: string, { start, end }: Span, holes: readonly Hole[]): readonly Signature[] {
  const name = text.slice(start, end);
  const { functions } = scopeAt(parse(text, { holes }).program, start);
  const own = functions.flatMap(({ name: known, declaration }): Signature[] => {
    if (known !== name || declaration.kind !== "Definition" || declaration.parameters.length === 0) return [];
    const parameters = declaration.parameters.map(
      (parameter) => `${parameter.byValue ? "$" : ""}${parameter.name}`,
    );
    return [{ name, parameters }];
  });
  const hidden = new Set(own.map(({ parameters }) => parameters.length));
  const known = builtins.filter(
    (builtin) =>
      builtin.name === name && builtin.parameters.length > 0 && !hidden.has(builtin.parameters.length),
  );
  return [...own, ...known].sort((a, b) => a.parameters.length - b.parameters.length);
}
