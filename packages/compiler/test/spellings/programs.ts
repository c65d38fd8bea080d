import type { JqProgram } from "@configc/compiler";
import type { Expression, Postfix } from "@configc/jq";
import { children } from "@configc/jq";

/** Another spelling of a program that does the same; undefined where it has nothing of the kind. */
export type ProgramSpelling = (program: JqProgram) => string | undefined;

const textOf = ({ node }: JqProgram): string => node.value;

/** Ways to write the same program. None changes what it gives, and with what input its parts are run. */
export const programSpellings: Readonly<Record<string, ProgramSpelling>> = {
  "in brackets": (program) => `(${textOf(program)})`,
  "behind a pipe": (program) => `. | (${textOf(program)})`,
  "before a pipe": (program) => `(${textOf(program)}) | .`,
  "its input has a name": (program) => `. as $whole | ${textOf(program)}`,
  "its output has a name": (program) => `(${textOf(program)}) as $made | $made`,
  "in a function": (program) => `def made: ${textOf(program)}; made`,
  "each member has a name first": hoisted,
  "a sum of objects": summed,
  "members in brackets": bracketed,
  "member after member by pipes": stepwise,
};

/** `{a: .x, b: .y}` as `(.x) as $a1 | (.y) as $a2 | {a: $a1, b: $a2}`. */
function hoisted(program: JqProgram): string | undefined {
  const { body } = program.tree;
  if (body.kind !== "Object" || body.entries.length === 0) return undefined;
  const text = textOf(program);
  const bindings: string[] = [];
  const members = body.entries.map(({ key, value }, index) => {
    const name = text.slice(key.start, key.end);
    if (value === undefined) return name;
    bindings.push(`(${text.slice(value.start, value.end)}) as $a${index} | `);
    return `${name}: $a${index}`;
  });
  return `${bindings.join("")}{${members.join(", ")}}`;
}

/** `{a: .x, b: .y}` as `{a: .x} + {b: .y}`. */
function summed(program: JqProgram): string | undefined {
  const { body } = program.tree;
  if (body.kind !== "Object" || body.entries.length < 2) return undefined;
  const text = textOf(program);
  return body.entries.map(({ start, end }) => `{${text.slice(start, end)}}`).join(" + ");
}

/** `.a` as `.["a"]`. */
function bracketed(program: JqProgram): string | undefined {
  const edits: Edit[] = [];
  for (const node of postfixes(program.tree.body))
    for (const suffix of node.suffixes)
      if (suffix.kind === "Field" && suffix.key.kind === "Name") {
        const { start, end, text } = suffix.key;
        edits.push({ start, end, by: `["${text}"]` });
      }
  return edited(textOf(program), edits);
}

/** `.a.b` as `(.a | .b)`. */
function stepwise(program: JqProgram): string | undefined {
  const edits: Edit[] = [];
  for (const node of postfixes(program.tree.body)) {
    const [first, second] = node.suffixes;
    if (node.head.kind !== "Identity" || first?.kind !== "Field" || second?.kind !== "Field") continue;
    if (second.key.kind !== "Name") continue;
    const at = second.key.start - 1;
    edits.push({ start: node.start, end: node.start, by: "(" });
    edits.push({ start: at, end: at, by: " | " });
    edits.push({ start: node.end, end: node.end, by: ")" });
  }
  return edited(textOf(program), edits);
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

function edited(text: string, edits: readonly Edit[]): string | undefined {
  if (edits.length === 0) return undefined;
  return edits
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce((result, { start, end, by }) => result.slice(0, start) + by + result.slice(end), text);
}

function postfixes(body: Expression): readonly Postfix[] {
  const found: Postfix[] = [];
  const visit = (node: Parameters<typeof children>[0]): void => {
    if (node.kind === "Postfix") found.push(node);
    for (const child of children(node)) visit(child);
  };
  visit(body);
  return found;
}
