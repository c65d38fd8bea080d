import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CaseGiven } from "@configc/host/internal";
import type { Json } from "@configc/runtime";
import fc from "fast-check";
import { expect, test } from "vitest";
import { caseRun, example } from "./support/debugged.ts";
import { isTheSameThereAndBack } from "./support/there-and-back.ts";

/** Every example, whatever its service answers: the recorded answers of a case with one of them put out of shape. */
const folder = fileURLToPath(new URL("../../../examples/", import.meta.url));
const runs = readdirSync(folder, { withFileTypes: true })
  .filter((each) => each.isDirectory() && each.name !== "broken")
  .flatMap(({ name }) => {
    const compilation = example(name);
    return compilation.cases
      .filter(({ world, cycles }) => world === undefined && cycles === undefined)
      .map((given) => ({ name, compilation, given: given as CaseGiven }));
  });

const body = fc.oneof(
  fc.constantFrom<Json>(null, [], {}, "text", 0),
  fc.array(fc.record({ id: fc.nat(9), name: fc.string() }), { maxLength: 3 }),
);
const changed = fc.record({
  run: fc.constantFrom(...runs),
  exchange: fc.nat(5),
  status: fc.constantFrom(undefined, 200, 204, 401, 404, 500),
  body: fc.option(body, { nil: undefined }),
});

test("backward and forward there are the same values at every stop, whatever is answered", async () => {
  let stops = 0;
  await fc.assert(
    fc.asyncProperty(changed, async ({ run: { compilation, given }, exchange, status, body: other }) => {
      const http = (given.http ?? []).map((each, index, { length }) =>
        index === exchange % length
          ? {
              ...each,
              response: {
                ...each.response,
                ...(status === undefined ? {} : { status }),
                ...(other === undefined ? {} : { body: other }),
              },
            }
          : each,
      );
      stops += await isTheSameThereAndBack(compilation, caseRun(compilation, { ...given, http }));
    }),
    { numRuns: 80 },
  );
  expect(runs.length).toBeGreaterThan(150);
  expect(stops).toBeGreaterThan(500);
});
