import { compile } from "@configc/compiler";
import { caseEffects } from "@configc/host/internal";
import type { Json } from "@configc/runtime";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { caseRun, example, ran } from "./support/debugged.ts";
import { back, forth, isTheSameThereAndBack } from "./support/there-and-back.ts";

const crm = example("crm");
const whole = crm.cases.filter(
  ({ run, world, cycles }) => /^workflows\.[^.]+$/.test(run) && world === undefined && cycles === undefined,
);

describe("a run is a timeline", () => {
  test.each(whole)("the crm example: $name", async (given) => {
    expect(await isTheSameThereAndBack(crm, caseRun(crm, given))).toBeGreaterThan(5);
  });

  /** A workflow that polls, and carries over what it found, item by item. */
  const polling = compile(
    JSON.stringify({
      $version: "2",
      api: { base_url: "https://orders.example" },
      data_intake: [
        {
          name: "orders",
          type: "polling",
          request: {
            "!pipe": [
              {
                "!http": {
                  method: "GET",
                  path: "/orders",
                  params: { after: "${polling_state.after | default: 0}" },
                },
              },
              {
                "!jq":
                  "[.[] | select(.open) | {id, n: ([.lines[] | .n] | add // 0)}] as $open | {results: $open, polling_state: {after: (map(.id) | max)}}",
              },
            ],
          },
        },
      ],
      workflows: [
        {
          name: "orders",
          label: "Orders",
          type: "generic",
          setup: {},
          data_intake: "orders",
          data_pipeline: {
            source: { "!pipe": [{ "!jq": ". | {id, twice: (.n * 2)}" }, { "!save": { scope: "workflow" } }] },
            target: { "!http": { method: "POST", path: "/totals", body: "${piped_content.0}" } },
          },
        },
      ],
    }),
  );

  test("whatever a service answers: there and back again there are the same values", async () => {
    const line = fc.record({ n: fc.integer() });
    const order = fc.record({
      id: fc.integer(),
      open: fc.boolean(),
      lines: fc.array(line, { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(order, { maxLength: 5 }),
        fc.constantFrom(200, 404),
        async (orders, status) => {
          const http = {
            request: async ({ method }: { readonly method: string }) => ({
              status: method === "GET" ? 200 : status,
              headers: { "content-type": "application/json" },
              body: new TextEncoder().encode(JSON.stringify(method === "GET" ? orders : { ok: true })),
            }),
          };
          const run = {
            plan: { node: "/workflows/0", given: {} },
            effects: caseEffects({ run: "workflows.orders" }, http),
          };
          expect(await isTheSameThereAndBack(polling, run)).toBeGreaterThan(8);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("another input is what the run goes on with, and what it is repeated with", async () => {
    const effects = caseEffects(
      { run: "workflows.orders" },
      { request: async () => Promise.reject(new Error("none")) },
    );
    const plan = { node: "/workflows/0/data_pipeline/source", given: { input: { id: 1, n: 2 } as Json } };
    const { timeline } = await ran(polling.app, { plan, effects });
    const jq = [...timeline.history.from(1)].find(({ data }) => data.key === "!jq");
    const edit = { kind: "input" as const, event: jq?.id ?? 0, value: { id: 1, n: 50 } };
    const changed = await ran(polling.app, { plan, effects }, { edits: [edit] });
    expect(changed.end).toEqual({ output: { id: 1, twice: 100 } });
    expect(back(changed.timeline)).toEqual(forth(changed.timeline));
  });
});
