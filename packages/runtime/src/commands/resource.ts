import type { AppCommand } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import type { Platform } from "../effects.ts";
import { abortError, RunError } from "../errors.ts";
import { isObject, ownMember } from "../json.ts";
import { holdText } from "../memory/hold-text.ts";
import type { Frame, Step } from "../step.ts";
import { compileValue } from "../template.ts";
import { literalOf, literalText, membersOf } from "./argument.ts";
import { failingStep } from "./failing-step.ts";
import { textOfError } from "./save.ts";

/** D25: `Resource` as source or target, `Resource.fields`, and `{action: "Resource.sync", data}`. */
export function makeResource(command: AppCommand): Step {
  const written = literalOf(command.argument);
  const action = literalText(command, "action");
  if (typeof written === "string") {
    const [name, part] = split(written);
    if (part === undefined) return wholeResource(name, command);
    if (part === "fields")
      return (_input, frame) => platform(command, frame, (effect) => effect.fields(name, frame.signal));
    return syncResource(name, part, (input) => input, command);
  }
  if (action === undefined) return failingStep(command, "it names no resource");
  const [name, part] = split(action);
  const data = membersOf(command.argument).get("data");
  const value = data === undefined ? undefined : compileValue(data, command);
  return syncResource(
    name,
    part ?? "sync",
    (input, frame) => (value === undefined ? input : value(frame)),
    command,
  );
}

function split(text: string): [name: string, part: string | undefined] {
  const dot = text.indexOf(".");
  return dot < 0 ? [text, undefined] : [text.slice(0, dot), text.slice(dot + 1)];
}

function syncResource(
  name: string,
  action: string,
  dataOf: (input: Json, frame: Frame) => Json,
  command: AppCommand,
): Step {
  return (input, frame) => {
    const data = dataOf(input, frame);
    const key = writeKey(frame);
    return writing(data, command, frame, (effect) => effect.sync(name, action, data, frame.signal, key));
  };
}

/** The item's key for the first write of its target; any other is another write, so it has a key of its own. */
function writeKey({ idempotencyKey: item, usage, place }: Frame): string | undefined {
  const nth = ++usage.writes;
  if (item === undefined) return undefined;
  return [item, ...(place === "target" ? [] : [place]), ...(nth === 1 ? [] : [nth])].join("/");
}

/** What a resource by itself means depends on the side of the pipeline. */
function wholeResource(name: string, command: AppCommand): Step {
  const isContact = name.endsWith("Contact");
  return (input, frame) => {
    switch (frame.place) {
      case "source":
        return processed(name, isContact, frame, command);
      case "target": {
        const item = writable(name, isContact, input, command);
        const key = writeKey(frame);
        const { signal } = frame;
        const options = key === undefined ? { signal } : { key, signal };
        return writing(item, command, frame, (effect) => effect.upsert(name, item, options));
      }
      default:
        throw new RunError(
          "DataError",
          `\`${name}\` by itself is the ${isContact ? "contact" : "item"} of a pipeline; here there is none. Did you mean \`${name}.fields\`?`,
          command,
        );
    }
  };
}

function processed(name: string, isContact: boolean, { context }: Frame, command: AppCommand): Json {
  if (isContact && context.contact !== undefined) return context.contact;
  const why = isContact ? ": the run has no `contact` in its context" : "";
  throw new RunError("DataError", `No \`${name}\` is being processed${why}.`, command);
}

/** An item that can be written; without its key nothing is. */
function writable(name: string, isContact: boolean, input: Json, command: AppCommand): JsonObject {
  if (!isObject(input))
    throw new RunError("DataError", `\`${name}\` takes an object of its fields.`, command);
  const email = ownMember(input, "email");
  if (isContact && (typeof email !== "string" || email.trim() === ""))
    throw new RunError(
      "DataError",
      `The contact has no \`email\`, by which \`${name}\` is found: nothing was written. Map a field to \`email\`.`,
      command,
    );
  return input;
}

/** Calls the platform with a value, for whose text there is room. */
function writing(
  data: Json,
  command: AppCommand,
  frame: Frame,
  call: (platform: Platform) => Promise<Json>,
): Promise<Json> {
  const waiting = holdText(frame, data, "What is written", command);
  if (waiting === undefined) return platform(command, frame, call);
  return waiting.then(() => platform(command, frame, call));
}

/** Calls the platform; its failures are named as such. */
async function platform(
  command: AppCommand,
  frame: Frame,
  call: (platform: Platform) => Promise<Json>,
): Promise<Json> {
  try {
    return await call(frame.effects.platform);
  } catch (cause) {
    if (frame.signal.aborted) throw abortError(frame.signal, command);
    const kind = cause instanceof RunError ? cause.kind : "PlatformError";
    throw new RunError(kind, `The platform failed: ${textOfError(cause)}`, command, { cause });
  }
}
