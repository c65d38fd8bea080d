import { excerpt } from "../excerpt.ts";
import type { Break, Label, Name } from "../syntax-tree.ts";
import type { Grammar } from "./token-stream.ts";

/** Labels, and the `break` that leaves one. */

/** `label $name |`; the current token is `label`. */
export function parseLabel(grammar: Grammar): Label {
  const { stream } = grammar;
  const { start } = stream.take();
  const name = labelName(grammar, "a label such as “$out”");
  const { end } = stream;
  stream.expect("|");
  return { kind: "Label", name, start, end };
}

/** `break $name`; the current token is `break`. */
export function parseBreak(grammar: Grammar): Break {
  const { stream } = grammar;
  const { start } = stream.take();
  const label = labelName(grammar, "the label to break to, such as “$out”");
  return { kind: "Break", label, start, end: stream.end };
}

function labelName({ stream }: Grammar, expected: string): Name {
  const { kind, text, start, end } = stream.current;
  if (kind === "variable") {
    stream.take();
    return { kind: "Name", text, start, end };
  }
  const hint = kind === "identifier" ? `Write $${excerpt(text)}: labels begin with $.` : undefined;
  stream.unexpected([expected], hint);
  if (kind === "identifier") stream.take();
  return { kind: "Name", text: "", start, end: start };
}
