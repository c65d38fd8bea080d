import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { alarmsOf, configsIn } from "../right/alarms.ts";

/* All configs of this repository that are right: `npm run test:long`. */

const examples = readdirSync(new URL("../../../../examples", import.meta.url))
  .filter((name) => !name.includes(".") && name !== "broken")
  .map((name) => `examples/${name}`);
const all = [
  "packages/simulate/test/right",
  "test/meaning/configs",
  "test/blind/first/configs",
  "test/blind/second/configs",
  ...examples,
  "packages/cli/templates",
].flatMap(configsIn);

/** Right configs of which the simulation takes the service for another one, with the laws that it then says are broken. */
const misread = new Map<string, readonly string[]>([
  // A queue whose list has what isn't acknowledged yet.
  ["test/meaning/configs/acknowledged-orders.app.json", ["everything-arrives"]],
  // The next page is a link among others in a list, by its relation.
  ["test/meaning/configs/bundled-patients.app.json", ["everything-arrives", "right-record", "runs-succeed"]],
  // Numbers that the service gives out in their order, and never late.
  ["test/meaning/configs/faulting-ledger.app.json", ["everything-arrives"]],
  // Pages by an offset in brackets, taken for a page's number.
  ["test/meaning/configs/included-bookings.app.json", ["everything-arrives"]],
]);

test.each(all)(
  "no alarm: %s",
  async (path) => {
    const alarms = await alarmsOf(path, 20, 7);
    const known = misread.get(path);
    if (known === undefined) expect(alarms).toEqual([]);
    else expect([...new Set(alarms.map((alarm) => alarm.split(":")[0]))].sort()).toEqual(known);
  },
  120_000,
);
