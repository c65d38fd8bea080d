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

test.each(all)(
  "no alarm: %s",
  async (path) => {
    expect(await alarmsOf(path, 20, 7)).toEqual([]);
  },
  120_000,
);
