import { diagnostic } from "../diagnostics.ts";
import type { ModuleDirective, Name } from "../syntax-tree.ts";
import { atString, parseString } from "./strings.ts";
import type { Grammar } from "./token-stream.ts";

/** `module …;`, `import … as …;` or `include …;`: read to its end, and reported. */
export function parseDirective(grammar: Grammar): ModuleDirective {
  const { stream } = grammar;
  const keyword = stream.take();
  const directive = keyword.text as ModuleDirective["directive"];
  stream.diagnostics.push(diagnostic("module-directive", keyword, { directive }));
  let result: Omit<ModuleDirective, "end"> = { kind: "ModuleDirective", directive, start: keyword.start };
  if (directive !== "module") {
    if (atString(grammar)) result = { ...result, path: parseString(grammar) };
    else stream.unexpected(["a string"]);
  }
  if (directive === "import" && stream.expect("as")) {
    const { kind, text, start, end } = stream.current;
    if (kind === "identifier" || kind === "variable") {
      stream.take();
      const alias: Name = { kind: "Name", text: kind === "variable" ? `$${text}` : text, start, end };
      result = { ...result, alias };
    } else stream.unexpected(["a name"]);
  }
  if (!stream.isOperator(";")) result = { ...result, metadata: grammar.query() };
  stream.expect(";");
  return { ...result, end: stream.end };
}
