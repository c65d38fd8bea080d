import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CodeAction } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { Session } from "./support/session.ts";

/** What can be done about findings, and what the document is after it. */
const template = (name: string) =>
  readFileSync(new URL(`../../cli/templates/${name}.app.json`, import.meta.url), "utf8");
let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session.dispose());

async function actions(marked: string, only?: string[] | null) {
  const opened = await session.open(marked);
  const at = opened.positions[0] ?? { line: 0, character: 0 };
  const result = await session.request<CodeAction[]>("textDocument/codeAction", {
    textDocument: { uri: opened.uri },
    range: { start: at, end: at },
    context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
  });
  const apply = (title: string): string => {
    const action = result.find((each) => each.title === title);
    if (action === undefined)
      throw new Error(`no "${title}" in ${result.map((each) => each.title).join(", ")}`);
    return TextDocument.applyEdits(opened.document, action.edit!.changes![opened.uri]!);
  };
  return { result, apply };
}

const mended: readonly { name: string; replace: readonly [string, string]; title: string; gives: string }[] =
  [
    {
      name: "a misspelled field",
      replace: ["/forms/${custom_data.form.value}/hooks", "/forms/${custom_data.fo┆rn.value}/hooks"],
      title: "Change to `form`",
      gives: "/forms/${custom_data.form.value}/hooks",
    },
    {
      name: "a stream where a list is wanted",
      replace: ["[.items[] | {display: .title, value: .id}]", ".it┆ems[] | {display: .title, value: .id}"],
      title: "Wrap in `[ … ]`",
      gives: "[.items[] | {display: .title, value: .id}]",
    },
    {
      name: "the old spelling of an expansion",
      replace: ["/forms/${custom_data.form.value}/hooks", "/forms/${custom_data:┆:form::value}/hooks"],
      title: "Change each `::` to `.`",
      gives: "/forms/${custom_data.form.value}/hooks",
    },
  ];

test("missing members are added at once, as the table's examples, where the others stand", async () => {
  const text = template("inbound-webhook")
    .replace(/"connect": \{[\s\S]*?\n {8}\},/, '"conn┆ect": {\n          "help_text": "x"\n        },')
    .replaceAll("\n", "\r\n");
  const { apply, result } = await actions(text);
  const after = apply("Add the 2 missing members");
  expect(after).toContain('"help_text": "x",\r\n          "label": "');
  expect(JSON.parse(after).workflows[0].setup.connect).toEqual({
    help_text: "x",
    label: expect.any(String),
    describe_connection: expect.any(Object),
  });
  expect(after).not.toMatch(/[^\r]\n/);
  expect(result.map(({ title }) => title)).not.toContain("Add `label`");
});

test("one of several members, on the line of the others", async () => {
  const { apply } = await actions(
    '{"data_intake": [{"type": "webhook", "create": {"!ht┆tp": {"method": "PUT"}}}]}',
  );
  expect(JSON.parse(apply("Add `path`")).data_intake[0].create["!http"]).toEqual({
    method: "PUT",
    path: expect.stringMatching(/^\//),
  });
});

test("the other form of an expansion", async () => {
  const text = template("inbound-webhook").replace("${webhook.url}", "$<webhook.┆url>");
  const { apply } = await actions(text, ["refactor"]);
  expect(apply("Write as `${…}`")).toContain('"url": "${webhook.url}"');
});

describe("mends", () => {
  test.each(mended)("$name", async ({ replace: [from, to], title, gives }) => {
    const { apply } = await actions(template("inbound-webhook").replace(from, () => to));
    expect(apply(title)).toContain(gives);
  });
});

test("silences a hint with a reason, in the object that may have a comment", async () => {
  const text = template("inbound-webhook").replace(
    '"name": "acme-import-submissions"',
    '"name": "Acme ┆Import"',
  );
  const { apply } = await actions(text);
  const after = apply("Silence `style/workflow-name` here, with a reason");
  expect(after).toContain('"_comment": "configc-ignore style/workflow-name: REASON"');
  expect(() => JSON.parse(after)).not.toThrow();
  const { result } = await actions(after.replace("Acme Import", "Acme ┆Import"));
  expect(result.map(({ title }) => title)).not.toContain("Silence `style/workflow-name` here, with a reason");
});

test("an error can't be silenced", async () => {
  const { result } = await actions(template("outbound").replace('"auth": "acme"', '"auth": "no┆pe"'));
  expect(result.filter(({ title }) => title.startsWith("Silence"))).toEqual([]);
});

test("all safe fixes at once, only if asked for or there are some", async () => {
  const clean = await actions(template("outbound"), ["source.fixAll"]);
  expect(clean.result).toEqual([]);
  const text = template("inbound-webhook")
    .replace('"$version": "2"', '"$version": "1"')
    .replace("${custom_data.form.value}/hooks", "${custom_data::form::value}/hooks");
  const { result, apply } = await actions(text, ["source.fixAll"]);
  expect(apply(result[0]!.title)).toBe(template("inbound-webhook"));
});

test.each([undefined, null, []])("every kind of action where the client asks for none: %o", async (only) => {
  const text = template("outbound").replace('"auth": "acme"', '"auth": "acm┆"');
  const { result } = await actions(text, only);
  expect(result.map(({ kind }) => kind)).toContain("quickfix");
});
