import type { IfBranch, Term } from "../syntax-tree.ts";
import { parsePatterns } from "./patterns.ts";
import type { Grammar } from "./token-stream.ts";

/** The control structures: the conditional, and the folds of a stream. */

/** `if … then … elif … else … end`; the current token is `if`. */
export function parseConditional(grammar: Grammar): Term {
  const { stream } = grammar;
  const opener = stream.take();
  const branches: IfBranch[] = [];
  let { start } = opener;
  do {
    const condition = grammar.query();
    stream.expect("then");
    const body = grammar.query();
    branches.push({ kind: "Branch", condition, body, start, end: stream.end });
    ({ start } = stream.current);
  } while (stream.takeKeyword("elif"));
  const otherwise = stream.takeKeyword("else") ? grammar.query() : undefined;
  stream.close(
    opener,
    "end",
    otherwise === undefined ? ["an operator", "“elif”", "“else”", "“end”"] : ["an operator", "“end”"],
  );
  const node = { kind: "If", branches, start: opener.start, end: stream.end } as const;
  return otherwise === undefined ? node : { ...node, otherwise };
}

/** `reduce … as … (…)` or `foreach … as … (…)`; the current token is the keyword. */
export function parseFold(grammar: Grammar): Term {
  const { stream } = grammar;
  const keyword = stream.take();
  const { start } = keyword;
  const source = grammar.expression();
  const bound = stream.expect("as");
  const patterns = bound ? parsePatterns(grammar) : [];
  const opener = stream.current;
  if (!stream.expect("(")) {
    const nothing = stream.missing();
    const kind = keyword.text === "reduce" ? "Reduce" : "Foreach";
    return { kind, source, patterns, initial: nothing, update: nothing, start, end: stream.end };
  }
  const initial = grammar.query();
  const update = stream.expect(";") ? grammar.query() : stream.missing();
  if (keyword.text === "reduce") {
    stream.close(opener, ")");
    return { kind: "Reduce", source, patterns, initial, update, start, end: stream.end };
  }
  const extract = stream.takeOperator(";") ? grammar.query() : undefined;
  stream.close(opener, ")", ["an operator", ...(extract === undefined ? ["“;”"] : []), "“)”"]);
  const node = { kind: "Foreach", source, patterns, initial, update, start, end: stream.end } as const;
  return extract === undefined ? node : { ...node, extract };
}
