import { readFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ensureBuilt } from "../build.ts";
import { Client, type Message } from "./client.ts";
import { configFile, placeOf, type Service, startService } from "./service.ts";

/** Every request that is announced, and those that come when they shouldn't. */
const path = configFile([
  { "!http": { method: "GET", path: "/orders" } },
  { "!jq": ".orders | map({id, n: (.lines | length)})" },
  { "!save": { scope: "workflow" } },
]);
const text = readFileSync(path, "utf8");
const stage = placeOf(text, "map({id");
const list = { orders: Array.from({ length: 250 }, (_, id) => ({ id, lines: [] })), token: "t" };

let service: Service;
let client: Client;
let launch: Record<string, unknown>;

beforeAll(() => ensureBuilt());
beforeEach(async () => {
  service = await startService(() => list);
  client = new Client();
  launch = {
    program: path,
    node: "workflows.orders",
    input: { at: 1 },
    baseUrl: service.url,
    allowPrivateNetwork: true,
  };
});
afterEach(async () => {
  await client.end();
  await service.close();
});

/** Requests one after the other, each with whether it succeeds, or the reason why it doesn't. */
type Transcript = readonly (readonly [command: string, args: object, expected: true | string])[];

const nothingRuns = "Nothing runs yet.";
const transcripts: Readonly<Record<string, Transcript>> = {
  "before it is launched": [
    ["threads", {}, true],
    ["continue", { threadId: 1 }, nothingRuns],
    ["pause", { threadId: 1 }, nothingRuns],
    ["stackTrace", { threadId: 1 }, nothingRuns],
    ["scopes", { frameId: 1 }, nothingRuns],
    ["variables", { variablesReference: 1 }, nothingRuns],
    ["evaluate", { expression: "." }, nothingRuns],
    ["stepBack", { threadId: 1 }, nothingRuns],
    ["restartFrame", { frameId: 0 }, nothingRuns],
    ["setVariable", { variablesReference: 1, name: "x", value: "1" }, nothingRuns],
    ["gotoTargets", { source: { path }, line: stage.line }, nothingRuns],
    ["goto", { threadId: 1, targetId: 9 }, "There is no such place to go to."],
    ["exceptionInfo", { threadId: 1 }, true],
    ["cancel", {}, true],
    ["setBreakpoints", { source: { path }, breakpoints: [{ line: 1 }] }, true],
    ["breakpointLocations", { source: { path }, line: stage.line }, true],
    ["nonsense", {}, "There is no request “nonsense” here."],
    ["initialize", {}, true],
  ],
  "configured before it is initialized and launched": [
    ["configurationDone", {}, true],
    ["setExceptionBreakpoints", { filters: ["failure", "other"] }, true],
    ["launch", { program: path, node: "workflows.orders", input: {}, stopOnEntry: true }, true],
    ["launch", { program: path }, "It was launched already."],
    ["initialize", {}, true],
  ],
  "ended before it began": [
    ["terminate", {}, true],
    ["launch", { program: "nowhere.app.json" }, "nowhere.app.json isn't there."],
  ],
  "launched with what can't be": [
    ["launch", {}, "The launch configuration lacks `program`: the config to debug."],
    ["launch", { program: path, node: "workflows.none" }, "“none”"],
    ["attach", { program: path }, "One attaches to a run that is over: `replay` names its file."],
    ["launch", { test: "none.apptest.json", case: "x" }, "none.apptest.json"],
  ],
};

