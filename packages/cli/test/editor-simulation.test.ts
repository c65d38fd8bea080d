import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CancellationTokenSource, type ProtocolConnection } from "vscode-languageserver/node";
import { templatePath } from "./support/cli.ts";
import { type Editor, openEditor } from "./support/editor.ts";

/** `configc/simulate` of the command as it was built, in a thread of its own. */
const uri = "file:///simulated.app.json";
let editor: Editor;
let client: ProtocolConnection;
beforeAll(async () => {
  editor = await openEditor();
  client = editor.client;
  const text = readFileSync(templatePath("inbound-polling"), "utf8");
  const textDocument = { uri, languageId: "appconfig", version: 1, text };
  await client.sendNotification("textDocument/didOpen", { textDocument });
});
afterAll(() => editor?.close());

interface Simulated {
  readonly report: {
    readonly parts: readonly {
      readonly kind: string;
      readonly worlds: number;
      readonly failures: unknown[];
      readonly failsAnyway?: boolean;
    }[];
  };
  readonly told: { readonly parts: readonly (readonly string[])[] };
}

test("a simulation answers with its report", async () => {
  const { report } = await client.sendRequest<Simulated>("configc/simulate", {
    textDocument: { uri },
    seeds: 0,
    days: 0,
  });
  expect(report.parts.map(({ kind }) => kind)).toEqual(["polling", "setup"]);
  const [part] = report.parts;
  expect(part?.worlds).toBeGreaterThan(10);
  expect(part?.failures).toEqual([]);
});

test("meanwhile other requests are answered, and it ends when nobody wants it any more", async () => {
  const source = new CancellationTokenSource();
  let isOver = false;
  const simulated = client
    .sendRequest("configc/simulate", { textDocument: { uri }, time: 60_000 }, source.token)
    .finally(() => {
      isOver = true;
    });
  const ended = expect(simulated).rejects.toThrow();
  const position = { line: 1, character: 4 };
  expect(await client.sendRequest("textDocument/hover", { textDocument: { uri }, position })).not.toBeNull();
  expect(isOver).toBe(false);
  source.cancel();
  await ended;
});

test("what check finds an error in isn't blamed on the service", async () => {
  const broken = "file:///failing.app.json";
  const leads = new URL("../../simulate/test/right/signed-leads.app.json", import.meta.url);
  const text = readFileSync(leads, "utf8").replace('"scope": "workflow"\n', '"scope": "account"\n');
  const textDocument = { uri: broken, languageId: "appconfig", version: 1, text };
  await client.sendNotification("textDocument/didOpen", { textDocument });
  const { report, told } = await client.sendRequest<Simulated>("configc/simulate", {
    textDocument: { uri: broken },
    seeds: 0,
    days: 0,
  });
  expect(report.parts[0]).toMatchObject({ failsAnyway: true, worlds: 0 });
  expect(told.parts[0]?.join()).toMatch(
    /^It can't run with any service: `configc check` finds an error at \d+:\d+: `account`/,
  );
});
