import { ackNames, hasWord } from "../service/names.ts";
import type { CommandWalk, RequestTemplate } from "../symbolic/command.ts";
import { type Atom, atomsOf, isPlaceOf, type Value } from "../symbolic/value.ts";
import { cleaned, type Found, isBelow } from "./places.ts";
import { flow, type StateSources, stateKeys } from "./state-sources.ts";

/**
 * Requests that tell a service which records of its list were read: a write of the intake that has members of them, or one of the pipeline
 * that is called so, or removes them.
 *
 * @param list.ofIntake the first so many exchanges are the intake's
 */
export function acknowledgingOf(
  walk: CommandWalk,
  states: StateSources,
  list: Found & { readonly ofIntake: number },
): readonly RequestTemplate[] {
  return walk.exchanges.filter((exchange, index) => {
    if (index === list.exchange || exchange.method === "GET") return false;
    if (index >= list.ofIntake && !isAcknowledgement(exchange)) return false;
    return [...exchange.url, ...exchange.parameters.map(({ value }) => value)].some((value) =>
      atomsBehind(value, states).some(
        (atom) =>
          isPlaceOf(atom, "response") &&
          atom.root.exchange === list.exchange &&
          isBelow(cleaned(atom.path), [...list.path, "[]"]),
      ),
    );
  });
}

function isAcknowledgement({ method, url }: RequestTemplate): boolean {
  return (
    method === "DELETE" ||
    url.some((part) => part.kind === "literal" && hasWord(String(part.value), ackNames))
  );
}

/** What a value is made of, over the state too. */
function atomsBehind(value: Value, states: StateSources): readonly Atom[] {
  return [...atomsOf(value), ...flow(stateKeys(value), states).flatMap((source) => atomsOf(source.value))];
}
