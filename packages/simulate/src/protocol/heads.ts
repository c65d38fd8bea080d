import { isTimeName } from "../service/leaf.ts";
import { changeNames, countNames, creationNames, cursorNames, hasWord, pageNames } from "../service/names.ts";
import type { Parameter } from "../symbolic/url.ts";
import { isPlaceOf } from "../symbolic/value.ts";
import { type Context, cleaned, isBelow, nameOf, valueAtoms } from "./places.ts";
import type { Head, RoleOf } from "./protocol.ts";
import { flow, type StateSources, stateKeys } from "./state-sources.ts";

/** What says where the next page is goes into parameters as well. */
const notTimes: ReadonlySet<string> = new Set([...cursorNames, ...pageNames, ...countNames]);

/** Members of other answers from which the app reads on: the number of rows, the newest id, a token for what changes from now on. */
export function headsOf(
  parameters: readonly Parameter[],
  roles: readonly RoleOf[],
  states: StateSources,
  { exchange: list, path: records, walk }: Context,
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
      if (at.length === 0 || at.includes("[]")) return [];
      // When an account was made, its list was empty.
      if (hasWord(at.at(-1)!, creationNames)) return [];
      // Beside the records, a time is that of the answer: `server_time`. What becomes a bound as it is can be nothing else.
      const { uses } = walk.demands.at(root, path);
      const isPlain = !uses.has("condition") && !uses.has("nullable") && !hasWord(at.at(-1)!, notTimes);
      const isBeside =
        isTime &&
        !isBelow(at, records) &&
        (isTimeName(at.at(-1)!) || isPlain) &&
        !hasWord(at.at(-1)!, changeNames);
      if (root.exchange === list && !isBeside) return [];
      return [{ exchange: walk.exchanges[root.exchange]!, path: at, role }];
    });
  });
}
