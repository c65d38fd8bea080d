import { expect, test } from "vitest";
import { alarmsOf, configsAt } from "../right/alarms.ts";

/* All configs of this repository that are right: `npm run test:long`. */

const all = [
  "packages/simulate/test/right/*.app.json",
  "test/{meaning,blind/*}/configs/*.app.json",
  "examples/*/*.app.json{,c}",
  "packages/cli/templates/*.app.json",
].flatMap(configsAt);

test.each(all.filter((path) => !path.startsWith("examples/broken/")))(
  "no alarm: %s",
  async (path) => {
    expect(await alarmsOf(path, 20, 7)).toEqual([]);
  },
  120_000,
);
