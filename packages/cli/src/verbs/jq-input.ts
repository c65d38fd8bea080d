import v8 from "node:v8";
import { JqError, type Json, JsonSyntaxError, parseEvents, parseInputs, type Source } from "@configc/jq";
import type { Arguments } from "../command-line/arguments.ts";
import { note } from "../terminal/output.ts";
import type { InputSource } from "./jq-source.ts";

/** Values of an input after which more are to be expected. */
const MANY = 100;

/**
 * Of many values each is needed for a short time, so a small space for what is new is enough, and a third of the process's
 * memory less. A single large value that is kept would be copied more often.
 */
function expectShortLives(): void {
  v8.setFlagsFromString("--semi-space-growth-factor=1");
}

/**
 * The values that a program runs on, read from all files as the options say, when they are needed; one that isn't JSON fails
 * when it's its turn.
 *
 * @param source knows after each how far it was read
 */
export function* inputsOf(args: Arguments, source: InputSource): Generator<Json> {
  const values = args.has("raw-input") ? rawInputs(args, source) : jsonInputs(args, source);
  let count = 0;
  for (const value of values) {
    yield value;
    if (++count === MANY) expectShortLives();
  }
  source.reachEnd();
}

function* rawInputs(args: Arguments, source: InputSource): Generator<Json> {
  if (args.has("slurp")) {
    const text = source.rest();
    source.reachEnd();
    return yield text;
  }
  let start = 0;
  let line = "";
  for (let text = source.next(); text !== undefined; text = source.next()) {
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      line += text.slice(from, end);
      source.reach(start + end);
      yield line;
      line = "";
      from = end + 1;
    }
    line += text.slice(from);
    start += text.length;
  }
  if (line === "") return;
  source.reachEnd();
  yield line;
}

function* jsonInputs(args: Arguments, source: InputSource): Generator<Json> {
  const next = (): string | undefined => source.next();
  const values = args.has("seq") ? records(args, source) : valuesOf(args, next, (at) => source.reach(at));
  if (!args.has("slurp")) return yield* values;
  const all = [...values];
  source.reachEnd();
  yield all;
}

/** What `input` and `inputs` read: for them a text that isn't JSON is a failure of the program. */
export function* failingInputs(values: Iterator<Json>): Generator<Json> {
  for (;;) {
    try {
      const { done, value } = values.next();
      if (done === true) return;
      yield value as Json;
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      throw new JqError("error", error.message, error.message, undefined);
    }
  }
}

function valuesOf(args: Arguments, text: Source, reached: (offset: number) => void): Generator<Json> {
  const withErrors = args.has("stream-errors");
  return withErrors || args.has("stream")
    ? parseEvents(text, withErrors, reached)
    : parseInputs(text, reached);
}

/** A number at the end of a record with nothing after it: more digits may have been cut off. */
const cutNumber = /(?:^|\s)[-+.\w]+$/;

/** Records that each begin with a separator (RFC 7464). One that was cut off is told and passed over. */
function* records(args: Arguments, source: InputSource): Generator<Json> {
  const [before, ...texts] = source.rest().split("\x1e");
  if (texts.length === 0 && before!.trim() !== "") {
    const lines = before!.split("\n");
    const place = `line ${lines.length}, column ${Buffer.byteLength(lines.at(-1)!)}`;
    note(`jq: ignoring parse error: Unfinished abandoned text at EOF at ${place}`);
  }
  let start = before!.length + 1;
  for (const record of texts) {
    const cut = cutNumber.exec(record);
    const from = start;
    start += record.length + 1;
    try {
      yield* valuesOf(args, cut === null ? record : record.slice(0, cut.index), (at) =>
        source.reach(from + at),
      );
      if (cut !== null) throw new JsonSyntaxError("Potentially truncated top-level numeric value");
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      note(`jq: ignoring parse error: ${error.message}`);
    }
  }
}
