import { compile, JqError, type Json } from "@configc/jq";
import type { Trial, Tried } from "./program-messages.ts";

/** Runs one program at a time; who started it ends it when it takes too long. */

/** More outputs than that nobody reads; a step gives the first one anyway. */
const MOST_OUTPUTS = 100;
/** Characters of all that is shown. */
const MOST_TEXT = 200_000;
const budget = { steps: 50_000_000, milliseconds: 2_000, memory: 100_000_000 };

self.addEventListener("message", ({ data }: MessageEvent<Trial>) => self.postMessage(tryOut(data)));

function tryOut({ text, holes, input, isResponse, context }: Trial): Tried {
  const started = performance.now();
  const outputs: string[] = [];
  let count = 0;
  let room = MOST_TEXT;
  let failure: Tried["failure"];
  try {
    const values = holes.map((hole) => expansionValue(hole, context));
    const { filter, diagnostics } = compile(text, { holes, exact: true });
    if (filter === undefined) {
      const at = diagnostics[0]?.start;
      failure = { message: "The program has a mistake.", ...(at === undefined ? {} : { at }) };
    }
    filter?.run(isResponse ? withHiddenBody(input) : input, {
      bindings: { holes: values },
      budget,
      emit: (output) => {
        count++;
        const json = JSON.stringify(output, undefined, 2) ?? "null";
        outputs.push(
          json.length <= room ? json : `${json.slice(0, room)}\n… ${json.length - room} more characters`,
        );
        room = Math.max(0, room - json.length);
        return count < MOST_OUTPUTS && room > 0;
      },
    });
  } catch (error) {
    failure = {
      message: error instanceof Error ? error.message : String(error),
      ...(error instanceof JqError && error.span !== undefined ? { at: error.span.start } : {}),
    };
  }
  const isAll = count < MOST_OUTPUTS && room > 0;
  const milliseconds = performance.now() - started;
  return { outputs, count, isAll, milliseconds, ...(failure === undefined ? {} : { failure }) };
}

/** D6, D9: a segment of digits indexes an array; what is missing has no value unless there is a default. */
function expansionValue(
  { path, default: fallback }: Trial["holes"][number],
  context: Trial["context"],
): Json {
  let value: Json | undefined = context as Json;
  for (const [depth, name] of path.entries()) {
    if (Array.isArray(value)) value = value[Number(name)];
    else if (typeof value === "object" && value !== null && Object.hasOwn(value, name))
      value = (value as Record<string, Json>)[name];
    // D20: the whole of a response.
    else if (name !== "body" || path[0] !== "piped_content" || depth !== 2) value = undefined;
    if (value === undefined) break;
  }
  if (value !== undefined) return value;
  if (fallback !== undefined) return fallback;
  throw new Error(`There is no value for \${${path.join(".")}} here.`);
}

/** D20: an object has a hidden `body`, which is the whole of it. */
function withHiddenBody(input: Json): Json {
  if (typeof input !== "object" || input === null || Array.isArray(input) || Object.hasOwn(input, "body"))
    return input;
  return Object.defineProperty({ ...input }, "body", { value: input, enumerable: false });
}
