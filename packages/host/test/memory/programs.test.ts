import { compile } from "@configc/compiler";
import { credentialsInMemory, nodeEffects, SharedMemory } from "@configc/host";
import { createRuntime, type Limits, type ProgramRun, type RunError, type Runtime } from "@configc/runtime";
import { expect, test } from "vitest";
import { serve } from "../http/support.ts";

const MB = 1024 * 1024;
const node = "/workflows/0/data_pipeline/source";

interface Set {
  readonly memory: SharedMemory;
  readonly limits?: Partial<Limits>;
  /** What is seen when the service is asked, in the middle of the pipe. */
  readonly onRequest?: () => void;
}

/** A runtime whose one command is a pipe. */
async function piping(steps: readonly object[], { memory, limits = {}, onRequest }: Set): Promise<Runtime> {
  const base = await serve((request, response) => {
    request.resume();
    request.on("end", () => {
      onRequest?.();
      response.writeHead(200, { "content-type": "application/json" }).end("1");
    });
  });
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      api: { base_url: base },
      workflows: [
        { name: "w", label: "W", type: "generic", setup: {}, data_pipeline: { source: { "!pipe": steps } } },
      ],
    }),
  );
  const effects = nodeEffects({ allowPrivateNetwork: true });
  return createRuntime(app, { ...effects, credentials: credentialsInMemory({}), memory }, { limits });
}

async function endOf(run: Promise<unknown>): Promise<unknown> {
  return await run.catch((error: RunError) => `${error.kind}: ${error.message}`);
}

const list = { "!jq": "[range(200000) | tostring]" };
const length = { "!jq": "length" };

test("what a program gives is held until the run is over, and given back", async () => {
  const memory = new SharedMemory({ total: 256 * MB });
  let held = 0;
  const onRequest = (): void => void (held = memory.held);
  const runtime = await piping([list, { "!http": { path: "/" } }], { memory, onRequest });
  expect(await runtime.run(node, { input: null })).toEqual({ body: 1 });
  expect(held / MB).toBeGreaterThan(5);
  expect([memory.held, memory.owners]).toEqual([0, 0]);
});

test("what a program only passes on isn't held twice", async () => {
  const memory = new SharedMemory({ total: 256 * MB });
  const held: number[] = [];
  const ask = { "!http": { path: "/" } };
  const onRequest = (): void => void held.push(memory.held);
  const steps = [
    list,
    ask,
    { "!jq": "${piped_content.1}" },
    ask,
    { "!jq": "{all: ${piped_content.1}}" },
    ask,
  ];
  const runtime = await piping(steps, { memory, onRequest });
  await runtime.run(node, { input: null });
  expect(held[1]! - held[0]!).toBeLessThan(1_000);
  expect(held[2]! - held[0]!).toBeLessThan(1_000);
});

test("a program that needs more than an app may ever have is the app's own failure, and others go on", async () => {
  const memory = new SharedMemory({ total: 16 * MB, patience: 100 });
  const runtime = await piping([list, length], { memory });
  expect(await endOf(runtime.run(node, { input: null }))).toMatch(
    /^LimitError: The program takes more than 11 MB of memory, the most for one app/,
  );
  const small = await piping([{ "!jq": "[range(1000)]" }, length], { memory });
  expect(await small.run(node, { input: null })).toBe(1_000);
  expect([memory.held, memory.owners]).toEqual([0, 0]);
});

test("a program for which there is no room just now waits, is run again, and is told of once", async () => {
  const memory = new SharedMemory({ total: 128 * MB, patience: 300 });
  const others = ["a", "b"].map((name) => memory.open(name));
  for (const room of others) room.take(memory.most);
  const runtime = await piping([{ "!jq": "[range(1000000) | tostring] | length" }], { memory });
  expect(await endOf(runtime.run(node, { input: null }))).toMatch(/^MemoryError: What the program makes/);
  const told: ProgramRun[] = [];
  const waiting = runtime.run(node, { input: null, onProgram: (run) => void told.push(run) });
  setTimeout(() => others[0]?.close(), 50);
  expect(await waiting).toBe(1_000_000);
  expect(told.map(({ outcome }) => "output" in outcome)).toEqual([true]);
  others[1]?.close();
  expect([memory.held, memory.owners]).toEqual([0, 0]);
});

test("small programs run whatever others hold", async () => {
  const memory = new SharedMemory({ total: 64 * MB, patience: 50 });
  for (const name of ["a", "b"]) memory.open(name).take(memory.most);
  const runtime = await piping([{ "!jq": "[range(10000)] | length" }], { memory });
  expect(await runtime.run(node, { input: null })).toBe(10_000);
});

test("waiting for room ends with the run", async () => {
  const memory = new SharedMemory({ total: 64 * MB });
  for (const name of ["a", "b"]) memory.open(name).take(memory.most);
  const runtime = await piping([list, length], { memory });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  const run = runtime.run(node, { input: null, signal: controller.signal });
  expect(await endOf(run)).toMatch(/^Cancelled/);
});

/** A value of 22 small lists that would be a text of 12 MB, and one whose text would never end. */
const unfolding = (levels: number): object => ({ "!jq": `reduce range(${levels}) as $i ([]; [., .])` });

test.each([
  [
    "a body",
    { "!http": { path: "/", method: "POST", body: "${piped_content.1}" } },
    /^LimitError: The request's body can't be held/,
  ],
  [
    "a text",
    { "!http": { path: "/", method: "POST", body: "= ${piped_content.1}" } },
    /^LimitError: `\$\{piped_content\.1\}` takes more than 16 MB as text/,
  ],
  [
    "what is written",
    { "!resource": { action: "Deal.sync", data: "${piped_content.1}" } },
    /^LimitError: What is written can't be held/,
  ],
  [
    "what is saved",
    [{ "!jq": "{a: .}" }, { "!save": { scope: "workflow" } }],
    /^LimitError: More than 4 MB would be saved in `workflow`/,
  ],
])("the same part many times is counted before it is written out: %s", async (_, step, failure) => {
  const memory = new SharedMemory({ total: 64 * MB });
  const runtime = await piping([unfolding(22), step].flat(), { memory });
  expect(await endOf(runtime.run(node, { input: null }))).toMatch(failure);
  expect([memory.held, memory.owners]).toEqual([0, 0]);
});

test("a value that has no end when it is written out is none", async () => {
  const memory = new SharedMemory({ total: 64 * MB });
  const limits = { jqMemory: 10 * MB };
  const runtime = await piping([unfolding(100), length], { memory, limits });
  expect(await endOf(runtime.run(node, { input: null }))).toMatch(
    /^LimitError: The program gives a value that takes more than 10 MB as text/,
  );
});

test("text that `!extract` parses is counted as what it becomes", async () => {
  const memory = new SharedMemory({ total: 32 * MB });
  const text = { "!jq": '{t: ("[" + ("[]," * 500000) + "[]]")}' };
  const runtime = await piping([text, { "!extract": { item_keys: ["t"], to_json: true } }, length], {
    memory,
  });
  expect(await endOf(runtime.run(node, { input: null }))).toMatch(/^LimitError: `t` can't be held/);
});
