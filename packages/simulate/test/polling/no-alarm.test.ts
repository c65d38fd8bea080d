import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
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

test.each(all)(
  "no alarm: %s",
  async (path) => {
    expect(await alarmsOf(path, seeds, seeds / 4)).toEqual([]);
  },
  120_000,
);
