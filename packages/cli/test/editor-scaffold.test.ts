import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ProposedConfig, WrittenConfig } from "@configc/language-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProtocolConnection } from "vscode-languageserver/node";
import { configc, folderWith } from "./support/cli.ts";
import { type Editor, openEditor } from "./support/editor.ts";

/** `configc/proposeConfig` and `configc/writeConfig` of the command as it was built: what a page of an editor shows, and what it writes. */
const described = new URL("../../scaffold/test/described/webhooks-and-list.json", import.meta.url);
let editor: Editor;
let client: ProtocolConnection;
beforeAll(async () => {
  editor = await openEditor();
  client = editor.client;
});
afterAll(() => editor?.close());

const cwd = folderWith({
  "api/lantern.json": readFileSync(described, "utf8"),
  "notes.txt": "nothing of an API",
});
const uri = (name: string): string => pathToFileURL(join(cwd, name)).href;
const from = uri("api/lantern.json");

test("a description is shown as a config, with what each part rests on and what may be chosen", async () => {
  const first = await client.sendRequest<ProposedConfig>("configc/proposeConfig", { from });
  expect(first).toMatchObject({ name: "lantern", title: "Lantern" });
  expect(first.told.some(({ isOpen }) => isOpen)).toBe(true);
  expect(JSON.parse(first.text)).toMatchObject({ data_intake: [{ type: "webhook" }, { type: "polling" }] });
  const list = first.choices.read.find((each) => each.startsWith("GET "))!;
  const other = await client.sendRequest<ProposedConfig>("configc/proposeConfig", { from, read: list });
  expect(JSON.parse(other.text)).toMatchObject({ data_intake: [{ type: "polling" }] });
  const none = client.sendRequest("configc/proposeConfig", { from, read: "" });
  await expect(none).rejects.toThrow("no request that takes a contact");
  expect(existsSync(join(cwd, "lantern.app.json"))).toBe(false);
});

test("it is written with the settings that name the document, and never over another config", async () => {
  const params = { from, config: uri("lantern.app.json") };
  const { notes } = await client.sendRequest<WrittenConfig>("configc/writeConfig", params);
  expect(notes[0]).toBe("configc.config.json names api/lantern.json: types come from there.");
  expect(configc(["check", "lantern.app.json"], { cwd }).status).toBe(0);
  const before = readFileSync(join(cwd, "lantern.app.json"), "utf8");
  await expect(client.sendRequest("configc/writeConfig", params)).rejects.toThrow(
    "lantern.app.json exists already.",
  );
  expect(readFileSync(join(cwd, "lantern.app.json"), "utf8")).toBe(before);
});

test("what isn't a description is told, with what is", async () => {
  const asked = client.sendRequest("configc/proposeConfig", { from: uri("notes.txt") });
  await expect(asked).rejects.toThrow("What describes an API is an OpenAPI or Swagger document");
});