describe("requests in any order", () => {
  test.each(Object.entries(transcripts))("%s", async (_, transcript) => {
    for (const [command, args, expected] of transcript) {
      const { success, message } = await client.send(command, args);
      if (expected === true) expect([command, message, success]).toEqual([command, undefined, true]);
      else expect([command, success, message]).toEqual([command, false, expect.stringContaining(expected)]);
    }
  });

  test("all at once, without waiting for an answer", async () => {
    const commands = [
      "initialize",
      "setBreakpoints",
      "launch",
      "threads",
      "configurationDone",
      "evaluate",
      "continue",
    ];
    const args: Readonly<Record<string, object>> = {
      setBreakpoints: { source: { path }, breakpoints: [stage] },
      launch,
      evaluate: { expression: "." },
      continue: { threadId: 1 },
    };
    const answers = await Promise.all(commands.map((each) => client.send(each, args[each] ?? {})));
    expect(answers.map(({ success }: Message) => success).slice(0, 5)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(await client.stopped()).toMatchObject({ reason: "breakpoint" });
  });

  test("while the run goes on, what needs it to stand is refused", async () => {
    await client.begin(launch, { [path]: [stage] });
    await client.stopped();
    const [frame] = await client.stack();
    await client.ask("setBreakpoints", { source: { path }, breakpoints: [] });
    await client.ask("next", { threadId: 1 });
    await client.stopped();
    expect((await client.send("scopes", { frameId: frame?.id })).message).toBe(
      "The run doesn't stand there any more.",
    );
  });
});

test("every request that is announced is answered", async () => {
  const capabilities = await client.ask<Record<string, unknown>>("initialize", { adapterID: "configc" });
  await client.event("initialized");
  expect(Object.keys(capabilities).length).toBeGreaterThan(18);
  await client.ask("launch", launch);
  await client.ask("setBreakpoints", { source: { path }, breakpoints: [stage] });
  await client.ask("setExceptionBreakpoints", { filters: ["failure"] });
  const info = await client.ask<{ dataId: string }>("dataBreakpointInfo", { name: "data.workflow.last" });
  expect(info.dataId).toBe("data.workflow.last");
  expect(
    await client.ask("setDataBreakpoints", {
      breakpoints: [{ dataId: "data.workflow.last" }, { dataId: "x" }],
    }),
  ).toMatchObject({
    breakpoints: [{ verified: true }, { verified: false }],
  });
  await client.ask("configurationDone");
  await client.stopped();

  // Values by page: nothing that nobody asked for.
  const [value] = await client.scope("jq");
  const page = await client.variables(value?.variablesReference ?? 0, {
    filter: "indexed",
    start: 240,
    count: 5,
  });
  expect(page.map(({ name, value: shown }) => [name, shown])[0]).toEqual(["240", "{id, lines}"]);
  expect(page.length).toBe(5);
  expect((await client.scope("Roots")).map(({ name }) => name)).toContain("piped_content");

  expect(await client.evaluate("length", "hover")).toBe("250");
  expect(await client.evaluate("${piped_content.0.at}", "watch")).toBe("1");
  expect(await client.evaluate(".[3]", "clipboard")).toBe('{"id":3,"lines":[]}');
  const { targets } = await client.ask<{ targets: { label: string }[] }>("completions", {
    text: ".[0].",
    column: 6,
  });
  expect(targets.map(({ label }) => label)).toEqual(["id", "lines"]);
  const { values } = await client.ask<{ values: { text: string; range: { start: { line: number } } }[] }>(
    "configc/inlineValues",
    { frameId: (await client.stack())[0]?.id },
  );
  expect(values.map(({ text: shown }) => shown)).toContain(". = [250 items]");
  expect(values.every(({ range }) => range.start.line === stage.line)).toBe(true);

  for (const command of ["stepIn", "next", "stepOut", "stepBack", "reverseContinue", "continue"]) {
    await client.ask(command, { threadId: 1 });
    await client.stopped();
  }
  const { targets: places } = await client.ask<{ targets: { id: number }[] }>("gotoTargets", {
    source: { path },
    line: placeOf(text, '"!http"').line,
  });
  await client.ask("goto", { threadId: 1, targetId: places[0]?.id });
  expect(await client.stopped()).toMatchObject({ reason: "goto" });
  expect((await client.stack())[0]?.name).toBe("!http, step 1 of 3");
  await client.ask("restartFrame", { frameId: (await client.stack())[1]?.id });
  await client.stopped();
  expect((await client.stack())[0]?.name).toBe("source: !pipe");
  const { content } = await client.ask<{ content: string }>("source", { sourceReference: 1 });
  expect(content).toBe(text);
  await client.ask("restart", {});
  await client.stopped();
  expect(service.sent.length).toBe(2);
  await client.ask("terminate", {});
  await client.event("terminated");
});

test("a save stops where it is watched, and the failure after it too", async () => {
  const saving = configFile([
    { "!jq": "{last: .at}" },
    { "!save": { scope: "workflow" } },
    { "!error": "no" },
  ]);
  const set = client.begin({ program: saving, node: "workflows.orders", input: { at: 5 } }, {}, ["failure"]);
  await client.ask("setDataBreakpoints", { breakpoints: [{ dataId: "data.workflow.last" }] });
  await set;
  expect(await client.stopped()).toMatchObject({
    reason: "data breakpoint",
    text: "data.workflow.last has another value.",
  });
  expect(await client.evaluate("$data.workflow.last")).toBe("5");
  await client.ask("continue", { threadId: 1 });
  expect(await client.stopped()).toMatchObject({ reason: "exception", text: "no" });
});
