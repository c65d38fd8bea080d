import { compile } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { createRuntime, runPipeline } from "@configc/runtime";
import { pollOnce } from "@configc/runtime/internal";
import { describe, expect, test } from "vitest";
import { testEffects } from "../support/effects.ts";

/** D33: what a cycle delivers, the state after it, and why it ended. Requests are programs over the state. */
function intakeOf(commands: Readonly<Record<string, string>>) {
  const members = Object.fromEntries(Object.entries(commands).map(([name, jq]) => [name, { "!jq": jq }]));
  const { app } = compile(JSON.stringify({ data_intake: [{ type: "polling", name: "a", ...members }] }));
  return { runtime: createRuntime(app, testEffects()), intake: app.intakes[0]! };
}

const cases: readonly {
  name: string;
  commands: Readonly<Record<string, string>>;
  state?: Json;
  gives: unknown;
}[] = [
  {
    name: "`iterate` false ends it; the state goes from step to step",
    commands: {
      initial_setup: "{polling_state: {page: 1}}",
      pre_poll: "{polling_state: {page: .polling_state.page, begun: true}}",
      request:
        "${polling_state} as $s | {results: [$s.page], iterate: ($s.page < 3), polling_state: ($s + {page: ($s.page + 1)})}",
      post_poll: "{polling_state: {page: 1, last: .polling_state.page}}",
    },
    gives: { results: [1, 2, 3], polling_state: { page: 1, last: 4 }, requests: 3, reason: "iterate" },
  },
  {
    name: "a state that is there already isn't set up again",
    commands: {
      initial_setup: "{polling_state: {page: 1}}",
      request: "{results: [.polling_state.page], iterate: false}",
    },
    state: { page: 7 },
    gives: { results: [7], polling_state: { page: 7 }, requests: 1, reason: "iterate" },
  },
  {
    name: "an absent `iterate` is false, an absent state unchanged",
    commands: { request: "{results: [1]}" },
    gives: { results: [1], polling_state: {}, requests: 1, reason: "iterate" },
  },
  {
    name: "empty results end it, and their state is saved",
    commands: { request: "{results: [], iterate: true, polling_state: {since: 5}}" },
    gives: { results: [], polling_state: { since: 5 }, requests: 1, reason: "empty" },
  },
  {
    name: "null results are empty",
    commands: { request: "{results: null, iterate: true}" },
    gives: { results: [], polling_state: {}, requests: 1, reason: "empty" },
  },
  {
    name: "a page that comes again isn't delivered",
    commands: { request: "{results: [{id: 1}], iterate: true}" },
    gives: { results: [{ id: 1 }], polling_state: {}, requests: 2, reason: "repeat" },
  },
  {
    name: "nor one that comes again after two others",
    commands: {
      request:
        "(${polling_state}.n // 0) as $n | {results: [$n % 3], iterate: true, polling_state: {n: ($n + 1)}}",
    },
    gives: { results: [0, 1, 2], polling_state: { n: 4 }, requests: 4, reason: "repeat" },
  },
  {
    name: "the 101st request isn't made",
    commands: {
      request:
        "(${polling_state}.n // 0) as $n | {results: [$n], iterate: true, polling_state: {n: ($n + 1)}}",
    },
    gives: {
      results: Array.from({ length: 100 }, (_, n) => n),
      polling_state: { n: 100 },
      requests: 100,
      reason: "max-requests",
    },
  },
  {
    name: "with more than 1,000 results the iteration is still delivered",
    commands: {
      request:
        "(${polling_state}.n // 0) as $n | {results: [range($n; $n + 600)], iterate: true, polling_state: {n: ($n + 600)}}",
    },
    gives: {
      results: Array.from({ length: 1200 }, (_, n) => n),
      polling_state: { n: 1200 },
      requests: 2,
      reason: "max-results",
    },
  },
];

describe("D33 a polling cycle", () => {
  test.each(cases)("$name", async ({ commands, state, gives }) => {
    const { runtime, intake } = intakeOf(commands);
    const context = state === undefined ? {} : { polling_state: state };
    expect(await pollOnce(runtime, intake, { context })).toEqual(gives);
  });

  test.each([
    ["[1]", "must give an object"],
    ["{results: {}}", "`results` of `request` must be a list"],
    ['{results: [1], iterate: "no"}', "`iterate` of `request` must be true or false"],
  ])("%s isn't what the platform takes", async (request, message) => {
    const { runtime, intake } = intakeOf({ request });
    await expect(pollOnce(runtime, intake)).rejects.toMatchObject({
      kind: "DataError",
      message: expect.stringContaining(message),
      pointer: "/data_intake/0",
    });
  });
});

describe("D37 a pipeline", () => {
  const { app } = compile(
    JSON.stringify({
      workflows: [
        {
          name: "a",
          label: "A",
          type: "generic",
          setup: { map: { label: "M", describe_source: { label: "S" }, describe_target: { label: "T" } } },
          data_pipeline: {
            source: { "!jq": "if .skip then null else {mail: .email, rest: 1} end" },
            target: { "!jq": "{sent: .}" },
          },
        },
      ],
    }),
  );
  const runtime = createRuntime(app, testEffects());
  const context = { mapping: { mail: "email" } };

  test("runs source, transform and target", async () => {
    expect(
      await runPipeline(runtime, app.workflows[0]!, { input: { email: "a@example.com" }, context }),
    ).toEqual({
      source: { mail: "a@example.com", rest: 1 },
      transformed: { email: "a@example.com" },
      target: { sent: { email: "a@example.com" } },
    });
  });

  test("D35 a source that gives null skips the item", async () => {
    expect(await runPipeline(runtime, app.workflows[0]!, { input: { skip: true }, context })).toEqual({
      source: null,
      transformed: null,
      target: null,
    });
  });
});
