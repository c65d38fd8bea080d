import { type Builtin, formats, nodesAt, printType, type Type, types } from "@configc/jq";
import { completionContext, type SyntaxForm } from "@configc/jq/internal";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { flowOf } from "../../flow/flow.ts";
import { spanOf } from "../../parse/document.ts";
import type { Span } from "../../parse/syntax-tree.ts";
import { withoutHiddenBody } from "../../samples/response.ts";
import type { TextCursor } from "../cursor.ts";
import { type Completion, literal } from "./completion.ts";

/** What can be written inside a jq program: members of what is known, functions, variables, formats. */
export function jqCompletions(model: Model, { node, offset, program }: TextCursor): Completion[] {
  if (program === undefined) return [];
  const quoted = quotedKeyAt(program, offset);
  if (quoted !== undefined) return quotedMembers(model, program, quoted);
  const [, options] = typing(model, program);
  const context = completionContext(node.value, offset, inputOf(model, program), options);
  if (context.kind === "none") return [];
  const { start, end } = context.replace;
  const replace = spanOf(model.document, { node, from: start, to: end });
  return [...entries(context)].map((entry) => ({ snippet: inString(entry.label), ...entry, replace }));
}

/** The key of `."my key"` or `["my key"]`, with the quotes, if the offset is in it. */
function quotedKeyAt({ tree }: JqProgram, offset: number): Span | undefined {
  const [field, key] = nodesAt(tree, offset)
    .slice(-3)
    .filter(({ kind }) => kind !== "StringText");
  const isKey = field?.kind === "Field" && key?.kind === "String" && key.format === undefined;
  return isKey && key.start < offset && offset < key.end ? key : undefined;
}

/** As after the dot alone: a name that needs no quotes goes without. */
function quotedMembers(model: Model, program: JqProgram, { start, end }: Span): Completion[] {
  const { node } = program;
  const [, { holes }] = typing(model, program);
  const text = node.value.slice(0, start) + node.value.slice(end);
  const moved = holes.map((hole) =>
    hole.start < end ? hole : { ...hole, start: hole.start - (end - start), end: hole.end - (end - start) },
  );
  const context = completionContext(text, start, inputOf(model, program), { holes: moved });
  if (context.kind !== "member") return [];
  const replace = spanOf(model.document, { node, from: start, to: end });
  const written = (name: string) => (isIdentifier(name) ? name : JSON.stringify(name));
  return [...members(context.of, written)].map((entry) => ({
    snippet: inString(entry.label),
    ...entry,
    replace,
  }));
}

/** All of it: the type that the program is checked with leaves out the roots that it doesn't mention, or not yet. */
function inputOf(model: Model, { command }: JqProgram): Type {
  return flowOf(model).input(command);
}

/** The types that a program's input and holes have. */
export function typing(model: Model, program: JqProgram) {
  const flow = flowOf(model);
  const holes = flow.holes(program).map((type, index) => ({ ...spanOfHole(program, index), type }));
  return [flow.programInput(program), { holes }] as const;
}

function spanOfHole({ holes }: JqProgram, index: number) {
  const { start, end } = holes[index]!.syntax;
  return { start, end };
}

type Entry = Omit<Completion, "replace" | "snippet"> & { readonly snippet?: string };

function* entries(
  context: Exclude<ReturnType<typeof completionContext>, { kind: "none" }>,
): Generator<Entry> {
  switch (context.kind) {
    case "member":
      yield* members(context.of, (name) => (isIdentifier(name) ? name : JSON.stringify(name)));
      return;
    case "object-key":
      yield* members(context.of, (name) => (isIdentifier(name) ? name : JSON.stringify(name)));
      return;
    case "variable":
      for (const { name } of context.names.variables.filter((each) => each.name !== "ENV"))
        yield { label: name, kind: "variable", detail: "variable" };
      return;
    case "label":
      for (const label of context.names.labels) yield { label, kind: "variable", detail: "label" };
      return;
    case "format":
      for (const [name, doc] of formats)
        yield { label: name.replace(/^@/, ""), kind: "function", detail: "format", documentation: doc };
      return;
    case "expression":
      yield* [
        ...members(context.input, (name) => `.${isIdentifier(name) ? name : JSON.stringify(name)}`),
      ].map((entry) => ({ ...entry, label: `.${entry.label}` }));
      for (const { name, arity } of context.names.functions)
        yield {
          label: name,
          kind: "function",
          detail: arity === 0 ? "definition" : `definition, ${arity} arguments`,
        };
      yield* syntax(context.forms);
      yield* functions(context.names.builtins);
      return;
    case "continuation":
      yield* syntax(context.forms);
  }
}

