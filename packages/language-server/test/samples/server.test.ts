import { PassThrough } from "node:stream";
import type { Samples } from "@configc/compiler";
import { startServer } from "@configc/language-server";
import { describe, expect, test } from "vitest";
import {
  createConnection,
  createProtocolConnection,
  type Location,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { clientOf } from "../support/in-process.ts";

/** The server takes samples from its host, and looks again when more has become known. */

const text = JSON.stringify({
  workflows: [
    {
      setup: {
        connect: {
          describe_connection: {
            "!pipe": [{ "!http": { path: "/me" } }, { "!jq": "{account_id: .idd, description: .name}" }],
          },
        },
      },
    },
  ],
});
const withMember = (name: string): Partial<Samples> => ({
  responses: [{ name: "me.json", method: "GET", url: "/me", status: 200, body: { [name]: 1, name: "x" } }],
});

test("samples that become known later", async () => {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  let known: Partial<Samples> = {};
  let tell = (): void => {};
  startServer(createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient)), {
    samplesOf: (_, changed) => {
      tell = changed;
      return known;
    },
  });
  const client = createProtocolConnection(
    new StreamMessageReader(toClient),
    new StreamMessageWriter(toServer),
  );
  const published: PublishDiagnosticsParams[] = [];
  let wake = (): void => {};
  const next = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  client.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
    published.push(params);
    wake();
  });
  client.listen();
  await client.sendRequest("initialize", { processId: null, rootUri: null, capabilities: {} });
  await client.sendNotification("initialized", {});
  const first = next();
  const textDocument = { uri: "file:///a.app.json", languageId: "appconfig", version: 1, text };
  await client.sendNotification("textDocument/didOpen", { textDocument });
  await first;
  const codes = (): unknown[] => published.at(-1)?.diagnostics.map(({ code }) => code) ?? [];
  expect(codes()).not.toContain("response/misspelled-member");
  known = withMember("id_d");
  const second = next();
  tell();
  await second;
  expect(codes()).toContain("response/misspelled-member");
  client.dispose();
});

describe("the definition of what types are learned from is where it is kept", () => {
  const file = (name: string): string => `file:///apps/a%20b.samples/${name}`;
  const me = { method: "GET", url: "/me", status: 200, body: { id: 1 } };
  const hook = { webhook: "person.created", payload: { id: 1 } };
  const samples: Partial<Samples> = {
    responses: [
      { ...me, name: "me (2).json", uri: file("me%20(2).json") },
      { ...me, name: "two.json (1)", uri: file("two.json") },
      { ...me, name: "two.json (2)", uri: file("two.json") },
      // Named by the settings, and for several configs.
      { ...me, name: "me.json", uri: "file:///shared/me.json" },
      { ...me, name: "in no file" },
      { ...me, name: "you.json", url: "/you", uri: file("you.json") },
    ],
    payloads: [
      { ...hook, name: "created.json", uri: file("created.json") },
      { ...hook, name: "shared.json (1)", uri: "file:///shared/hooks.json" },
      { ...hook, name: "other.json", webhook: "person.deleted", uri: file("other.json") },
    ],
  };
  const config = text.replace(
    "{",
    '{"data_intake": [{"type": "webhook", "name": "person.created", "create": {"!http": {"method": "POST", "path": "/hooks"}}}], ',
  );

  test.each<[string, string, readonly string[] | undefined]>([
    [
      "the key of a request",
      '"!http": {"path": "/me"',
      [file("me%20(2).json"), file("two.json"), "file:///shared/me.json"],
    ],
    ["the create of a webhook", '"create"', [file("created.json"), "file:///shared/hooks.json"]],
    ["the request in it, of which nothing is known", '"!http": {"method"', undefined],
    ["what is no request", '"!jq"', undefined],
  ])("%s", async (_, place, expected) => {
    const client = await clientOf({ samplesOf: () => samples });
    const textDocument = { uri: "file:///apps/a%20b.app.jsonc", languageId: "appconfig", version: 1 };
    const written = config
      .replace('"!http":{"path"', '"!http": {"path"')
      .replace('"path":"/me"', '"path": "/me"');
    await client.sendNotification("textDocument/didOpen", {
      textDocument: { ...textDocument, text: written },
    });
    const position = { line: 0, character: written.indexOf(place) + 1 };
    const found = await client.sendRequest<Location[] | null>("textDocument/definition", {
      textDocument,
      position,
    });
    expect(written).toContain(place);
    expect(found?.map(({ uri }) => uri)).toEqual(expected);
    client.dispose();
  });
});
