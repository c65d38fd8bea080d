import { PassThrough } from "node:stream";
import type { Samples } from "@configc/compiler";
import { startServer } from "@configc/language-server";
import { expect, test } from "vitest";
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

test("the definition of a request is what was learned from: the samples beside the config", async () => {
  const client = await clientOf({
    samplesOf: () => ({
      responses: ["me (2).json", "two.json (1)", "two.json (2)", "elsewhere.json"].map((name) => ({
        name,
        method: "GET",
        url: "/me",
        status: 200,
        body: { id: 1 },
      })),
      own: ["me (2).json", "two.json (1)", "two.json (2)"],
    }),
  });
  const textDocument = { uri: "file:///apps/a%20b.app.jsonc", languageId: "appconfig", version: 1, text };
  await client.sendNotification("textDocument/didOpen", { textDocument });
  const definition = (place: string) =>
    client.sendRequest<Location[] | null>("textDocument/definition", {
      textDocument,
      position: { line: 0, character: text.indexOf(place) + 1 },
    });
  expect((await definition('"!http"'))?.map(({ uri }) => uri)).toEqual([
    "file:///apps/a%20b.samples/me%20(2).json",
    "file:///apps/a%20b.samples/two.json",
  ]);
  expect(await definition('"!jq"')).toBeNull();
  client.dispose();
});
