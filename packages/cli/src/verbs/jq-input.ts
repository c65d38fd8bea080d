import { JqError, type Json, JsonSyntaxError, parseEvents, parseInputs } from "@configc/jq";
import type { Arguments } from "../command-line/arguments.ts";
import { note } from "../terminal/output.ts";
import type { InputText } from "./jq-text.ts";

/**
 * The values that a program runs on, read from all files as the options say; one that isn't JSON fails when it's its turn.
 *
 * @param text knows after each how far it was read
 */
export function* inputsOf(args: Arguments, text: InputText): Generator<Json> {
  const values = args.has("raw-input") ? rawInputs(args, text) : jsonInputs(args, text);
  yield* values;
  text.reach(text.text.length);
}

function* rawInputs(args: Arguments, text: InputText): Generator<Json> {
  if (args.has("slurp")) {
    text.reach(text.text.length);
    return yield text.text;
  }
  for (let start = 0; start < text.text.length; ) {
    const end = text.text.indexOf("\n", start);
    const line = text.text.slice(start, end === -1 ? undefined : end);
    text.reach(start + line.length);
    yield line;
    start += line.length + 1;
  }
}

function* jsonInputs(args: Arguments, text: InputText): Generator<Json> {
  const values = args.has("seq") ? records(args, text) : valuesOf(args, text.text, (at) => text.reach(at));
  if (!args.has("slurp")) return yield* values;
  const all = [...values];
  text.reach(text.text.length);
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

function valuesOf(args: Arguments, text: string, reached: (offset: number) => void): Generator<Json> {
  const withErrors = args.has("stream-errors");
  return withErrors || args.has("stream")
    ? parseEvents(text, withErrors, reached)
    : parseInputs(text, reached);
}

/** A number at the end of a record with nothing after it: more digits may have been cut off. */
const cutNumber = /(?:^|\s)[-+.\w]+$/;

/** Records that each begin with a separator (RFC 7464). One that was cut off is told and passed over. */
function* records(args: Arguments, text: InputText): Generator<Json> {
  const [before, ...texts] = text.text.split("\x1e");
  if (texts.length === 0 && before!.trim() !== "")
    note("jq: ignoring parse error: Unfinished abandoned text");
  let start = before!.length + 1;
  for (const record of texts) {
    const cut = cutNumber.exec(record);
    const from = start;
    start += record.length + 1;
    try {
      yield* valuesOf(args, cut === null ? record : record.slice(0, cut.index), (at) =>
        text.reach(from + at),
      );
      if (cut !== null) throw new JsonSyntaxError("Potentially truncated top-level numeric value");
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      note(`jq: ignoring parse error: ${error.message}`);
    }
  }
}
