import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Hover, SignatureHelp } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { baseFile } from "../../compiler/test/support/bases.ts";
import { clientOf } from "./support/in-process.ts";
import { Session } from "./support/session.ts";

/** What is told of each kind of thing: the characters that it is about, and words that have to be in it. */
const template = (name: string) => readFileSync(baseFile(name), "utf8");
let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session.dispose());

const cases: readonly {
  name: string;
  in: string;
  at: readonly [string, string];
  about: string;
  says: readonly string[];
}[] = [
  {
    name: "a member",
    in: "inbound-webhook",
    at: ['"data_intake": "sub', '"data_in┆take": "sub'],
    about: '"data_intake"',
    says: ["workflow", "inbound", "```"],
  },
  {
    name: "the name of an auth entry",
    in: "outbound",
    at: ['"auth": {\n    "acme"', '"auth": {\n    "ac┆me"'],
    about: "acme",
    says: ["auth entry", "1 use"],
  },
  {
    name: "a comment",
    in: "outbound",
    at: ['"$version": "2"', '"_com┆ment": "Ours.", "$version": "2"'],
    about: '"_comment"',
    says: ["configc-ignore", "extended"],
  },
  {
    name: "a command, with the types of what it takes and gives",
    in: "inbound-webhook",
    at: ['"!jq": "{hook_id: .id}"', '"!j┆q": "{hook_id: .id}"'],
    about: '"!jq"',
    says: ["jq", "output: {hook_id: unknown}"],
  },
  {
    name: "a value from a list",
    in: "inbound-webhook",
    at: ['"scope": "workflow",\n', '"scope": "work┆flow",\n'],
    about: '"workflow"',
    says: ["`connection`"],
  },
  {
    name: "a value that is no text",
    in: "outbound",
    at: ['"type": "dropdown",', '"type": "dropdown", "required": tr┆ue,'],
    about: "true",
    says: ["required", "default `true`"],
  },
  {
    name: "a resource",
    in: "inbound-webhook",
    at: ['"PlatformContact.fields"', '"PlatformCon┆tact.fields"'],
    about: '"PlatformContact.fields"',
    says: ["resource of the platform", "`{id, title, required}`"],
  },
  {
    name: "a form field in an expansion",
    in: "inbound-webhook",
    at: ["/forms/${custom_data.form.value}/hooks", "/forms/${custom_data.fo┆rm.value}/hooks"],
    about: "custom_data.form.value",
    says: ["dropdown", "required", "Form"],
  },
  {
    name: "an expansion, at what isn't its path",
    in: "inbound-webhook",
    at: ["/forms/${custom_data.form.value}/hooks", "/forms/${┆ custom_data.form.value }/hooks"],
    about: "${ custom_data.form.value }",
    says: ["dropdown"],
  },
  {
    name: "a saved value",
    in: "inbound-webhook",
    at: ["${data.workflow.hook_id}", "${data.workflow.hook┆_id}"],
    about: "data.workflow.hook_id",
    says: ["`!save`"],
  },
  {
    name: "the filter",
    in: "inbound-webhook",
    at: ["${custom_data.form.value}/hooks", "${custom_data.form.value | defa┆ult}/hooks"],
    about: "default",
    says: ["skipped"],
  },
  {
    name: "the declaration of a name",
    in: "inbound-webhook",
    at: ['"name": "submission.created"', '"name": "submission┆.created"'],
    about: "submission.created",
    says: ["data intake", "1 use"],
  },
  {
    name: "a builtin of jq",
    in: "inbound-webhook",
    at: ["| from_entries", "| from_ent┆ries"],
    about: "from_entries",
    says: ["from_entries", "→"],
  },
  {
    name: "an expression of a jq program, with its types",
    in: "inbound-polling",
    at: ["+ 1 else", "┆+ 1 else"],
    about: "${polling_state.page} + 1",
    says: ["number"],
  },
];

describe("tells of", () => {
  test.each(cases)("$name", async ({ in: name, at: [from, to], about, says }) => {
    const text = template(name);
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
    const { result, opened } = await session.at<Hover>(
      "textDocument/hover",
      text.replace(from, () => to),
    );
    expect(opened.document.getText(result.range!)).toBe(about);
    for (const words of says) expect((result.contents as { value: string }).value).toContain(words);
  });
});

test("no hover speaks of our decisions by number", async () => {
  const text = template("inbound-webhook");
  const opened = await session.open(text);
  const said: string[] = [];
  for (const { index } of text.matchAll(/\w+"/g)) {
    const position = opened.document.positionAt(index);
    const textDocument = { uri: opened.uri };
    const hover = await session.request<Hover | null>("textDocument/hover", { textDocument, position });
    if (hover !== null) said.push((hover.contents as { value: string }).value);
  }
  expect(said.length).toBeGreaterThan(50);
  expect(said.filter((each) => /\b[DE]\d{1,2}\b/.test(each))).toEqual([]);
});

test("nothing is told between things", async () => {
  const { result } = await session.at<Hover | null>("textDocument/hover", '{"a": 1, ┆ "b": 2}');
  expect(result).toBeNull();
});

test("the parameters of a jq function, with the one that is being written", async () => {
  const text = template("inbound-webhook").replace('"{hook_id: .id}"', '".id | sub(\\"a\\"; ┆"');
  const { result } = await session.at<SignatureHelp>("textDocument/signatureHelp", text);
  expect(result.activeParameter).toBe(1);
  expect(result.signatures.map(({ label }) => label)).toEqual(
    expect.arrayContaining(["sub($regex; replacement)"]),
  );
});

test("where a value comes from, and what it was in samples", async () => {
  const response = {
    items: [
      { title: "Sign up", id: 7 },
      { title: "Feedback", id: 8 },
    ],
  };
  const client = await clientOf({
    samplesOf: () => ({
      responses: [{ name: "get-forms.json", method: "GET", url: "/forms", status: 200, body: response }],
    }),
  });
  const hovered = async (from: string, to: string): Promise<string> => {
    const text = template("inbound-webhook").replace(from, () => to);
    const offset = text.indexOf("┆");
    const uri = `untitled:${offset}.app.json`;
    const document = TextDocument.create(uri, "appconfig", 1, text.replace("┆", ""));
    await client.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "appconfig", version: 1, text: document.getText() },
    });
    const position = document.positionAt(offset);
    const hover = await client.sendRequest<Hover>("textDocument/hover", { textDocument: { uri }, position });
    return (hover.contents as { value: string }).value;
  };
  const lines = '<- .items[].title <- GET /forms <- get-forms.json\nin samples: "Sign up", "Feedback"';
  expect(await hovered(".title, value", ".tit┆le, value")).toContain(lines);
  expect(
    await hovered('"!http": { "method": "GET", "path": "/forms" }', '"!ht┆tp": { "path": "/forms" }'),
  ).toContain("output: {items: {title: string, id: number, …}[], …}");
  const chosen = await hovered(
    "/forms/${custom_data.form.value}/hooks",
    "/forms/${custom_data.fo┆rm.value}/hooks",
  );
  expect(chosen).toContain(
    "<- custom_data.form.value <- the form field `form` <- .items[].id <- GET /forms <- get-forms.json\nin samples: 7, 8",
  );
  expect(chosen).toContain("```\nnumber\n<-");
  client.dispose();
});
