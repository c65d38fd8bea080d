import type { JqProgram } from "@configc/compiler";
import type { Expression, Postfix } from "@configc/jq";
import { children } from "@configc/jq";
import { expressionSpellings } from "./expressions.ts";
import type { ProgramSpelling } from "./spelling.ts";

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
  "what is chosen in quotes": quoted,
  "what is chosen without quotes": unquoted,
  ...expressionSpellings,
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

/** `${custom_data.list.value}` as `"${custom_data.list.value}"`: the value of most form fields is a text. */
function quoted(program: JqProgram): string | undefined {
  const text = textOf(program);
  return edited(
    text,
    chosenTexts(program).flatMap(({ start, end }): readonly Edit[] =>
      isInText(program, start)
        ? []
        : [
            { start, end: start, by: '"' },
            { start: end, end, by: '"' },
          ],
    ),
  );
}

/** The same the other way round. */
function unquoted(program: JqProgram): string | undefined {
  const text = textOf(program);
  return edited(
    text,
    chosenTexts(program).flatMap(({ start, end }): readonly Edit[] =>
      text.charAt(start - 1) === '"' && text.charAt(end) === '"' && text.charAt(start - 2) !== "\\"
        ? [
            { start: start - 1, end: start, by: "" },
            { start: end, end: end + 1, by: "" },
          ]
        : [],
    ),
  );
}

/** Where a program reads the text that a customer chose: of lists and of fields that may be left out, a text isn't the same. */
function chosenTexts({ holes }: JqProgram): readonly { readonly start: number; readonly end: number }[] {
  return holes.flatMap(({ root, syntax, fields, fieldExact }) => {
    const [field, ...others] = fields;
    const isText =
      fieldExact &&
      others.length === 0 &&
      field !== undefined &&
      /^(?:dropdown|text|textarea)$/.test(field.type ?? "");
    return root === "custom_data" && isText && syntax.path.length === 3 && syntax.filters.length === 0
      ? [{ start: syntax.start, end: syntax.end }]
      : [];
  });
}

/** Whether a place lies in a text of a program. */
function isInText({ tree }: JqProgram, at: number): boolean {
  const visit = (node: Parameters<typeof children>[0]): boolean =>
    (node.kind === "String" && node.start < at && at < node.end) || children(node).some(visit);
  return visit(tree.body);
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
