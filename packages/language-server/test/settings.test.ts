import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { Session } from "./support/session.ts";

/** What the editor says of settings: asked for, changed, and null. */
const text = readFileSync(new URL("../../cli/templates/outbound.app.json", import.meta.url), "utf8").replace(
  '"name": "acme-',
  '"name": "Acme ',
);
let session: Session;
afterEach(() => session.dispose());

const codes = (uri: string) =>
  session.published
    .filter((each) => each.uri === uri)
    .at(-1)
    ?.diagnostics.map(({ code }) => code);

async function startWith(answer: () => unknown): Promise<Session> {
  session = await Session.start({ workspace: { configuration: true } }, (connection) =>
    connection.onRequest("workspace/configuration", () => [answer()]),
  );
  return session;
}

test("a null answer means defaults", async () => {
  await startWith(() => null);
  const { uri } = await session.open(text);
  await expect.poll(() => codes(uri)?.includes("style/workflow-name")).toBe(true);
});

test("levels of rules, and their change", async () => {
  let level = "off";
  await startWith(() => ({ rules: { "style/workflow-name": level } }));
  const { uri } = await session.open(text);
  await expect.poll(() => codes(uri)?.includes("style/workflow-name")).toBe(false);
  level = "error";
  await session.connection.sendNotification("workspace/didChangeConfiguration", { settings: null });
  await expect.poll(() => codes(uri)?.includes("style/workflow-name")).toBe(true);
});

test("a rule that is off is left alone when all safe fixes are applied", async () => {
  let level = "off";
  await startWith(() => ({ rules: { "style/legacy-separator": level } }));
  const { uri } = await session.open(
    text.replace("${custom_data.list.value}", "${custom_data::list::value}"),
  );
  const fixAll = () =>
    session.request<unknown[]>("textDocument/codeAction", {
      textDocument: { uri },
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
      context: { diagnostics: [], only: ["source.fixAll"] },
    });
  await expect.poll(() => codes(uri)?.includes("style/legacy-separator")).toBe(false);
  expect(await fixAll()).toEqual([]);
  level = "warning";
  await session.connection.sendNotification("workspace/didChangeConfiguration", { settings: null });
  await expect.poll(() => codes(uri)?.includes("style/legacy-separator")).toBe(true);
  expect(await fixAll()).toHaveLength(1);
});

test("settings of a wrong shape are passed over", async () => {
  await startWith(() => ({ language: 7, rules: "none", origins: [1] }));
  const { uri } = await session.open(text);
  await expect.poll(() => codes(uri)?.includes("style/workflow-name")).toBe(true);
});
