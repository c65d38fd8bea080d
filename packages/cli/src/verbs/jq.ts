import { readFileSync } from "node:fs";
import { compile, type Filter, type JqDiagnostic, JqError, type Json, renderMessage } from "@configc/jq";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { linesOf, snippet } from "../formats/snippet.ts";
import { note, print, widthOf } from "../terminal/output.ts";
import { readStdin } from "../terminal/stdin.ts";
import { JsonStreamError, jsonStream } from "./json-stream.ts";

// The statuses of jq.
const BAD_INPUT = 2;
const BAD_PROGRAM = 3;
const FAILED = 5;

export async function run(args: Arguments): Promise<number> {
  const [program = "", file] = args.operands;
  const variables = variablesOf(args);
  const { filter, diagnostics } = compile(program, { variables: Object.keys(variables) });
  if (filter === undefined) {
    for (const diagnostic of diagnostics) note(mistake(program, diagnostic));
    return BAD_PROGRAM;
  }
  const text = args.has("null-input") ? "null" : await read(file);
  const show = (value: Json): string =>
    args.has("raw-output") && typeof value === "string"
      ? value
      : JSON.stringify(value, undefined, args.has("compact-output") ? undefined : 2);
  let status = 0;
  try {
    const inputs = jsonStream(text) as Iterable<Json>;
    for (const input of args.has("slurp") && !args.has("null-input") ? [[...inputs]] : inputs) {
      if (!runOn(filter, input, variables, show)) status = FAILED;
    }
  } catch (error) {
    if (!(error instanceof JsonStreamError)) throw error;
    note(`configc: ${file ?? "<stdin>"}:${error.line}:${error.column}: ${error.message}`);
    return BAD_INPUT;
  }
  return status;
}

/** Prints each output as it comes. @returns whether the run succeeded */
function runOn(
  filter: Filter,
  input: Json,
  variables: Readonly<Record<string, Json>>,
  show: (value: Json) => string,
): boolean {
  try {
    filter.run(input, {
      bindings: { variables },
      emit: (value) => {
        print(`${show(value)}\n`);
        return true;
      },
    });
    return true;
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    note(`configc: ${error.message}`);
    return false;
  }
}

function variablesOf(args: Arguments): Readonly<Record<string, Json>> {
  const bound: [string, Json][] = [];
  for (const { name, values } of args.options) {
    const [variable = "", text = ""] = values;
    if (name === "arg") bound.push([variable, text]);
    if (name === "argjson") bound.push([variable, jsonValue(variable, text)]);
  }
  return Object.fromEntries(bound);
}

function jsonValue(variable: string, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new UsageError(`The value of --argjson ${variable} isn't JSON: ${text}`, "jq");
  }
}

async function read(file: string | undefined): Promise<string> {
  try {
    return (file === undefined || file === "-" ? await readStdin() : readFileSync(file)).toString("utf8");
  } catch (error) {
    throw new UsageError(`${file ?? "Standard input"} can't be read: ${reasonOf(error)}.`);
  }
}

function mistake(program: string, diagnostic: JqDiagnostic): string {
  const marks = [{ start: diagnostic.start, end: diagnostic.end, primary: true }];
  const lines = snippet(linesOf(program), marks, widthOf(process.stderr) - 4).map((line) => {
    if (line.kind === "source") return `    ${line.text}`;
    return line.kind === "marks" ? `    ${" ".repeat(line.indentation)}${line.carets}` : "";
  });
  return [`configc: ${renderMessage(diagnostic)}`, ...lines].join("\n");
}
