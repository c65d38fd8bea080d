import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { compile } from "@configc/compiler";
import { credentialsInMemory, nodeEffects, SharedMemory } from "@configc/host";
import { createRuntime, type RunError, type Runtime } from "@configc/runtime";
import { expect, test } from "vitest";
import { serve } from "../http/support.ts";

const MB = 1024 * 1024;
const node = "/workflows/0/data_pipeline/source";

/** A runtime whose one command asks a server. */
async function asking(
  memory: SharedMemory,
  answer: (response: ServerResponse) => void,
  command: object = {},
): Promise<Runtime> {
  const base = await serve((request, response) => {
    request.resume();
    answer(response);
  });
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      api: { base_url: base },
      workflows: [
        {
          name: "w",
          label: "W",
          type: "generic",
          setup: {},
          data_pipeline: {
            source: {
              "!pipe": [{ "!http": { path: "/", ...command } }, { "!jq": "{n: (.items | length)}" }],
            },
          },
        },
      ],
    }),
  );
  return createRuntime(app, {
    ...nodeEffects({ allowPrivateNetwork: true }),
    credentials: credentialsInMemory({}),
    memory,
  });
}

const json = { "content-type": "application/json" };
const arrays = `{"items": [${"[],".repeat(700_000)}[]]}`;

async function kindOf(run: Promise<unknown>): Promise<string> {
  return await run.then(
    () => "done",
    (error: RunError) => error.kind,
  );
}

test("a run gives back what its answers took", async () => {
  const memory = new SharedMemory({ total: 256 * MB });
  let held = 0;
  const runtime = await asking(memory, (response) => {
    held = memory.held;
    response.writeHead(200, json).end(arrays);
  });
  expect(await runtime.run(node, { input: null })).toEqual({ n: 700_001 });
  expect(await runtime.run(node, { input: null })).toEqual({ n: 700_001 });
  expect([held, memory.held, memory.owners]).toEqual([0, 0, 0]);
});

test("an answer whose value is too large for any run is the run's own failure", async () => {
  const memory = new SharedMemory({ total: 64 * MB });
  const runtime = await asking(memory, (response) => response.writeHead(200, json).end(arrays));
  const error = await runtime.run(node, { input: null }).catch((reason: RunError) => reason);
  expect(error).toMatchObject({ kind: "LimitError" });
  expect((error as RunError).message).toMatch(
    /^The answer to GET .* can't be held: it takes \d+ MB of memory/,
  );
  expect(memory.held).toBe(0);
});

test("a body that unfolds to much is counted as it unfolds", async () => {
  const memory = new SharedMemory({ total: 16 * MB });
  const bomb = gzipSync(Buffer.alloc(9 * MB, " "));
  const runtime = await asking(memory, (response) =>
    response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(bomb),
  );
  expect(await kindOf(runtime.run(node, { input: null }))).toBe("LimitError");
  expect(memory.held).toBe(0);
});

test("what others hold is no fault of the run: it waits, and fails as its surroundings do", async () => {
  const memory = new SharedMemory({ total: 256 * MB, patience: 200 });
  const others = ["a", "b"].map((name) => memory.open(name));
  for (const room of others) room.take(memory.most);
  const runtime = await asking(memory, (response) => response.writeHead(200, json).end(arrays));
  expect(await kindOf(runtime.run(node, { input: null }))).toBe("MemoryError");
  const waiting = runtime.run(node, { input: null });
  others[0]?.close();
  expect(await waiting).toEqual({ n: 700_001 });
  others[1]?.close();
  expect([memory.held, memory.owners]).toEqual([0, 0]);
});

test("what may have changed something isn't to be sent again because its answer couldn't be held", async () => {
  const memory = new SharedMemory({ total: 256 * MB, patience: 50 });
  for (const name of ["a", "b"]) memory.open(name).take(memory.most);
  const write = { method: "POST", body: {} };
  const runtime = await asking(memory, (response) => response.writeHead(200, json).end(arrays), write);
  expect(await kindOf(runtime.run(node, { input: null }))).toBe("LimitError");
  const small = await asking(memory, (response) => response.writeHead(200, json).end('{"items": []}'), write);
  expect(await kindOf(small.run(node, { input: null }))).toBe("done");
});

test("answers that break off, are cut or cancelled give back what they took", async () => {
  const memory = new SharedMemory({ total: 256 * MB, patience: 50 });
  let turn = 0;
  const runtime = await asking(memory, (response) => {
    switch (turn++ % 4) {
      case 0:
        response.writeHead(200, { ...json, "content-length": 1_000_000 }).write(arrays.slice(0, 500_000));
        setTimeout(() => response.destroy(), 5);
        break;
      case 1:
        response.writeHead(200, json).end(arrays.slice(0, 1_000_000));
        break;
      case 2:
        response.writeHead(500, json).end(arrays.slice(0, 1_000_000));
        break;
      default:
        response.writeHead(200, json).write(arrays.slice(0, 500_000));
    }
  });
  const limits = { tries: 1, requestTime: 3_000 };
  const runs = Array.from({ length: 40 }, async (_, at) => {
    const controller = new AbortController();
    if (at % 5 === 0) setTimeout(() => controller.abort(), at);
    return await kindOf(
      runtime.run(node, { input: null, connection: `${at % 3}`, limits, signal: controller.signal }),
    );
  });
  const kinds = new Set(await Promise.all(runs));
  for (const kind of ["NetworkError", "HttpError"]) expect(kinds).toContain(kind);
  expect(kinds).not.toContain("done");
  expect([memory.held, memory.owners]).toEqual([0, 0]);
});
