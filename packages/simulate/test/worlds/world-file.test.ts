import { readFileSync } from "node:fs";
import type { Json } from "@configc/jq";
import { readWorldFile } from "@configc/simulate";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";

const schema = JSON.parse(
  readFileSync(new URL("../../../cli/schemas/configc.world.schema.json", import.meta.url), "utf8"),
) as object;
const validate = new Ajv().compile(schema);

const intake = (world: Json): Json => ({ intakes: { orders: world } });

describe("the schema and the reader of world files (D50) agree", () => {
  test.each<[string, Json, boolean]>([
    ["nothing is known", intake({}), true],
    [
      "everything is",
      intake({
        because: "https://example.com/docs",
        pages: "frozen",
        bounds: "exclusive",
        times: "minute",
        order: "newest-first",
        ties: "any",
        lag: 0,
        burst: 10,
        records: 500,
        changes: ["create"],
        parameters: { start: "offset", q: "none" },
      }),
      true,
    ],
    ["no object", [], false],
    ["no intakes", {}, false],
    ["a member that isn't known", { intakes: {}, intake: {} }, false],
    ["an intake that is no object", intake("frozen"), false],
    ["a fact that isn't known", intake({ paging: "frozen" }), false],
    ["a value that isn't", intake({ pages: "live" }), false],
    ["a time that lies ahead", intake({ lag: -1 }), false],
    ["a lag in words", intake({ lag: "55s" }), false],
    ["a burst of none", intake({ burst: 0 }), false],
    ["a change that isn't known", intake({ changes: ["remove"] }), false],
    ["a meaning that isn't", intake({ parameters: { page: "number" } }), false],
  ])("%s", (_, json, isRight) => {
    expect(validate(json)).toBe(isRight);
    expect(readWorldFile(json, ["orders"]).problems.length === 0).toBe(isRight);
  });
});

test("an intake that the app doesn't have is told with those that it has", () => {
  expect(readWorldFile(intake({}), ["customers", "deals"]).problems).toEqual([
    "The app has no intake `orders`. It has `customers`, `deals`.",
  ]);
});
