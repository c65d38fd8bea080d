import { readFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
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

  test("an expansion in a body is a stop of its own, with the value that is put there", async () => {
    const inBody = placeOf(text, "${piped_content.2.total}");
    const { breakpoints: offered } = await client.ask<{ breakpoints: object[] }>("breakpointLocations", {
      source: { path },
      line: inBody.line,
    });
    expect(offered).toEqual([inBody]);
    const [set] = await client.begin(launch, { [path]: [{ line: inBody.line }] });
    expect(set?.breakpoints).toMatchObject([{ verified: true, line: inBody.line, column: inBody.column }]);
    expect(await client.stopped()).toMatchObject({ reason: "breakpoint" });
    const [top] = await client.stack();
    expect([top?.name, top?.line, top?.column]).toEqual([
      "body.total: ${piped_content.2.total}",
      inBody.line,
      inBody.column,
    ]);
    expect(await client.scope("Expansion")).toMatchObject([
      { name: "${piped_content.2.total}", value: "50" },
    ]);
    expect(await client.evaluate(". + 1")).toBe("51");
    expect(service.sent.map(({ method }) => method)).toEqual(["GET"]);
    await client.ask("stepBack", { threadId: 1 });
    await client.stopped();
    expect((await client.stack())[0]?.name).toBe("!http, step 3 of 3");
    await client.ask("continue", { threadId: 1 });
    await client.stopped();
    expect((await client.stack())[0]?.name).toBe("body.total: ${piped_content.2.total}");
    await client.ask("stepIn", { threadId: 1 });
    await client.stopped();
    expect((await client.stack())[0]?.name).toBe("POST /totals");
    await client.ask("reverseContinue", { threadId: 1 });
    await client.stopped();
    expect((await client.stack())[0]?.name).toBe("body.total: ${piped_content.2.total}");
    await client.ask("setBreakpoints", {
      source: { path },
      breakpoints: [
        { ...inBody, condition: ". > 50" },
        { ...inBody, logMessage: "sends ${.}" },
      ],
    });
    await client.ask("reverseContinue", { threadId: 1 });
    await client.stopped();
    await client.ask("restart", {});
    await client.event("terminated");
    expect(client.output()).toContain("sends 50");
  });

  test("stops in the program that reads a page, for each page", async () => {
    const paged = configFile([{ "!http": { method: "GET", path: "/pages", pagination: true } }], {
      api: {
        base_url: "https://orders.example",
        pagination: {
          style: { type: "page", page_number: { param: "page", value: 1 } },
          parser: { total_pages: { "!jq": ".meta | .pages" } },
        },
      },
    });
    const pages = await startService(({ url }) => ({ meta: { pages: 2 }, items: [url] }));
    onTestFinished(() => pages.close());
    const there = placeOf(readFileSync(paged, "utf8"), ".pages");
    await client.begin({ ...launch, program: paged, baseUrl: pages.url }, { [paged]: [there] });
    for (const page of [1, 2]) {
      await client.stopped();
      expect((await client.stack()).map(({ name }) => name).slice(0, 3)).toEqual([
        "jq stage 2 of 2: .pages",
        "total_pages: !jq",
        "!http, step 1 of 1",
      ]);
      expect(pages.sent.length).toBe(page);
      await client.ask("continue", { threadId: 1 });
    }
    await client.stopped();
    expect(pages.sent.map(({ url }) => url)).toEqual(["/pages?page=1", "/pages?page=2"]);
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

describe("a run that is paused while it waits for an answer", () => {
  let answer: () => void;
  let slow: Service;
  beforeEach(async () => {
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    slow = await startService(async ({ method }) => {
      if (method === "POST") await answered;
      return method === "GET" ? order : { ok: true };
    });
    await client.begin({ ...launch, baseUrl: slow.url });
    await expect.poll(() => slow.sent.length, { timeout: 20_000 }).toBe(2);
    await client.ask("pause", { threadId: 1 });
    expect(await client.stopped()).toMatchObject({ reason: "pause" });
    expect((await client.stack())[0]?.name).toBe("POST /totals");
    // Longer than anybody waits before a run that is stuck is ended.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await client.evaluate("$request.body.total")).toBe("50");
    return () => slow.close();
  });
  const writes = (): number => slow.sent.filter(({ method }) => method === "POST").length;

  test("stands there; what was sent isn't sent again, whether the answer comes before it goes on or after", async () => {
    await client.ask("next", { threadId: 1 });
    await client.ask("pause", { threadId: 1 });
    await client.stopped();
    answer();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await client.ask("stepIn", { threadId: 1 });
    await client.stopped();
    expect((await client.stack())[0]?.name).toBe("POST /totals → 200");
    await client.ask("stepBack", { threadId: 1 });
    await client.stopped();
    await client.ask("continue", { threadId: 1 });
    await client.stopped();
    await client.ask("continue", { threadId: 1 });
    await client.event("terminated");
    expect(writes()).toBe(1);
  });

  test("goes on from a place before it, and waits for the same answer", async () => {
    await client.ask("stepBack", { threadId: 1 });
    await client.stopped();
    expect((await client.stack())[0]?.name).toBe("!http, step 3 of 3");
    await client.ask("next", { threadId: 1 });
    answer();
    await client.stopped();
    expect((await client.stack())[0]?.name).toBe("source: !pipe, done");
    expect(writes()).toBe(1);
  });
});
