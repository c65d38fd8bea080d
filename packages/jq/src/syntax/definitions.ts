import type { Definition, Name, Parameter } from "../syntax-tree.ts";
import { parameterHint } from "./hints.ts";
import type { Grammar } from "./token-stream.ts";

/** `def name(parameter; …): body;`; the current token is `def`. */
export function parseDefinition(grammar: Grammar): Definition {
  const { stream } = grammar;
  const { start } = stream.take();
  const name = definitionName(grammar);
  const parameters: Parameter[] = [];
  if (stream.isOperator("(")) {
    const opener = stream.take();
    do {
      const { kind, text, start, end } = stream.current;
      if (kind !== "identifier" && kind !== "variable") {
        stream.unexpected(["a parameter"], parameterHint(stream));
        break;
      }
      stream.take();
      parameters.push({ kind: "Parameter", name: text, byValue: kind === "variable", start, end });
    } while (stream.takeOperator(";"));
    stream.close(opener, ")", ["“;”", "“)”"]);
  }
  stream.expect(":");
  const body = grammar.query();
  stream.expect(";");
  return { kind: "Definition", name, parameters, body, start, end: stream.end };
}

function definitionName({ stream }: Grammar): Name {
  const { kind, text, start, end } = stream.current;
  if (kind === "identifier") {
    stream.take();
    return { kind: "Name", text, start, end };
  }
  const hint = kind === "keyword" ? `“${text}” is a keyword and can't be redefined.` : undefined;
  stream.unexpected(["a function's name"], hint);
  if (kind === "keyword" || kind === "variable") stream.take();
  return { kind: "Name", text: "", start, end: start };
}
