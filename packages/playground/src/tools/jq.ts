import { layOutType } from "@configc/compiler/internal";
import {
  compile,
  format,
  infer,
  JqError,
  type Json,
  JsonSyntaxError,
  parse,
  parseInputs,
  renderMessage,
  type Type,
  TypeSyntaxError,
  typeOfSchema,
  typeOfTypeScript,
  types,
} from "@configc/jq";
import { completionContext, failureCodes, isIdentifier, writeJson } from "@configc/jq/internal";
import type { JqChoices, JqProblem, JqReport, JqWork } from "./protocol.ts";
import { seenType } from "./seen-type.ts";

/** Outputs that are shown, and characters of all of them. */
const MOST_OUTPUTS = 500;
const MOST_CHARACTERS = 200_000;
const WIDTH = 64;
/** What a run may take, so that the page answers at each key. */
const budget = { milliseconds: 2_000, memory: 200_000_000 };

/** Checks a program and runs it on each of the inputs. */
export function jq({ program, input, type: written }: JqWork): JqReport {
  const { values, problem: unread } = inputsOf(input);
  const { type, problem: untyped } = typeOf(written, unread === undefined ? values : undefined);
  const problems: JqProblem[] = [unread, untyped].filter((problem) => problem !== undefined);
  const { filter, diagnostics } = compile(program, { exact: true });
  const inferred = infer(program, type);
  for (const found of filter === undefined ? diagnostics : inferred.diagnostics) {
    const isFailure = filter === undefined || failureCodes.has(found.code as never);
    const { start, end } = found;
    const severity = isFailure ? "error" : "warning";
    problems.push({ in: "program", severity, message: renderMessage(found), start, end });
  }
  const shown = { input: layOutType(type, WIDTH), output: layOutType(inferred.type, WIDTH) };
  if (filter === undefined) return { problems, outputs: [], left: 0, ...shown };
  const outputs: string[] = [];
  let [left, characters] = [0, 0];
  const emit = (value: Json): boolean => {
    if (outputs.length >= MOST_OUTPUTS || characters > MOST_CHARACTERS) return ++left < 10_000;
    let text = "";
    writeJson(value, { indent: "  " }, (piece) => {
      text += piece;
      return text.length < MOST_CHARACTERS;
    });
    characters += text.length;
    outputs.push(text);
    return true;
  };
  // Without an input, a program that needs none still runs.
  for (const value of values.length === 0 && unread === undefined ? [null] : values) {
    try {
      filter.run(value, { emit, budget });
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
      const { start = 0, end = 0 } = error.span ?? {};
      problems.push({ in: "run", severity: "error", message: error.message, start, end });
      break;
    }
  }
  return { problems, outputs, left, ...shown };
}

function inputsOf(text: string): { readonly values: readonly Json[]; readonly problem?: JqProblem } {
  const values: Json[] = [];
  try {
    for (const value of parseInputs(text)) values.push(value);
    return { values };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const problem = { in: "input", severity: "error", message: error.message, start: 0, end: 0 } as const;
    return { values, problem };
  }
}

/** The type of the input as it is written, as a JSON Schema or in TypeScript; else that of the inputs themselves. */
function typeOf(
  written: string,
  values: readonly Json[] | undefined,
): { readonly type: Type; readonly problem?: JqProblem } {
  if (written.trim() === "") {
    if (values === undefined) return { type: types.unknown };
    return { type: values.length === 0 ? types.nullType : seenType(values) };
  }
  const schema = schemaIn(written);
  if (schema !== undefined) return { type: typeOfSchema(schema) };
  try {
    return { type: typeOfTypeScript(written) };
  } catch (error) {
    if (!(error instanceof TypeSyntaxError)) throw error;
    const { message, offset: start } = error;
    return {
      type: types.unknown,
      problem: { in: "type", severity: "error", message, start, end: start + 1 },
    };
  }
}

function schemaIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The program laid out: with its comments, if it has any, else with blanks where they belong too; as it is while it has mistakes. */
export function jqFormat(program: string): string {
  const { program: tree, diagnostics } = parse(program);
  if (diagnostics.length > 0) return program;
  const squeezed = (text: string): string => text.replace(/\s+/g, "");
  const plain = format(tree);
  return format(squeezed(plain) === squeezed(program) ? plain : program);
}

/** What can be written at an offset of the program. */
export function jqChoices({ program, input, type: written }: JqWork, offset: number): JqChoices {
  const { values, problem } = inputsOf(input);
  const { type } = typeOf(written, problem === undefined ? values : undefined);
  const context = completionContext(program, offset, type);
  if (context.kind === "none") return { from: offset, choices: [] };
  const { start: from } = context.replace;
  switch (context.kind) {
    case "member":
    case "object-key":
      return { from, choices: membersOf(context.of) };
    case "variable":
      return {
        from,
        choices: context.names.variables.map(({ name }) => ({ label: name, kind: "variable" })),
      };
    case "label":
      return { from, choices: context.names.labels.map((label) => ({ label, kind: "variable" })) };
    case "format":
      return { from, choices: [] };
    case "continuation":
      return { from, choices: context.forms.map((label) => ({ label, kind: "keyword" })) };
    case "expression": {
      const { functions, builtins } = context.names;
      return {
        from,
        choices: [
          ...context.forms.map((label) => ({ label, kind: "keyword" })),
          ...functions.map(({ name }) => ({ label: name, kind: "function" })),
          ...builtins.map(({ name, parameters, doc }) => ({
            label: name,
            kind: "function",
            detail: parameters.length === 0 ? "" : `(${parameters.join("; ")})`,
            info: doc,
          })),
        ],
      };
    }
  }
}

function membersOf(type: Type): JqChoices["choices"] {
  const parts = type.kind === "union" ? type.members : [type];
  const found = new Map<string, Type>();
  for (const part of parts) {
    if (part.kind !== "object") continue;
    for (const [name, member] of part.members)
      found.set(name, types.union(found.get(name) ?? types.never, member.type));
  }
  return [...found]
    .filter(([name]) => isIdentifier(name))
    .map(([label, member]) => ({ label, kind: "property", detail: layOutType(member, 10_000).slice(0, 60) }));
}
