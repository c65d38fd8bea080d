import { ROOT_NAMES } from "@configc/compiler/internal";
import { type Json, parseExact } from "@configc/runtime";
import type { DebugEvent } from "../run/event.ts";
import type { StageStop } from "../stages/evaluate.ts";
import type { Surroundings } from "./expressions.ts";
import type { Roots } from "./roots.ts";

/**
 * What an expression reads at a place: `.` is what the command or the stage takes, `$piped_content` and its like are the roots,
 * `$input`, `$output`, `$contact` and `$mapping` what there is, and the variables of the program.
 *
 * @param masked as people may see values
 */
export function variablesOf(
  roots: Roots,
  event: DebugEvent,
  stop?: StageStop,
  masked: (value: Json) => Json = (value) => value,
  output?: Json,
): Surroundings {
  const input = stop?.value ?? inputOf(event);
  const given = (read: () => Json | undefined) => (): Json | undefined => {
    const value = read();
    return value === undefined ? undefined : masked(value);
  };
  const variables: Record<string, () => Json | undefined> = {};
  for (const root of ROOT_NAMES) variables[root] = given(() => roots.rootAt(event, root));
  variables["input"] = given(() => inputOf(event));
  if (output !== undefined) variables["output"] = given(() => output);
  if (event.run?.context.mapping !== undefined)
    variables["mapping"] = given(() => event.run?.context.mapping);
  if (event.run?.context.contact !== undefined)
    variables["contact"] = given(() => event.run?.context.contact);
  for (const [name, value] of Object.entries(stop?.variables ?? {})) variables[name] = given(() => value);
  return {
    get input() {
      return masked(input);
    },
    variables,
    expand: (expansion) => masked(roots.valueAt(event, expansion)),
  };
}

/** What there is to see at an event: what a command takes or gave, what was sent or answered. */
export function inputOf({ kind, data }: DebugEvent): Json {
  switch (kind) {
    case "step":
    case "part":
      return data.input ?? null;
    case "end":
    case "over":
      return data.output ?? null;
    case "request":
    case "response":
      return bodyOf(data.body);
    default:
      return null;
  }
}

/** A body as the value that it is the text of, or else as the text. */
export function bodyOf(text: string | undefined): Json {
  if (text === undefined) return null;
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}
