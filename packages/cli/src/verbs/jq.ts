import { readFileSync } from "node:fs";
import {
  compile,
  HaltError,
  type InputOutput,
  type JqDiagnostic,
  JqError,
  type Json,
  parseInput,
  printExact,
  renderMessage,
} from "@configc/jq";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { linesOf, snippet } from "../formats/snippet.ts";
import { note, print, widthOf } from "../terminal/output.ts";
import { readStdin } from "../terminal/stdin.ts";
import { printerOf } from "./jq-print.ts";
import { JsonStreamError, jsonStream } from "./json-stream.ts";

// The statuses of jq.
const EMPTY = 1;
const BAD_INPUT = 2;
const BAD_PROGRAM = 3;
const NOTHING = 4;
const FAILED = 5;

export async function run(args: Arguments): Promise<number> {
  const { program, files } = await programOf(args);
  const named = await variablesOf(args);
  const variables = { ...named, ARGS: { positional: [], named } };
  const { filter, diagnostics } = compile(program, { variables: Object.keys(variables), exact: true });
  if (filter === undefined) {
    for (const diagnostic of diagnostics) note(mistake(program, diagnostic));
    return BAD_PROGRAM;
  }
  const show = printerOf(args);
  const name = files.length > 0 ? files.join(", ") : "<stdin>";
  const values = await inputsOf(args, files, program);
  let last: Json | undefined;
  let status = 0;
  const io: InputOutput = {
    inputs: { [Symbol.iterator]: () => values },
    debug: (message) => note(printExact(["DEBUG:", message])),
    stderr: (text) => process.stderr.write(text),
    env: environment(),
    filename: files.at(-1) ?? null,
  };
  try {
    for (const input of args.has("null-input") ? [null] : values) {
      try {
        const emit = (value: Json): boolean => {
          last = value;
          print(show(value));
          return true;
        };
        filter.run(input, { bindings: { variables }, io, emit });
      } catch (error) {
        if (!(error instanceof JqError)) throw error;
        if (error instanceof HaltError) {
          process.stderr.write(error.output);
          return error.exitStatus;
        }
        note(failure(error, args.has("null-input") ? "<unknown>" : name));
        status = FAILED;
      }
    }
  } catch (error) {
    if (!(error instanceof JsonStreamError)) throw error;
    note(`configc: ${name}:${error.line}:${error.column}: ${error.message}`);
    return BAD_INPUT;
  }
  if (status !== 0 || !args.has("exit-status")) return status;
  if (last === undefined) return NOTHING;
  return last === null || last === false ? EMPTY : 0;
}

async function programOf(args: Arguments): Promise<{ program: string; files: readonly string[] }> {
  const file = args.value("from-file");
  if (file !== undefined) return { program: await read(file), files: args.operands };
  const [program, ...files] = args.operands;
  if (program === undefined) throw new UsageError("jq needs PROGRAM, or --from-file FILE.", "jq");
  return { program, files };
}

/** The values that the program runs on; one that isn't JSON fails when it's its turn. */
async function inputsOf(
  args: Arguments,
  files: readonly string[],
  program: string,
): Promise<IterableIterator<Json>> {
  // A program that asks for no input shouldn't wait for the end of it.
  if (args.has("null-input") && !/\binputs?\b/.test(program)) return [][Symbol.iterator]();
  const texts = files.length === 0 ? [await read(undefined)] : await Promise.all(files.map(read));
  const text = texts.join(args.has("raw-input") ? "" : "\n");
  const slurps = args.has("slurp");
  if (!args.has("raw-input")) {
    const values = jsonStream(text, parseInput) as IterableIterator<Json>;
    return slurps ? slurped(values) : values;
  }
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return (slurps ? [text] : lines)[Symbol.iterator]();
}

function* slurped(values: Iterable<Json>): Generator<Json> {
  yield [...values];
}

function environment(): Record<string, string> {
  const set = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(set);
}

/** What jq says of a run that failed. */
function failure({ kind, message, value }: JqError, place: string): string {
  const at = `jq: error (at ${place})`;
  return kind === "error" && typeof value !== "string"
    ? `${at} (not a string): ${printExact(value)}`
    : `${at}: ${message}`;
}

async function variablesOf(args: Arguments): Promise<Readonly<Record<string, Json>>> {
  const bound: [string, Json][] = [];
  for (const { name, values } of args.options) {
    const [variable = "", text = ""] = values;
    if (name === "arg") bound.push([variable, text]);
    if (name === "argjson") bound.push([variable, jsonValue(variable, text)]);
    if (name === "rawfile") bound.push([variable, await read(text)]);
    if (name === "slurpfile") bound.push([variable, fileValues(text, await read(text))]);
  }
  return Object.fromEntries(bound);
}

function jsonValue(variable: string, text: string): Json {
  try {
    return parseInput(text);
  } catch {
    throw new UsageError(`The value of --argjson ${variable} isn't JSON: ${text}`, "jq");
  }
}

function fileValues(file: string, text: string): Json {
  try {
    return [...(jsonStream(text, parseInput) as Iterable<Json>)];
  } catch (error) {
    if (!(error instanceof JsonStreamError)) throw error;
    throw new UsageError(`${file}:${error.line}:${error.column}: ${error.message}`, "jq");
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
