import { creationNames, hasWord } from "../service/names.ts";
import type { Parameter } from "../symbolic/url.ts";
import { isPlaceOf } from "../symbolic/value.ts";
import { type Context, cleaned, nameOf, valueAtoms } from "./places.ts";
import type { Head, RoleOf } from "./protocol.ts";
import { flow, type StateSources, stateKeys } from "./state-sources.ts";

/** Members of other answers from which the app reads on: the number of rows, the newest id, a token for what changes from now on. */
export function headsOf(
  parameters: readonly Parameter[],
  roles: readonly RoleOf[],
  states: StateSources,
  { exchange: list, walk }: Context,
): readonly Head[] {
  return roles.flatMap(({ parameter, role }) => {
    const isTime = "field" in role && role.field.isTime;
    if (!isTime && role.kind !== "from" && role.kind !== "after" && role.kind !== "cursor") return [];
    const value = parameters.find((each) => nameOf(each) === parameter.path.join("."))?.value;
    const responses = flow(value === undefined ? [] : stateKeys(value), states)
      .flatMap(({ value: each }) => valueAtoms(each))
      .filter((atom) => isPlaceOf(atom, "response"));
    // What the list itself doesn't move on isn't a place in it: a session, an account. A time is that of the service's clock.
    if (!isTime && !responses.some(({ root }) => root.exchange === list)) return [];
    return responses.flatMap(({ root, path }) => {
      const at = cleaned(path);
      const isElsewhere = root.exchange === list || at.length === 0 || at.includes("[]");
      // When an account was made, its list was empty.
      if (isElsewhere || hasWord(at.at(-1)!, creationNames)) return [];
      return [{ exchange: walk.exchanges[root.exchange]!, path: at, role }];
    });
  });
}
