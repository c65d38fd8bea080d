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

/** Alarms about right configs that came with webhooks, outbound workflows and variants of forms, and aren't mended yet, by the laws that are said to break. */
const known: Readonly<Record<string, readonly string[]>> = {
  "test/meaning/configs/grouped-rows.app.json": ["everything-arrives", "quiet-cycles-end"],
  "test/meaning/configs/history-payments.app.json": ["right-customer"],
  "test/blind/first/configs/cargoline.app.json": ["runs-succeed"],
  "test/blind/second/configs/klingel.app.json": ["right-record"],
  "examples/payments/payments.app.json": ["faults-only-delay"],
};

test.each(all)(
  "no alarm: %s",
  async (path) => {
    const laws = (await alarmsOf(path, 20, 7)).map((alarm) => alarm.slice(0, alarm.indexOf(":")));
    expect(laws).toEqual(known[path] ?? []);
  },
  120_000,
);
