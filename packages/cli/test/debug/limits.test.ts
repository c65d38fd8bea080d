import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ensureBuilt } from "../build.ts";
import { Client } from "./client.ts";
import { configFile, type Service, startService } from "./service.ts";

/** What is too long or too much for a debugger that isn't made for it. */
let service: Service;
let client: Client;
const MEGABYTE = 1_000_000;
const big = JSON.stringify({
  rows: Array.from({ length: 50 }, (_, id) => ({ id, text: "x".repeat(MEGABYTE) })),
});

beforeAll(async () => {
  ensureBuilt();
  service = await startService(({ url }) => (url === "/big" ? big : { ok: true }));
  return () => service.close();
});
beforeEach(() => {
  client = new Client();
});
afterEach(() => client.end());

const launch = (program: string, more: object = {}): object => ({
  program,
  node: "workflows.orders",
  input: 0,
  baseUrl: service.url,
  allowPrivateNetwork: true,
  ...more,
});

describe("a program that never ends", () => {
  /** A run's own limits would end it some time. */
  const endlessly = { jqSteps: Number.MAX_SAFE_INTEGER, jqTime: 600_000 };
  const endless = configFile([
    { "!http": { method: "POST", path: "/a" } },
    { "!jq": "0 | last(repeat(. + 1))" },
  ]);
  const looping = configFile([
    { "!http": { method: "POST", path: "/a" } },
    { "!jq": "def f: . + 1 | f; 0 | f" },
  ]);

  test.each([endless, looping])(
    "stops at once when it is paused, and what it sent isn't sent again",
    async (path) => {
      service.sent.length = 0;
      await client.begin(launch(path, { limits: endlessly }));
      await expect.poll(() => service.sent.length).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const began = performance.now();
      await client.ask("pause", { threadId: 1 });
      expect(await client.stopped()).toMatchObject({ reason: "pause" });
      expect(performance.now() - began).toBeLessThan(5_000);
      expect((await client.stack())[0]?.name).toBe("!jq, step 2 of 2");
      // It can be gone into, stage by stage, without ever coming to its end.
      for (let step = 0; step < 3; step++) {
        await client.ask("stepIn", { threadId: 1 });
        await client.stopped();
      }
      expect((await client.stack())[0]?.name).toMatch(/^jq/);
      expect(service.sent.length).toBe(1);
    },
  );

  test("is ended with its client", async () => {
    await client.begin(launch(endless, { limits: endlessly }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const began = performance.now();
    await client.end();
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});

test("100,000 items of a program are shown by page, and gone through", async () => {
  const path = configFile([{ "!jq": "[range(100000) | {id: .}] | map(.id * 2) | add" }]);
  const text = "map(.id * 2)";
  await client.begin(launch(path), { [path]: [{ ...(await placeIn(path, text)) }] });
  await client.stopped();
  const [value] = await client.scope("jq");
  expect(value).toMatchObject({ value: "[100000 items]", indexedVariables: 100_000 });
  const page = await client.variables(value?.variablesReference ?? 0, { start: 99_999, count: 1 });
  expect(page).toMatchObject([{ name: "99999", value: "{id}" }]);
  await client.ask("next", { threadId: 1 });
  await client.stopped();
  expect((await client.stack())[0]?.name).toBe("jq stage 3 of 3: add");
  await client.ask("stepBack", { threadId: 1 });
  await client.stopped();
  // Back in the last item of the map.
  expect(await client.evaluate(".id")).toBe("99999");
  expect(await memory()).toBeLessThan(1_500);
});

test("an answer of 50 MB is there when it is looked at, and only then", async () => {
  const path = configFile([{ "!http": { method: "GET", path: "/big" } }, { "!jq": ".rows | length" }]);
  const limits = { responseBytes: 60 * MEGABYTE };
  await client.begin(launch(path, { limits }), { [path]: [await placeIn(path, '"!jq"')] });
  await client.stopped();
  const [input] = await client.scope("Step");
  const rows = (await client.variables(input?.variablesReference ?? 0)).find(({ name }) => name === "rows");
  expect(rows?.value).toBe("[50 items]");
  const [row] = await client.variables(rows?.variablesReference ?? 0, { start: 49, count: 1 });
  const members = await client.variables(row?.variablesReference ?? 0);
  expect(members[1]?.value.length).toBeLessThan(300);
  expect(await client.evaluate(".rows[3].text | length")).toBe("1000000");
  expect(await memory()).toBeLessThan(1_500);
});

async function placeIn(path: string, part: string): Promise<{ line: number; column: number }> {
  const { readFileSync } = await import("node:fs");
  const { placeOf } = await import("./service.ts");
  return placeOf(readFileSync(path, "utf8"), part);
}

/** Megabytes of the adapter and the run together. */
async function memory(): Promise<number> {
  const { readFileSync } = await import("node:fs");
  const status = readFileSync(`/proc/${client.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_000;
}
