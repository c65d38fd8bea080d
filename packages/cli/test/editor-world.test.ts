import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { RunInfo, RunStepResult } from "@configc/language-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientOf } from "../../language-server/test/support/in-process.ts";
import { editorEnvironment } from "../src/run/editor-environment.ts";

const uri = "untitled:writes.app.json";
let api: Server;
let requests = 0;
let client: Awaited<ReturnType<typeof clientOf>>;

beforeAll(async () => {
  api = createServer((_, response) => {
    requests++;
    response.setHeader("content-type", "application/json").end('{"id": 7}');
  });
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  client = await clientOf({ runWorld: editorEnvironment });
  const { port } = api.address() as AddressInfo;
  const text = JSON.stringify({
    api: { base_url: `http://127.0.0.1:${port}` },
    workflows: [
      {
        name: "notes",
        data_pipeline: {
          source: { "!jq": "." },
          target: {
            "!pipe": [
              { "!http": { path: "/lists" } },
              { "!http": { method: "POST", path: "/notes", body: { text: "hello" } } },
              { "!http": { method: "delete", url: "https://other.example.com/x", target: "external" } },
            ],
          },
        },
      },
    ],
  });
  await client.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text },
  });
});
afterAll(() => {
  client.dispose();
  api.close();
});

const target = "/workflows/0/data_pipeline/target";
const run = (more: object): Promise<RunStepResult> =>
  client.sendRequest("configc/runStep", {
    textDocument: { uri },
    node: `${target}/!pipe/1`,
    extent: "pipe",
    input: { text: "hello" },
    allowPrivateNetwork: true,
    ...more,
  });

test("a dry run shows its requests, and nothing is sent", async () => {
  const { output, steps } = await run({ dryRun: true });
  expect(requests).toBe(0);
  expect(output).toEqual({});
  const exchanges = steps.flatMap((step) => step.exchanges);
  expect(exchanges).toMatchObject([
    { method: "GET", failure: "not sent" },
    { method: "POST", failure: "not sent" },
  ]);
  expect(exchanges.every((each) => each.response === undefined)).toBe(true);
  const sent = await run({});
  expect([requests, sent.output]).toEqual([2, { id: 7 }]);
});

test("a refused address is told as that, so that an editor can offer to allow it", async () => {
  const { failure } = await run({ allowPrivateNetwork: false, node: `${target}/!pipe/0` });
  expect(failure).toMatchObject({ kind: "NetworkError", refused: true });
});

test("what a run may change is known before it begins", async () => {
  const info = (node: string) =>
    client.sendRequest<RunInfo>("configc/runInfo", { textDocument: { uri }, node });
  expect((await info(`${target}/!pipe/1`)).writes).toEqual([
    { pointer: `${target}/!pipe/1`, method: "POST", address: "/notes" },
    { pointer: `${target}/!pipe/2`, method: "DELETE", address: "https://other.example.com/x" },
  ]);
  expect((await info("/workflows/0/data_pipeline/source")).writes).toEqual([]);
});
