import { JqError, type Json, JsonSyntaxError, parseEvents, parseInputs } from "@configc/jq";
import type { Arguments } from "../command-line/arguments.ts";
import { note } from "../terminal/output.ts";

/**
 * The values that a program runs on, read from the text of all files as the options say; one that isn't JSON fails when
 * it's its turn.
 */
export function inputsOf(args: Arguments, text: string): IterableIterator<Json> {
  const slurps = args.has("slurp");
  if (args.has("raw-input")) {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    return (slurps ? [text] : lines)[Symbol.iterator]();
  }
  const values = args.has("seq") ? records(args, text) : valuesOf(args, text);
  return slurps ? slurped(values) : values;
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

function valuesOf(args: Arguments, text: string): Generator<Json> {
  const withErrors = args.has("stream-errors");
  return withErrors || args.has("stream") ? parseEvents(text, withErrors) : parseInputs(text);
}

function* slurped(values: Iterable<Json>): Generator<Json> {
  yield [...values];
}

/** A number at the end of a record with nothing after it: more digits may have been cut off. */
const cutNumber = /(?:^|\s)[-+.\w]+$/;

/** Records that each begin with a separator (RFC 7464). One that was cut off is told and passed over. */
function* records(args: Arguments, text: string): Generator<Json> {
  const [before, ...texts] = text.split("\x1e");
  if (texts.length === 0 && before!.trim() !== "")
    note("jq: ignoring parse error: Unfinished abandoned text");
  for (const record of texts) {
    const cut = cutNumber.exec(record);
    try {
      yield* valuesOf(args, cut === null ? record : record.slice(0, cut.index));
      if (cut !== null) throw new JsonSyntaxError("Potentially truncated top-level numeric value");
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      note(`jq: ignoring parse error: ${error.message}`);
    }
  }
}
