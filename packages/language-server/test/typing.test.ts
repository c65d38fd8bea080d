import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CompletionList, ProtocolConnection, TextEdit } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { cases } from "../../../test/support/cases.ts";
import { baseFile } from "../../compiler/test/support/bases.ts";
import { clientOf } from "./support/in-process.ts";

/** A config that is being written: nothing stands behind the cursor yet, quotes and brackets aren't closed. */
const template = (name: string) => readFileSync(baseFile(name), "utf8");
let client: ProtocolConnection;
let opened = 0;
beforeAll(async () => {
  // One that asks for diagnostics itself, and doesn't: they take most of the time.
  client = await clientOf({}, { textDocument: { diagnostic: {} } });
});
afterAll(() => client.dispose());

async function offered(text: string, name = `typing-${++opened}`): Promise<CompletionList> {
  const uri = `untitled:${name}.app.json`;
  const document = TextDocument.create(uri, "appconfig", 1, text);
  await client.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text },
  });
  const position = document.positionAt(text.length);
  return client.sendRequest("textDocument/completion", { textDocument: { uri }, position });
}

describe("offers at the end of an unfinished string", () => {
  const cases: { what: string; in: string; upTo: string; offers: readonly string[] }[] = [
    {
      what: "roots",
      in: "inbound-webhook",
      upTo: '"url": "${',
      offers: ["webhook", "data", "piped_content"],
    },
    { what: "half a root", in: "inbound-webhook", upTo: '"path": "/hooks/${da', offers: ["data"] },
    {
      what: "saved keys",
      in: "inbound-webhook",
      upTo: '"path": "/hooks/${data.workflow.',
      offers: ["hook_id"],
    },
    { what: "fields", in: "inbound-webhook", upTo: '"!jq": ".custom_data.', offers: ["form"] },
    {
      what: "roots in a program",
      in: "inbound-webhook",
      upTo: '"resource_id": { "!jq": ".',
      offers: ["custom_data", "data"],
    },
    {
      what: "polling keys, of a state that isn't finished",
      in: "inbound-polling",
      upTo: '"page": "${polling_state.',
      offers: ["page", "since"],
    },
    {
      what: "builtins",
      in: "inbound-webhook",
      upTo: '"!jq": "[.items[] | {display: .title | ascii_',
      offers: ["ascii_downcase"],
    },
  ];
  test.each(cases)("$what", async ({ in: name, upTo, offers }) => {
    const text = template(name).replace("display: .title,", "display: .title | ascii_downcase,");
    const at = text.indexOf(upTo);
    if (at < 0) throw new Error(`${name} has no ${upTo}`);
    const { items } = await offered(text.slice(0, at + upTo.length));
    expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining([...offers]));
  });
});

test("no variable that a hosted config can't read", async () => {
  const text = template("inbound-webhook");
  const upTo = '"resource_id": { "!jq": "';
  const { items } = await offered(`${text.slice(0, text.indexOf(upTo) + upTo.length)}. as $x | $`);
  expect(items.map(({ label }) => label)).toEqual(["x", "__loc__"]);
});

test("character by character: what is replaced is around the cursor", async () => {
  const text = template("inbound-webhook").replaceAll('"Form"', '"F\\u00f6rm 🧍"');
  const from = text.indexOf('"form_fields"');
  const uri = "untitled:typed.app.json";
  let document = TextDocument.create(uri, "appconfig", 1, text.slice(0, from));
  await client.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text: document.getText() },
  });
  let completed = 0;
  const count = cases(800, 300);
  for (let at = from + 1; at <= from + count; at++) {
    const end = document.positionAt(at - 1);
    const contentChanges = [{ range: { start: end, end }, text: text.charAt(at - 1) }];
    document = TextDocument.update(document, contentChanges, at);
    await client.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: at },
      contentChanges,
    });
    const position = document.positionAt(at);
    const { items } = await client.sendRequest<CompletionList>("textDocument/completion", {
      textDocument: { uri },
      position,
    });
    if (items.length > 0) completed++;
    for (const { label, textEdit } of items) {
      const { range } = textEdit as TextEdit;
      const around =
        range.start.line === position.line &&
        range.end.line === position.line &&
        range.start.character <= position.character &&
        position.character <= range.end.character;
      expect(around, `${label} after ${text.slice(Math.max(0, at - 40), at)}`).toBe(true);
    }
  }
  expect(completed).toBeGreaterThan(count / 2);
});
