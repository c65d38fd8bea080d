import { readFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ensureBuilt } from "../build.ts";
import { Client } from "./client.ts";
import { configFile, placeOf, type Service, startService } from "./service.ts";

/** The built debug adapter over stdio, against a real service on this machine. */
const order = {
  id: 7,
  lines: [
    { sku: "a", n: 2 },
    { sku: "b", n: 3 },
  ],
  token: "canary-4711",
};
const source = [
  { "!http": { method: "GET", path: "/orders/7" } },
  { "!jq": ".lines | map(.n * 10) | {total: add}" },
  { "!http": { method: "POST", path: "/totals", body: { total: "${piped_content.2.total}" } } },
];
const path = configFile(source);
const text = readFileSync(path, "utf8");
const jqStage = placeOf(text, "map(.n * 10)");
const inMap = placeOf(text, ".n * 10");
const post = placeOf(text, '"method": "POST"');

let service: Service;
let client: Client;
let launch: object;

beforeAll(() => ensureBuilt());
beforeEach(async () => {
  service = await startService(({ method, url }) =>
    method === "GET" && url === "/orders/7" ? order : method === "POST" ? { ok: true } : undefined,
  );
  client = new Client();
  launch = {
    program: path,
    node: "workflows.orders",
    input: { id: 7 },
    baseUrl: service.url,
    allowPrivateNetwork: true,
  };
});
afterEach(async () => {
  await client.end();
  await service.close();
});

describe("a live run", () => {
  test("stops in a jq stage, steps in and back, and sends what was changed", async () => {
    const [set] = await client.begin(launch, { [path]: [jqStage] });
    expect(set?.breakpoints).toMatchObject([{ verified: true, line: jqStage.line, column: jqStage.column }]);
    expect(await client.stopped()).toMatchObject({
      reason: "breakpoint",
      hitBreakpointIds: [set?.breakpoints[0]?.id],
    });
    expect((await client.stack()).map(({ name }) => name)).toEqual([
      "jq stage 2 of 3: map(.n * 10)",
      "!jq, step 2 of 3",
      "source: !pipe",
      "item",
      "workflow orders",
    ]);
    await client.ask("stepIn", { threadId: 1 });
    await client.stopped();
    const [top] = await client.stack();
    expect([top?.name, top?.line, top?.column]).toEqual(["jq: .n * 10", inMap.line, inMap.column]);
    expect((await client.scope("jq"))[0]?.value).toBe("{sku, n}");
    expect(await client.evaluate(".n")).toBe("2");
    await client.ask("stepBack", { threadId: 1 });
    await client.stopped();
    expect((await client.stack())[0]?.name).toBe("jq stage 2 of 3: map(.n * 10)");
    // Nothing was sent yet but the first request; the input of the step is changed, and it goes on for real.
    expect(service.sent.length).toBe(1);
    const step = await client.reference("Step", 1);
    await client.ask("setVariable", {
      variablesReference: step,
      name: "input",
      value: '{"lines": [{"n": 5}]}',
    });
    expect(await client.stopped()).toMatchObject({ reason: "goto" });
    expect((await client.stack())[0]?.name).toBe("!jq, step 2 of 3");
    await client.ask("setBreakpoints", { source: { path }, breakpoints: [] });
    await client.ask("continue", { threadId: 1 });
    await client.stopped();
    expect(service.sent.map(({ method, body }) => [method, body])).toEqual([
      ["GET", null],
      ["POST", { total: 50 }],
    ]);
    await client.ask("continue", { threadId: 1 });
    await client.event("terminated");
  });

  test("an answer that is changed is what the run goes on with; the request before isn't sent again", async () => {
    await client.begin(launch, { [path]: [{ line: post.line }] });
    await client.stopped();
    await client.ask("stepBack", { threadId: 1 });
    await client.stopped();
    await client.ask("stepBack", { threadId: 1 });
    await client.stopped();
    for (const step of ["stepIn", "stepIn"]) {
      await client.ask(step, { threadId: 1 });
      await client.stopped();
    }
    expect((await client.stack())[0]?.name).toBe("GET /orders/7 → 200");
    const answer = await client.scope("Answer");
    const body = answer.find(({ name }) => name === "body")?.variablesReference ?? 0;
    await client.ask("setVariable", { variablesReference: body, name: "lines", value: '[{"n": 1}]' });
    expect(await client.stopped()).toMatchObject({ reason: "goto" });
    expect((await client.stack())[0]?.name).toBe("GET /orders/7 → 200");
    await client.ask("continue", { threadId: 1 });
    await client.stopped();
    await client.ask("continue", { threadId: 1 });
    await client.stopped();
    expect(service.sent.map(({ method, body: sent }) => [method, sent])).toEqual([
      ["GET", null],
      ["POST", { total: 10 }],
    ]);
  });

  test("stops before a request that writes, at an HTTP error and at a failure", async () => {
    service.sent.length = 0;
    await client.begin({ ...launch, baseUrl: `${service.url}/wrong` }, {}, ["writes", "http", "failure"]);
    expect(await client.stopped()).toMatchObject({ reason: "exception", text: "The service answered 404." });
    await client.ask("continue", { threadId: 1 });
    const failure = await client.stopped();
    expect(failure).toMatchObject({ reason: "exception" });
    expect(failure["text"]).toContain("answered 404");
    expect((await client.stack())[0]?.name).toBe("!http, step 1 of 3, failed");
    expect(await client.ask("exceptionInfo", { threadId: 1 })).toMatchObject({ exceptionId: "failure" });
  });

  test("writes are stopped before they are sent", async () => {
    await client.begin(launch, {}, ["writes"]);
    expect(await client.stopped()).toMatchObject({ reason: "exception" });
    expect((await client.stack())[0]?.name).toBe("POST /totals");
    expect(service.sent.map(({ method }) => method)).toEqual(["GET"]);
    await client.ask("terminate");
    await client.event("terminated");
    expect(service.sent.map(({ method }) => method)).toEqual(["GET"]);
  });

  test("conditions, hit counts and log points", async () => {
    const breakpoints = [
      { ...inMap, condition: ".n > 2" },
      { line: post.line, logMessage: "total ${piped_content.2.total} of ${.total}, ${$input | keys}" },
    ];
    await client.begin(launch, { [path]: breakpoints });
    await client.stopped();
    expect(await client.evaluate(".")).toBe('{"sku":"b","n":3}');
    await client.ask("setBreakpoints", {
      source: { path },
      breakpoints: [{ ...inMap, hitCondition: "2" }, breakpoints[1]],
    });
    await client.ask("reverseContinue", { threadId: 1 });
    await client.stopped();
    await client.ask("continue", { threadId: 1 });
    await client.stopped();
    expect(await client.evaluate(".sku")).toBe('"b"');
    await client.ask("continue", { threadId: 1 });
    await client.stopped();
    expect(client.output()).toContain('total 50 of 50, ["total"]');
  });

  test.each([
    [{ condition: ".n >" }, "The condition isn't a jq expression: .n >"],
    [{ hitCondition: "often" }, "The hit count isn't a jq expression: often"],
  ])("a breakpoint with %j is refused with the reason", async (more, message) => {
    const [set] = await client.begin(launch, { [path]: [{ ...inMap, ...more }] });
    expect(set?.breakpoints).toMatchObject([{ verified: false, message }]);
    await client.event("terminated");
  });
});
