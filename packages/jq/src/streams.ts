import { ArrivingJson } from "./evaluate/arriving-json.ts";
import { JqError } from "./evaluate/error.ts";
import type { Filter } from "./evaluate/filter.ts";
import { printExact } from "./evaluate/parse-json.ts";
import type { RunOptions } from "./evaluate/run-options.ts";
import type { Json } from "./json.ts";

/** What a filter that runs on many inputs takes: the options of each run, and what is done with those that fail. */
export interface EachOptions extends RunOptions {
  /** Takes the failure of one input, after its outputs; the next input follows. Without it, the first failure is thrown. */
  readonly onFailure?: (error: JqError, input: Json) => void;
}

/** The outputs of one input; what failed is thrown behind them. */
function* outputsOfOne(filter: Filter, input: Json, { onFailure, ...options }: EachOptions): Generator<Json> {
  let outputs: readonly Json[];
  let failure: JqError | undefined;
  try {
    outputs = filter.all(input, options);
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    outputs = error.outputsSoFar;
    failure = error;
  }
  yield* outputs;
  if (failure === undefined) return;
  if (onFailure === undefined || failure.kind === "halt") throw failure;
  onFailure(failure, input);
}

/**
 * The outputs for each of some inputs, one after the other. An input is taken when the outputs of the one before were.
 * @throws JqError if the program fails for an input and there is no `onFailure`
 */
export function* outputs(filter: Filter, inputs: Iterable<Json>, options: EachOptions = {}): Generator<Json> {
  for (const input of inputs) yield* outputsOfOne(filter, input, options);
}

/**
 * The same for inputs that arrive over time.
 * @throws JqError as `outputs` does; and whatever the inputs throw
 */
export async function* outputsOfArriving(
  filter: Filter,
  inputs: AsyncIterable<Json> | Iterable<Json>,
  options: EachOptions = {},
): AsyncGenerator<Json> {
  for await (const input of inputs) yield* outputsOfOne(filter, input, options);
}

/** What `jsonReader` takes. */
export interface ReaderOptions {
  /** Numbers keep their text, as with `parseExact`: for programs that were compiled with `exact`. */
  readonly exact?: boolean;
}

/**
 * Reads a stream of text or UTF-8 bytes as JSON values, with or without line ends between them (NDJSON), as jq reads its input. Of the text,
 * no more is kept than a token that hasn't ended. The stream fails with a `SyntaxError` that tells line and column.
 */
export function jsonReader({
  exact = false,
}: ReaderOptions = {}): TransformStream<string | Uint8Array, Json> {
  const values = new ArrivingJson({ lenient: true, exact });
  const decoder = new TextDecoder();
  const give = (controller: TransformStreamDefaultController<Json>, found: Iterable<Json>): void => {
    for (const value of found) controller.enqueue(value);
  };
  return new TransformStream({
    transform: (chunk, controller) =>
      give(
        controller,
        values.read(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })),
      ),
    flush(controller) {
      give(controller, values.read(decoder.decode()));
      give(controller, values.end());
    },
  });
}

/** Runs a program on each value of a stream. The stream fails with the `JqError` of the first input that fails, unless there is `onFailure`. */
export function filterStream(filter: Filter, options: EachOptions = {}): TransformStream<Json, Json> {
  return new TransformStream({
    transform(input, controller) {
      for (const output of outputsOfOne(filter, input, options)) controller.enqueue(output);
    },
  });
}

/** Writes each value of a stream as a line of JSON (NDJSON), exact numbers as they were written. */
export function jsonWriter(): TransformStream<Json, string> {
  return new TransformStream({
    transform: (value, controller) => controller.enqueue(`${printExact(value)}\n`),
  });
}
