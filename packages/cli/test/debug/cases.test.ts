import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "@configc/compiler";
import { saveRun } from "@configc/host";
import { createVault, portableEffects } from "@configc/runtime";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ensureBuilt } from "../build.ts";
import { Client } from "./client.ts";
import { placeOf } from "./service.ts";

/** Cases of tests in the debugger: several cycles as one run, and a service that is simulated after an edit. */
const folder = mkdtempSync(join(tmpdir(), "configc-debug-cases-"));
const program = join(folder, "orders.app.json");
const tests = join(folder, "orders.apptest.json");
const config = {
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
      data_pipeline: {
        source: {
          "!pipe": [
            { "!jq": "{id}" },
            { "!http": { path: "/orders/${piped_content.1.id}" } },
            { "!jq": "{email: (.email | ascii_downcase)}" },
          ],
        },
      },
    },
  ],
};
const first = { id: 1, at: "2025-01-01T00:10:00Z" };
const second = { id: 2, at: "2025-01-01T00:40:00Z" };
const asked = (since: string, item: { readonly id: number }) => [
  {
    request: { url: `https://api.example.com/orders?since=${since}` },
    response: { body: { items: [item] } },
  },
  {
    request: { url: `https://api.example.com/orders/${item.id}` },
    response: { body: { email: `${item.id}@EXAMPLE.com` } },
  },
];
const cycles = [{ http: asked("2025-01-01T00:00:00Z", first) }, { http: asked(first.at, second) }];
writeFileSync(program, JSON.stringify(config, undefined, 2));
writeFileSync(
  tests,
  JSON.stringify({
    config: "orders.app.json",
    cases: [{ name: "two cycles", run: "workflows.orders", credentials: { acme: { token: "t" } }, cycles }],
  }),
);
const text = readFileSync(program, "utf8");
const names = placeOf(text, '"!jq": "{id}"');
const launch = { test: tests, case: "two cycles" };

let client: Client;
beforeAll(() => ensureBuilt());
beforeEach(() => {
  client = new Client();
});
afterEach(() => client.end());

test("all cycles of a case are one run, each with the state and the clock that the one before it left", async () => {
  await client.begin(launch, { [program]: [{ line: names.line }] });
  const seen: [string | undefined, string, string][] = [];
  for (const _ of cycles) {
    await client.stopped();
    const stack = await client.stack();
    seen.push([
      stack.at(-2)?.name,
      await client.evaluate("$polling_state.since"),
      await client.evaluate(".id"),
    ]);
    await client.ask("continue", { threadId: 1 });
  }
  await ended();
  expect(seen).toEqual([
    ["cycle 1 of 2", '"2025-01-01T00:10:00Z"', "1"],
    ["cycle 2 of 2", '"2025-01-01T00:40:00Z"', "2"],
  ]);
  expect(client.output()).toContain('"email":"2@example.com"');
});

test("one cycle by itself, if it is named", async () => {
  await client.begin({ ...launch, cycle: 1 }, { [program]: [{ line: names.line }] });
  await client.stopped();
  expect((await client.stack()).map(({ name }) => name)).not.toContain("cycle 1 of 2");
  expect(client.output()).toContain("This is cycle 1 of 2 by itself");
});

test("after an edit a simulated service answers what nothing was recorded for", async () => {
  await client.begin({ ...launch, afterEdit: "simulated" }, { [program]: [{ line: names.line }] });
  await client.stopped();
  const [frame] = await client.stack();
  expect(frame?.name).toBe("!jq, step 1 of 3");
  await client.ask("setBreakpoints", { source: { path: program }, breakpoints: [] });
  // An id that no answer was recorded for: the request after it is answered all the same.
  await client.ask("stepBack", { threadId: 1 });
  await client.stopped();
  const top = (await client.stack())[0]?.name;
  const reference = await client.reference("Step");
  await client.ask("setVariable", { variablesReference: reference, name: "input", value: '{"id": 77}' });
  await client.stopped();
  expect(top).toBe("source: !pipe");
  await client.ask("continue", { threadId: 1 });
  await ended();
  expect(client.output()).toContain('"email":"r1@example.com"');
  expect(client.output()).not.toContain("isn't recorded");
});

test("what samples say of the service counts there before what the app lets derive", async () => {
  const [tiered, cases] = [join(folder, "tiered.app.json"), join(folder, "tiered.apptest.json")];
  const takesApart = text.replace(
    "{email: (.email | ascii_downcase)}",
    '{tier: (.tier | ltrimstr(\\"v\\") | tonumber)}',
  );
  writeFileSync(tiered, takesApart);
  writeFileSync(cases, readFileSync(tests, "utf8").replace("orders.app.json", "tiered.app.json"));
  mkdirSync(join(folder, "tiered.samples"));
  writeFileSync(
    join(folder, "tiered.samples/order.json"),
    JSON.stringify({
      request: { method: "GET", path: "/orders/5" },
      response: { status: 200, body: { tier: "v17" } },
    }),
  );
  const { line } = placeOf(takesApart, '"!jq": "{id}"');
  await client.begin({ test: cases, case: "two cycles", afterEdit: "simulated" }, { [tiered]: [{ line }] });
  await client.stopped();
  await client.ask("setBreakpoints", { source: { path: tiered }, breakpoints: [] });
  await client.ask("stepBack", { threadId: 1 });
  await client.stopped();
  const variablesReference = await client.reference("Step");
  await client.ask("setVariable", { variablesReference, name: "input", value: '{"id": 77}' });
  await client.stopped();
  await client.ask("continue", { threadId: 1 });
  await ended();
  expect(client.output()).toContain('"tier":17');
});

test("a run that a host has sealed is opened with the host's key", async () => {
  const saved = await saveRun(
    compile(JSON.stringify(config)).app,
    "/workflows/0/data_pipeline/source/!pipe/0",
    { input: { id: 9 } },
    { effects: portableEffects({ http: { request: () => Promise.reject(new Error("no request")) } }) },
  );
  const key = crypto.getRandomValues(new Uint8Array(32));
  const sealed = await createVault(key).seal(JSON.stringify(saved.saved), "saved run");
  const [file, keyFile] = [join(folder, "sealed.run"), join(folder, "key")];
  writeFileSync(file, sealed);
  const attach = { program, replay: file };
  await client.ask("initialize", { adapterID: "configc" });
  await expect(client.ask("attach", attach)).rejects.toThrow("is sealed by the host that saved it");
  writeFileSync(keyFile, Buffer.from(new Uint8Array(32)).toString("base64"));
  await expect(client.ask("attach", { ...attach, key: keyFile })).rejects.toThrow(/key/);
  writeFileSync(keyFile, Buffer.from(key).toString("base64"));
  await client.ask("setExceptionBreakpoints", { filters: [] });
  await client.ask("attach", { ...attach, key: keyFile });
  await client.ask("configurationDone");
  await client.event("terminated");
  expect(client.output()).toContain('{"id":9}');
});

/** One stands at the end of a run in which one has stood. */
async function ended(): Promise<void> {
  await client.stopped();
  await client.ask("continue", { threadId: 1 });
  await client.event("terminated");
}
