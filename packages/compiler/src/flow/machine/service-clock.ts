import type { Command, IntakeSymbol } from "../../bind/bound-nodes.ts";
import { isoDate } from "./builtins/times.ts";
import { NOW } from "./evaluate.ts";
import { stateAfter, worldOf } from "./intake-world.ts";
import { record, run } from "./run.ts";
import { memberOf, resolved, UNKNOWN, type Value } from "./value.ts";

/** A member by which a service says what time it is: `now`, `server_time`, `epochMillis`. */
const clock = /now|time|clock|epoch|millis|utc|(?:^|_)(?:ts|date|at)$/i;

/** How a service may write a time. */
const forms: readonly (string | number)[] = [NOW, NOW * 1_000, isoDate(NOW)];

/**
 * How many seconds before the time on a service's clock a command sets a key of the state, for each form in which the service may write
 * that time; none where the key is no such time.
 */
export function secondsBehindService(intake: IntakeSymbol, name: string, key: string): readonly number[] {
  const command = intake.commands.get(name);
  if (command === undefined || command.key !== "!pipe") return [];
  return forms.flatMap((form) => {
    const begun = afterCommand(intake.commands.get("initial_setup"), record({}), form);
    const time = secondsOf(resolved(memberOf(afterCommand(command, begun, form), key)), form);
    return time === undefined ? [] : [NOW - time];
  });
}

function afterCommand(command: Command | undefined, before: Value, form: string | number): Value {
  if (command === undefined) return before;
  const answer = { resolve: (path: readonly string[]) => (clock.test(path.at(-1) ?? "") ? form : UNKNOWN) };
  const effect = ({ key }: Command): Value =>
    key === "!http" ? { kind: "part", path: [], source: answer } : UNKNOWN;
  return stateAfter(run(command, worldOf(before, NOW, effect)), before);
}

/** A time in seconds, where it is written in the same form. */
function secondsOf(value: Value, form: string | number): number | undefined {
  if (typeof value === "string") {
    const seconds = typeof form === "string" ? Date.parse(value) / 1_000 : Number.NaN;
    return Number.isNaN(seconds) ? undefined : seconds;
  }
  if (typeof value !== "number" || typeof form !== "number") return undefined;
  return form > 1e11 ? value / 1_000 : value;
}