/** How a form is written, with a place for each of its parts, and what it does. */
const written: Readonly<Record<SyntaxForm, readonly [snippet: string, doc: string]>> = {
  if: [
    "if ${1:.} then ${2:.} else ${3:.} end",
    "One of two values, by a condition. Without `else`, the input itself.",
  ],
  then: ["then ${1:.}", "What it gives if the condition is true."],
  elif: ["elif ${1:.} then ${2:.}", "Another condition."],
  else: ["else ${1:.} end", "What it gives if no condition is true."],
  end: ["end", "Ends the condition."],
  try: [
    "try ${1:.} catch ${2:.}",
    "What to give where the first part fails; the second gets the error's message.",
  ],
  catch: ["catch ${1:.}", "What to give instead; it gets the error's message."],
  reduce: [
    "reduce ${1:.} as \\$${2:item} (${3:null}; ${4:.})",
    "Goes through all outputs and gives one value: it begins with the third part, and the fourth makes the next of it.",
  ],
  foreach: [
    "foreach ${1:.} as \\$${2:item} (${3:null}; ${4:.})",
    "As `reduce`, but gives each value on the way.",
  ],
  as: ["as \\$${1:name} | ${2:.}", "Names the value for what follows."],
  def: ["def ${1:name}: ${2:.}; ${3:.}", "Defines a function for what follows."],
  label: ["label \\$${1:out} | ${2:.}", "A place that `break` leaves."],
  and: ["and ${1:.}", "Whether both are true."],
  or: ["or ${1:.}", "Whether one of them is true."],
};

function* syntax(forms: readonly SyntaxForm[]): Generator<Entry> {
  for (const form of forms) {
    const [snippet, documentation] = written[form];
    yield { label: form, kind: "syntax", detail: "syntax", documentation, snippet, rank: 1 };
  }
}

function* members(of: Type, written: (name: string) => string): Generator<Entry> {
  const seen = new Set<string>();
  for (const part of types.partsOf(of)) {
    if (part.kind !== "object") continue;
    for (const [name, { type, optional }] of part.members) {
      if (seen.has(name)) continue;
      seen.add(name);
      const detail = `${optional ? "may be absent: " : ""}${printType(withoutHiddenBody(type))}`.slice(
        0,
        120,
      );
      yield { label: name, kind: "key", detail, snippet: inString(written(name)) };
    }
  }
}

/** One entry a name: the forms with more parameters are in its documentation. */
function* functions(builtins: readonly Builtin[]): Generator<Entry> {
  const byName = new Map<string, Builtin[]>();
  for (const each of builtins) {
    // What has no place in a hosted config isn't offered (D23).
    if (!each.forbiddenInHost) byName.set(each.name, [...(byName.get(each.name) ?? []), each]);
  }
  for (const [name, forms] of byName) {
    const [first] = forms;
    const documentation = forms
      .map(({ parameters, doc }) => `\`${signature(name, parameters)}\`\n${doc}`)
      .join("\n\n");
    const withArguments = forms.every(({ parameters }) => parameters.length > 0);
    yield {
      label: name,
      kind: "function",
      detail: signature(name, first!.parameters),
      documentation,
      snippet: withArguments ? `${literal(name)}(${places(first!)})` : literal(name),
      rank: 1,
    };
  }
}

/** A place for each argument; `.` is a program as well. */
function places({ parameters }: Builtin): string {
  return parameters.map((_, index) => `\${${index + 1}:.}`).join("; ");
}

function signature(name: string, parameters: readonly string[]): string {
  return parameters.length === 0 ? name : `${name}(${parameters.join("; ")})`;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/** Text in a snippet inside a JSON string. */
function inString(text: string): string {
  return literal(JSON.stringify(text).slice(1, -1));
}
