import type { Json } from "@configc/jq";
import { formatOf } from "../service/leaf.ts";
import type { RequestTemplate } from "../symbolic/command.ts";
import type { Parameter } from "../symbolic/url.ts";
import { atomsOf, isPlaceOf } from "../symbolic/value.ts";
import { nameOf, valueAtoms } from "./places.ts";
import type { RoleOf } from "./protocol.ts";
import { closure, type StateSources, stateKeys } from "./state-sources.ts";

/** Whether the bound moves on from cycle to cycle. */
export function isAdvancing(
  exchange: Pick<RequestTemplate, "parameters">,
  { path, place }: RoleOf["parameter"],
  states: StateSources,
): boolean {
  const parameter = exchange.parameters.find(
    (each) => each.place === place && nameOf(each) === path.join("."),
  );
  if (parameter === undefined) return false;
  const sources = closure(stateKeys(parameter.value), states).filter(({ by }) => by !== "initial_setup");
  return sources.some(({ value }) =>
    atomsOf(value).some((atom) => isPlaceOf(atom, "response") || isPlaceOf(atom, "clock")),
  );
}

/** Whether a page, an offset or a cursor is never put back: the app only ever reads on. */
export function continues(
  roles: readonly RoleOf[],
  exchange: RequestTemplate,
  states: StateSources,
): boolean {
  return roles.some(({ role, parameter }) => {
    if (role.kind !== "offset" && role.kind !== "page" && role.kind !== "after" && role.kind !== "cursor")
      return false;
    const value = exchange.parameters.find((each) => nameOf(each) === parameter.path.join("."))?.value;
    const own =
      value === undefined ? [] : closure(stateKeys(value), states).filter(({ by }) => by !== "initial_setup");
    const resets = own.some(({ value: each }) =>
      valueAtoms(each).some(
        (atom) =>
          atom.kind === "literal" &&
          (atom.value === null ||
            atom.value === "" ||
            ((atom.value === 0 || (atom.value === 1 && role.kind !== "after")) &&
              role.kind !== "cursor" &&
              each.kind !== "made")),
      ),
    );
    return own.length > 0 && !resets && role.kind !== "cursor";
  });
}

export function initialOf(
  parameters: readonly Parameter[],
  roles: readonly RoleOf[],
  states: StateSources,
): Json {
  const from = roles.find(({ role }) => role.kind === "from" || role.kind === "filter");
  const value = parameters.find(
    (each) => from !== undefined && nameOf(each) === from.parameter.path.join("."),
  )?.value;
  if (value === undefined) return null;
  for (const { value: each } of closure(stateKeys(value), states))
    for (const atom of atomsOf(each))
      if (atom.kind === "literal" && formatOf(atom.value) !== undefined) return atom.value;
  return null;
}
