import type { AppCommand } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "../errors.ts";
import { isObject, ownMember, parseCost, parseJson, setOwn } from "../json.ts";
import { takeRoom } from "../memory/memory.ts";
import type { Step } from "../step.ts";
import { literalOf, membersOf } from "./argument.ts";
import { failingStep } from "./failing-step.ts";

/** D26: an object of the named members; with `to_json` each text is parsed as JSON. What isn't there is left out. */
export function makeExtract(command: AppCommand): Step {
  const members = membersOf(command.argument);
  const listed = literalOf(members.get("item_keys"));
  if (!Array.isArray(listed)) return failingStep(command, "`item_keys` isn't a list");
  const keys = listed.filter((key): key is string => typeof key === "string");
  const parse = literalOf(members.get("to_json")) === true;
  return async (input, frame) => {
    if (!isObject(input)) throw new RunError("DataError", "!extract takes an object.", command);
    const taken: Record<string, Json> = {};
    for (const key of keys) {
      const value = ownMember(input, key);
      if (value === undefined) continue;
      if (!parse || typeof value !== "string") setOwn(taken, key, value);
      else {
        await takeRoom(frame.room, parseCost(value), `\`${key}\``, frame.signal, command);
        setOwn(taken, key, parseMember(value, key, command));
      }
    }
    return taken;
  };
}

function parseMember(text: string, key: string, command: AppCommand): Json {
  try {
    return parseJson(text);
  } catch {
    throw new RunError(
      "DataError",
      `\`${key}\` isn't JSON text, so !extract can't parse it (\`to_json\`).`,
      command,
    );
  }
}
