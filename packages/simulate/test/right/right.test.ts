import { expect, test } from "vitest";
import { alarmsOf, configsIn } from "./alarms.ts";

/*
 * Configs of many kinds that are right, written from the specification before it was tried how a service is derived from them. What a
 * service has to be like for them to be right stands in the world file beside each. Rows, tokens and clocks of other answers: E125; look-ups
 * and choices: E126.
 */

test.each(configsIn("packages/simulate/test/right"))(
  "no alarm: %s",
  async (path) => {
    expect(await alarmsOf(path, 0, 0)).toEqual([]);
  },
  120_000,
);
