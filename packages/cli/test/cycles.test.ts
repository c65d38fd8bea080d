import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serve, start } from "./support/async-cli.ts";
import { configc, folderWith } from "./support/cli.ts";

/** Cases with `cycles`: a polling intake through time. */
const config = JSON.stringify({
  $version: "2",
  auth: {
    acme: { type: "token", configuration: { header_key: "X-Key", verify_url: "https://api.example.com/me" } },
  },
  api: { base_url: "https://api.example.com" },
  data_intake: [
    {
      type: "polling",
      name: "orders",
      initial_setup: { "!jq": '{polling_state: {since: "2025-01-01T00:00:00Z"}}' },
      request: {
        "!pipe": [
          { "!http": { path: "/orders", params: { since: "${polling_state.since}" } } },
          {
            "!jq":
              "{results: .items, iterate: false, polling_state: {since: ([.items[].at, ${polling_state.since}] | max)}}",
          },
        ],
      },
    },
  ],
  workflows: [
    {
      name: "orders",
      label: "Acme - Orders",
      type: "generic",
      auth: "acme",
      data_intake: "orders",
      setup: {},
      data_pipeline: { source: { "!jq": "{email: (.email | ascii_downcase)}" } },
    },
  ],
});
const first = { id: 1, at: "2025-01-01T00:10:00Z", email: "A@example.com" };
const second = { id: 2, at: "2025-01-01T00:40:00Z", email: "B@example.com" };
const asked = (since: string, ...items: readonly object[]) => [
  { request: { url: `https://api.example.com/orders?since=${since}` }, response: { body: { items } } },
];
const cycles = [
  {
    http: asked("2025-01-01T00:00:00Z", first),
    expect: { results: [first], polling_state: { since: first.at } },
  },
  { http: asked(first.at, second), expect: { reason: "iterate" } },
];
const poll = { name: "two cycles", run: "data_intake.orders", cycles };

function folderOf(test: object): string {
  return folderWith({
    "w.app.json": config,
    "w.apptest.json": JSON.stringify({ config: "w.app.json", cases: [test] }, undefined, 2),
  });
}

function tested(test: object, ...args: string[]) {
  const cwd = folderOf(test);
  return { cwd, ...configc(["test", ...args], { cwd }) };
}

test("each cycle begins with the state of the one before it", () => {
  const { status, stdout } = tested({ ...poll, arrives: [{ id: 2 }, { id: 1, email: "A@example.com" }] });
  expect(stdout).toContain("✓ 1 case passed");
  expect(status).toBe(0);
});

test("what never arrives is told, and the cycle that isn't as expected", () => {
  const { stdout, status } = tested({
    ...poll,
    cycles: [cycles[0], { ...cycles[1], expect: { polling_state: { since: first.at } } }],
    arrives: [{ id: 3 }],
  });
  expect(status).toBe(1);
  expect(stdout).toContain("Cycle 2: It isn't the expected one.");
  expect(stdout).toContain('This never arrives: {"id":3}');
  expect(stdout).toContain('-     "since": "2025-01-01T00:10:00Z"');
});

test("a request that a cycle doesn't list fails in that cycle", () => {
  const { stdout, status } = tested({ ...poll, cycles: [cycles[0], { http: asked(second.at) }] });
  expect(status).toBe(1);
  expect(stdout).toContain("Cycle 2: It failed: NotFound");
});

test("a workflow's items go through its pipeline", () => {
  const cycle = { http: asked("2025-01-01T00:00:00Z", { ...first, email: null }) };
  const { stdout, status } = tested({ name: "null", run: "workflows.orders", cycles: [cycle] });
  expect(status).toBe(1);
  expect(stdout).toContain("at /workflows/0/data_pipeline/source");
  expect(tested({ ...poll, run: "workflows.orders" }).status).toBe(0);
});

test("--update writes what the cycles gave, and no more than is stated", () => {
  const { cwd, status } = tested(
    { ...poll, cycles: [{ ...cycles[0], expect: { results: [] } }, cycles[1]] },
    "--update",
  );
  expect(status).toBe(0);
  const [written] = JSON.parse(readFileSync(join(cwd, "w.apptest.json"), "utf8")).cases;
  expect(written.cycles[0].expect).toEqual({ results: [first] });
  expect(written.cycles[1]).toEqual(cycles[1]);
});

test("--record fills in the answers of each cycle", async () => {
  const origin = await serve(({ url }, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ items: url?.includes("since=2025-01-01T00%3A00") ? [first] : [second] }));
  });
  const cwd = folderOf({ name: "recorded", run: "data_intake.orders", cycles: [{}, {}] });
  const { done } = start(["test", "--record", "--base-url", origin, "--allow-private-network"], { cwd });
  expect((await done).status).toBe(0);
  const [written] = JSON.parse(readFileSync(join(cwd, "w.apptest.json"), "utf8")).cases;
  expect(
    written.cycles.map(({ http }: { http: { request: { url: string }; response: { body: unknown } }[] }) =>
      http.map(({ request, response }) => [decodeURIComponent(request.url), response.body]),
    ),
  ).toEqual([
    [["https://api.example.com/orders?since=2025-01-01T00:00:00Z", { items: [first] }]],
    [["https://api.example.com/orders?since=2025-01-01T00:10:00Z", { items: [second] }]],
  ]);
  expect(configc(["test"], { cwd }).status).toBe(0);
});

test("members that belong to another kind of case", () => {
  for (const [also, message] of [
    [{ http: [] }, "has its `http` in each cycle"],
    [{ input: 1 }, "takes no `input`"],
    [{ cycles: undefined, arrives: [] }, "`arrives` is for a case with `cycles`"],
    [{ cycles: [] }, "A cycle is required here"],
    [{ world: {} }, "A case with `world` has no `cycles`"],
  ] as const) {
    const { status, stderr } = tested({ ...poll, ...also });
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  }
});

test("cycles of what doesn't poll", () => {
  const { stdout, status } = tested({ ...poll, run: "workflows.orders.data_pipeline.source" });
  expect(stdout).toContain("polls nothing");
  expect(status).toBe(1);
});
