import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  type Budget,
  compile,
  HaltError,
  type InputOutput,
  type JqDiagnostic,
  JqError,
  type Json,
  JsonSyntaxError,
  parseInput,
  printExact,
  renderMessage,
} from "@configc/jq";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { linesOf, snippet } from "../formats/snippet.ts";
import { note, noteExactly, widthOf } from "../terminal/output.ts";
import { readStdin } from "../terminal/stdin.ts";
import { failingInputs, inputsOf } from "./jq-input.ts";
import { ModuleFolders, valuesOf } from "./jq-modules.ts";
import { Output } from "./jq-output.ts";
import { debugPrinterOf, printerOf, UnprintableError } from "./jq-print.ts";
import { InputSource } from "./jq-source.ts";

// The statuses of jq.
const EMPTY = 1;
const BAD_PROGRAM = 3;
const NOTHING = 4;
const FAILED = 5;
const UNREADABLE = 2;

/** Whoever runs a program can end it: no program is too long here, as none is for jq. */
const budget: Budget = {
  steps: Number.POSITIVE_INFINITY,
  memory: Number.POSITIVE_INFINITY,
  size: Number.POSITIVE_INFINITY,
};

export async function run(args: Arguments): Promise<number> {
  const { program, files, positional } = await programOf(args);
  const named = await variablesOf(args);
  const variables = { ...named, ARGS: { positional, named } };
  const modules = new ModuleFolders(args.values("library-path"), programFolder(args));
  const { filter, diagnostics } = compile(program, {
    variables: Object.keys(variables),
    exact: true,
    modules: modules.find,
  });
  if (filter === undefined) {
    for (const diagnostic of diagnostics) note(mistake(program, diagnostic));
    return BAD_PROGRAM;
  }
  const show = printerOf(args);
  const showDebug = debugPrinterOf(args);
  const output = new Output(args.has("unbuffered") || process.stdout.isTTY === true);
  const readable = files.filter(isReadable);
  const source = sourceOf(args, files.length === 0 ? [undefined] : readable, output.flush);
  const values = inputsOf(args, source);
  let last: Json | undefined;
  let status = 0;
  let isRead = true;
  const io: InputOutput = {
    inputs: { [Symbol.iterator]: () => failingInputs(values) },
    debug: (message) => note(showDebug(["DEBUG:", message])),
    stderr: noteExactly,
    searchList: modules.folders,
    env: environment(),
    get filename() {
      return source.place()?.name ?? null;
    },
    get lineNumber() {
      return source.place()?.line ?? 0;
    },
  };
  try {
    for (const input of args.has("null-input") ? [null] : values) {
      // As in jq, the status is that of the last run.
      status = 0;
      try {
        const emit = (value: Json): boolean => {
          last = value;
          isRead = show(value, output.write);
          return isRead;
        };
        filter.run(input, { bindings: { variables }, budget, io, emit });
        if (!isRead) break;
      } catch (error) {
        if (!(error instanceof JqError) && !(error instanceof UnprintableError)) throw error;
        output.flush();
        if (error instanceof HaltError) {
          noteExactly(error.output);
          return error.exitStatus;
        }
        note(failure(error, source));
        status = FAILED;
      }
    }
  } catch (error) {
    output.flush();
    if (!(error instanceof JsonSyntaxError)) throw error;
    note(`jq: parse error: ${error.message}`);
    return FAILED;
  }
  output.flush();
  if (readable.length < files.length) return UNREADABLE;
  if (status !== 0 || !args.has("exit-status")) return status;
  if (last === undefined) return NOTHING;
  return last === null || last === false ? EMPTY : 0;
}

async function programOf(args: Arguments): Promise<{
  readonly program: string;
  readonly files: readonly string[];
  readonly positional: readonly Json[];
}> {
  const file = args.value("from-file");
  const [first] = args.operands;
  if (file === undefined && first === undefined) {
    throw new UsageError("jq needs PROGRAM, or --from-file FILE.", "jq");
  }
  const files: string[] = [];
  const positional: Json[] = [];
  for (const [at, operand] of args.operands.entries()) {
    if (at === 0 && file === undefined) continue;
    // The last of these options that stands before it says what an operand is.
    const kind = args.options.findLast(
      ({ name, after }) => after <= at && (name === "args" || name === "jsonargs"),
    );
    if (kind === undefined) files.push(operand);
    else positional.push(kind.name === "args" ? operand : jsonValue("--jsonargs", operand));
  }
  return { program: file === undefined ? first! : await read(file), files, positional };
}

/** What the program's own imports are relative to. */
function programFolder(args: Arguments): string {
  const file = args.value("from-file");
  return file === undefined || file === "-" ? "." : dirname(file);
}

/** As in jq, a file that can't be read is told, and the others are read. */
function isReadable(file: string): boolean {
  if (file === "-") return true;
  try {
    const descriptor = openSync(file, "r");
    const isFolder = fstatSync(descriptor).isDirectory();
    closeSync(descriptor);
    if (isFolder) note(`configc: ${file} can't be read: it is a folder.`);
    return !isFolder;
  } catch (error) {
    note(`configc: ${file} can't be read: ${reasonOf(error)}.`);
    return false;
  }
}

/**
 * @param files undefined is standard input
 * @param beforeReading is called before each wait for more
 */
function sourceOf(
  args: Arguments,
  files: readonly (string | undefined)[],
  beforeReading: () => void,
): InputSource {
  return new InputSource(files, args.has("raw-input") ? "" : "\n", beforeReading);
}

function environment(): Record<string, string> {
  const set = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(set);
}

/** What jq says of a run that failed. */
function failure(error: JqError | UnprintableError, source: InputSource): string {
  const place = source.place();
  const at = `jq: error (at ${place === undefined ? "<unknown>" : `${place.name ?? "<stdin>"}:${place.line}`})`;
  return error instanceof JqError && error.kind === "error" && typeof error.value !== "string"
    ? `${at} (not a string): ${printExact(error.value)}`
    : `${at}: ${error.message}`;
}

async function variablesOf(args: Arguments): Promise<Readonly<Record<string, Json>>> {
  const bound: [string, Json][] = [];
  for (const { name, values } of args.options) {
    const [variable = "", text = ""] = values;
    if (name === "arg") bound.push([variable, text]);
    if (name === "argjson") bound.push([variable, jsonValue(`--argjson ${variable}`, text)]);
    if (name === "rawfile") bound.push([variable, await read(text)]);
    if (name === "slurpfile") bound.push([variable, valuesOf(text, await read(text))]);
  }
  // As in jq, the first of several for one name counts.
  return Object.fromEntries(
    bound.filter(([name], at) => bound.findIndex(([other]) => other === name) === at),
  );
}

function jsonValue(option: string, text: string): Json {
  try {
    return parseInput(text);
  } catch {
    throw new UsageError(`The value of ${option} isn't JSON: ${text}`, "jq");
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
