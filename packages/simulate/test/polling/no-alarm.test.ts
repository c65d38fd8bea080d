import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { share } from "../../../../test/support/cases.ts";
import { alarmsOf, configsIn } from "../right/alarms.ts";

/*
 * All configs of this repository that are right. Those in `right/` were written from the specification before it was tried how a service is
 * derived from them; what it has to be like for them to be right stands in the world file beside each (E125, E126).
 *
 * `SIMULATE_SEEDS=40 npm run test:long -- no-alarm` tries more worlds of each.
 */

const seeds = Number(process.env["SIMULATE_SEEDS"] ?? 4);

const examples = readdirSync(new URL("../../../../examples", import.meta.url))
  .filter((name) => !name.includes(".") && name !== "broken")
  .map((name) => `examples/${name}`);
const all = [
  "packages/simulate/test/right",
  "test/right/configs",
  "test/meaning/configs",
  "test/blind/first/configs",
  "test/blind/second/configs",
  ...examples,
  "packages/cli/templates",
].flatMap(configsIn);

/** Right configs that are accused by a law all the same (“False alarms” in docs/status.md). */
const accused: Readonly<Record<string, string>> = {
  // One request a device, of which a world may have over a hundred.
  "test/right/configs/rastro-sensores.app.json": "quiet-cycles-end",
  // The free seat that a look-up finds has nothing to do with the contact.
  "test/right/configs/tribuene-saalbuchung.app.json": "right-record",
};

test.each(share(all))(
  "no alarm: %s",
  async (path) => {
    const alarms = await alarmsOf(path, seeds, seeds / 4);
    expect(alarms.filter((alarm) => !alarm.startsWith(`${accused[path]}:`))).toEqual([]);
  },
  120_000,
);
