import { type ObjectEntry, parse, walk } from "@configc/jq";
import { type ProgramRun, printExact } from "@configc/runtime";

/**
 * A program as jq itself understands it: what stands in its holes is bound to variables (D10), `now` is the time that it saw, and
 * only its first output counts (D23).
 */
export function referenceProgram({ program, holes, now }: ProgramRun): string {
  const text = withVariables(program);
  // A JSON text is a program that gives it: what would be an interpolation has its backslash escaped.
  const bindings = holes.map((value, index) => `${printExact(value)} as ${variable(index)} | `).join("");
  // The program may end in a comment.
  return `def now: ${now / 1_000}; first(${bindings}(${text}\n))`;
}

function withVariables({ text, holes }: ProgramRun["program"]): string {
  const places = new Map<number, string>();
  const { program } = parse(text, { holes });
  walk(program, {
    enter(node) {
      const key = "key" in node && node.key.kind === "Hole" ? node.key.hole : undefined;
      if (key !== undefined) {
        const name = variable(key);
        if (node.kind === "Field") places.set(key, `[${name}]`);
        // `{${x}}` is short for the member of that name.
        else places.set(key, isShort(node as ObjectEntry) ? `(${name}): .[${name}]` : `(${name})`);
      } else if (node.kind === "Interpolation" && node.expression.kind === "Hole") {
        // In `\\(${x})` the hole is an expression like any other; alone in the text it stands for all of that.
        if (node.start === node.expression.start)
          places.set(node.expression.hole, `\\(${variable(node.expression.hole)})`);
      }
      if (node.kind === "Hole" && !places.has(node.hole)) places.set(node.hole, variable(node.hole));
      return undefined;
    },
  });
  let result = "";
  let at = 0;
  for (const [index, { start, end }] of holes.entries()) {
    const replaced = places.get(index);
    if (replaced === undefined) continue;
    result += text.slice(at, start) + replaced;
    at = end;
  }
  return result + text.slice(at);
}

function isShort(entry: ObjectEntry): boolean {
  return entry.kind === "Entry" && entry.value === undefined;
}

function variable(index: number): string {
  return `$__hole_${index}`;
}
