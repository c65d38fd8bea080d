import { type Draft, RunError, type Setup, SetupError } from "@configc/runtime";
import { stepsOf } from "@configc/runtime/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../../test/support/cases.ts";
import { mapping, setupApp, setupRuntime } from "./support.ts";

/** Whatever is done to a setup in whatever order: errors have a type, a refusal changes nothing, and the state is JSON. */
const runtime = setupRuntime();
const app = setupApp();
const ids = fc.constantFrom("form", "part", "kinds", "note", "nothing", "__proto__");
const good = fc.constantFrom<unknown>(1, "2", "1-1", "2-2", ["a"], ["a", "b"], "text", null);
const steps = fc.constantFrom(
  "connect",
  "select",
  "map",
  "schedule",
  "review_events",
  "review_objects",
  "ready",
  "x",
);
const value = fc.oneof(
  { weight: 4, arbitrary: good },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
const entry = fc.oneof(
  fc.constantFrom(...mapping.entries),
  fc.record(
    { source: fc.record({ id: value }), target: fc.record({ group: value, id: value }) },
    { requiredKeys: [] },
  ),
);
const maps = fc.oneof(
  fc.constant(mapping),
  fc.record({ v: fc.constant(1), entries: fc.array(entry, { maxLength: 5 }) }),
  value,
);

type Action = (setup: Setup) => unknown;
/** What the customer would do next. */
const onward: Action = async (setup) => {
  switch (setup.draft.step) {
    case "connect":
      return await setup.connect("c");
    case "select":
      await setup.answer("form", 1);
      await setup.answer("part", "1-1");
      return await setup.select();
    case "map":
      return await setup.map(mapping);
    case "schedule":
      return setup.schedule("recurring");
    default:
      return setup.review();
  }
};

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(onward) },
  fc.constantFrom("c", "d").map((id) => (setup: Setup) => setup.connect(id)),
  fc.tuple(ids, value).map(
    ([id, given]) =>
      (setup: Setup) =>
        setup.answer(id, given as never),
  ),
  fc.constantFrom<Action>(
    (setup) => setup.answer("form", 1),
    (setup) => setup.answer("part", "1-1"),
  ),
  fc.constant<Action>((setup) => setup.select()),
  maps.map((given) => (setup: Setup) => setup.map(given as never)),
  fc
    .constantFrom("single", "recurring", "x")
    .map((option) => (setup: Setup) => setup.schedule(option as never)),
  fc.constant<Action>((setup) => setup.review()),
  steps.map((step) => (setup: Setup) => setup.go(step as never)),
  fc.constant<Action>((setup) => setup.mapping()),
);

test("random sequences of inputs", async () => {
  let ready = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 60 }), async (actions) => {
      let draft: Draft = runtime.setup("in").draft;
      for (const act of actions) {
        const setup = runtime.setup("in", draft);
        // What was kept comes back as it was.
        expect(setup.draft).toEqual(draft);
        try {
          await act(setup);
        } catch (error) {
          expect(error instanceof SetupError || error instanceof RunError, String(error)).toBe(true);
          expect(setup.draft).toEqual(draft);
        }
        setup.view();
        draft = JSON.parse(JSON.stringify(setup.draft)) as Draft;
        expect(draft).toEqual(setup.draft);
        if (draft.step === "ready") {
          ready++;
          expect(Object.keys(draft.settings).sort()).toEqual(
            expect.arrayContaining(["connection", "customData", "importOption", "mapping", "resourceId"]),
          );
        }
      }
    }),
    { numRuns: cases(150), seed: 7 },
  );
  // It isn't for want of trying that nothing goes wrong.
  expect(ready).toBeGreaterThan(0);
  expect(stepsOf(app.workflows[0]!)).toContain("ready");
});
