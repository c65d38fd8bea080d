import { type Builtin, formats } from "@configc/jq";
import { completionContext, isIdentifier } from "@configc/jq/internal";
import type { Model } from "../../bind/model.ts";
import { spanOf } from "../../parse/document.ts";
import type { TextCursor } from "../cursor.ts";
import { type Completion, literal } from "./completion.ts";
import { type Entry, inputOf, inString, members, typing } from "./jq-members.ts";
import { quotedCompletions } from "./jq-quoted.ts";
import { syntax } from "./jq-syntax.ts";

/** What can be written inside a jq program: members of what is known, functions, variables, formats. */
export function jqCompletions(model: Model, { node, offset, program }: TextCursor): Completion[] {
  if (program === undefined) return [];
  const quoted = quotedCompletions(model, program, offset);
  if (quoted !== undefined) return quoted;
  const [, options] = typing(model, program);
  const context = completionContext(node.value, offset, inputOf(model, program), options);
  if (context.kind === "none") return [];
  const { start, end } = context.replace;
  const replace = spanOf(model.document, { node, from: start, to: end });
  return [...entries(context)].map((entry) => ({ snippet: inString(entry.label), ...entry, replace }));
}

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
