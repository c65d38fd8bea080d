import { describe, expect, test } from "vitest";
import { runCommand } from "../support/app.ts";
import { type Answer, serve } from "../support/server.ts";

async function answered(answer: Answer | undefined, program: string, method = "GET") {
  const { origin } = await serve(() => answer);
  const command = { "!pipe": [{ "!http": { path: "/", method } }, { "!jq": program }] };
  return await runCommand(command, { api: { base_url: origin } });
}

const json = { "content-type": "application/json; charset=utf-8" };

const values: readonly {
  name: string;
  answer: Answer | undefined;
  program?: string;
  method?: string;
  output: unknown;
}[] = [
  { name: "D20 an object is the output", answer: { json: { items: [1] } }, program: ".items", output: [1] },
  {
    name: "D20 .body gives the whole object",
    answer: { json: { items: [1] } },
    program: ".body.items",
    output: [1],
  },
  {
    name: "D20 .body by an expansion",
    answer: { json: { items: [1] } },
    program: "${piped_content.1.body.items}",
    output: [1],
  },
  {
    name: 'D20 .["body"] as well',
    answer: { json: { items: [1] } },
    program: '.["body"].items',
    output: [1],
  },
  { name: "D20 a member body of its own wins", answer: { json: { body: 1 } }, program: ".body", output: 1 },
  { name: "D20 keys don't see it", answer: { json: { a: 1 } }, program: "keys", output: ["a"] },
  { name: "D20 iteration doesn't see it", answer: { json: { a: 1 } }, program: "[.[]]", output: [1] },
  {
    name: "D20 to_entries doesn't see it",
    answer: { json: { a: 1 } },
    program: "to_entries",
    output: [{ key: "a", value: 1 }],
  },
  { name: "D20 equality doesn't see it", answer: { json: { a: 1 } }, program: ". == {a: 1}", output: true },
  { name: "D20 length doesn't see it", answer: { json: { a: 1 } }, program: "length", output: 1 },
  { name: "D20 text doesn't see it", answer: { json: { a: 1 } }, program: "tojson", output: '{"a":1}' },
  {
    name: "D20 recursion doesn't see it",
    answer: { json: { a: 1 } },
    program: "[..]",
    output: [{ a: 1 }, 1],
  },
  {
    name: "D20 an assignment copies what is seen",
    answer: { json: { a: 1 } },
    program: ".b = 2",
    output: { a: 1, b: 2 },
  },
  {
    name: "D20 a merge copies what is seen",
    answer: { json: { a: 1 } },
    program: ". + {b: 2} | [.body, .a]",
    output: [null, 1],
  },
  { name: "D20 an array", answer: { json: [1, 2] }, program: ".body[]", output: 1 },
  { name: "D20 a text", answer: { raw: "fine" }, program: ".", output: { body: "fine" } },
  { name: "D20 an empty body", answer: undefined, program: ".", output: { body: null } },
  {
    name: "D20 a HEAD request",
    answer: { json: { a: 1 } },
    method: "HEAD",
    program: ".",
    output: { body: null },
  },
  { name: "D20 a scalar", answer: { json: 5 }, program: ".", output: { body: 5 } },
  {
    name: "JSON that says plain text",
    answer: { raw: '{"a":1}', headers: { "content-type": "text/plain" } },
    program: ".a",
    output: 1,
  },
  ...[
    "text/html",
    "text/html; charset=utf-8",
    "application/javascript",
    "application/x-json",
    "image/png",
  ].map((type) => ({
    name: `D20 JSON that says ${type}`,
    answer: { raw: '{"a":1}', headers: { "content-type": type } },
    program: ".a",
    output: 1,
  })),
  {
    name: "a page in brackets is no JSON",
    answer: { raw: "[a] <b>", headers: { "content-type": "text/html" } },
    program: ".body",
    output: "[a] <b>",
  },
  {
    name: "a number in plain text stays text",
    answer: { raw: "0123", headers: { "content-type": "text/plain" } },
    program: ".body",
    output: "0123",
  },
  {
    name: "JSON of a vendor's type",
    answer: { raw: '{"a":1}', headers: { "content-type": "application/vnd.api+json" } },
    program: ".a",
    output: 1,
  },
  ...["<p>no</p>", "OK", '{"a":1}\n{"a":2}', '{"a":"[{"} and more', "[a] {b", "{]"].map((raw) => ({
    name: `what says JSON and is none, but whole, is text: ${raw}`,
    answer: { raw, headers: json },
    program: ".body",
    output: raw,
  })),
  { name: "a byte order mark", answer: { raw: '\ufeff{"a":1}', headers: json }, program: ".a", output: 1 },
  {
    name: "another encoding",
    answer: {
      raw: Buffer.from([0x22, 0xfc, 0x22]),
      headers: { "content-type": "application/json; charset=iso-8859-1" },
    },
    program: ".body",
    output: "ü",
  },
  {
    name: "another encoding, in the wrong quotes",
    answer: {
      raw: Buffer.from([0x22, 0xfc, 0x22]),
      headers: { "content-type": "application/json; charset='iso-8859-1'" },
    },
    program: ".body",
    output: "ü",
  },
  ...["", "; charset=utf-16", "; charset=utf-8"].flatMap((charset) =>
    ["le", "be"].map((order) => {
      const bytes = Buffer.from('\ufeff{"a":"ü"}', "utf16le");
      return {
        name: `a byte order mark tells UTF-16${order}, whatever is said of it (${charset})`,
        answer: {
          raw: order === "le" ? bytes : bytes.swap16(),
          headers: { "content-type": `application/json${charset}` },
        },
        program: ".a",
        output: "ü",
      };
    }),
  ),
  {
    name: "an unknown encoding is read as UTF-8",
    answer: { raw: '"ü"', headers: { "content-type": "application/json; charset=none" } },
    program: ".body",
    output: "ü",
  },
  {
    name: "names of the prototype",
    answer: { raw: '{"__proto__":{"a":1},"constructor":2}', headers: json },
    program: ".constructor",
    output: 2,
  },
];

describe("response values", () => {
  test.each(values)("$name", async ({ answer, program = ".", method, output }) => {
    expect(await answered(answer, program, method)).toEqual(output);
  });

  describe("E74 a web page is no answer", () => {
    const page = (raw: string): Answer => ({ raw, headers: { "content-type": "text/html; charset=utf-8" } });
    const signIn = "<!DOCTYPE html><html><head><title>Sign in – Acme</title></head><body>…</body></html>";

    test.each([
      ["a doctype", signIn, "Sign in – Acme"],
      ["no doctype, and blanks", "\n\n <html lang=en>\n<title>\nBack soon</title><h1>Hi", "Back soon"],
    ])("%s", async (_, raw, said) => {
      const { origin, received } = await serve(() => page(raw));
      const api = { base_url: origin };
      await expect(runCommand({ "!http": { path: "/" } }, { api })).rejects.toMatchObject({
        kind: "HttpError",
        status: 200,
        message: `GET ${origin}/ answered 200 with a web page (text/html) instead of data: “${said}”.`,
      });
      const write = { "!http": { path: "/", method: "POST", body: {} } };
      await expect(runCommand(write, { api })).rejects.toMatchObject({ kind: "HttpError", status: 200 });
      // What reads is tried again; what may have been done isn't.
      expect(received.map(({ method }) => method)).toEqual(["GET", "GET", "GET", "POST"]);
    });

    test("that is gone the next time", async () => {
      const { origin } = await serve((_, count) => (count === 1 ? page(signIn) : { json: { a: 1 } }));
      expect(await runCommand({ "!http": { path: "/" } }, { api: { base_url: origin } })).toEqual({ a: 1 });
    });

    test.each([
      ["what asks for one gets it", signIn, { Accept: "text/html" }],
      ["a bit of HTML is data", "<p>Paid on time.</p>", {}],
      ["so is XML", "<?xml version='1.0'?><html/>", {}],
    ])("%s", async (_, raw, headers) => {
      const { origin } = await serve(() => page(raw));
      const command = { "!http": { path: "/", headers } };
      expect(await runCommand(command, { api: { base_url: origin } })).toEqual({ body: raw });
    });
  });

  test("a program that fails on a text says what it was", async () => {
    const { origin } = await serve(() => ({
      raw: "Too busy, come again",
      headers: { "content-type": "text/plain" },
    }));
    const command = { "!pipe": [{ "!http": { path: "/" } }, { "!jq": "[.items[].id]" }] };
    await expect(runCommand(command, { api: { base_url: origin } })).rejects.toMatchObject({
      kind: "JqError",
      message:
        "Cannot iterate over null (null) (at character 8 of the program). Its input is a string: “Too busy, come again”",
    });
  });

  // E19
  test.each([
    '{"a":',
    '[{"a":1},{"b":2}',
    '{"a":"it goes on',
    '{"a":"a quote: \\',
    '{"a":"a quote: \\"}',
    '  {"a":[1]',
    '{"a":["}]}"]',
    `{"a":1${"[".repeat(50_000)}`,
  ])("E19 JSON that breaks off is no answer: %s", async (raw) => {
    const answers: Answer[] = [{ raw, headers: json }, { json: { a: 1 } }];
    const { origin, received } = await serve((_, count) => answers[count - 1]);
    const read = { "!http": { path: "/" } };
    const api = { base_url: origin };
    expect(await runCommand(read, { api })).toEqual({ a: 1 });
    answers.push({ raw, headers: json });
    const write = { "!http": { path: "/", method: "POST", body: {} } };
    await expect(runCommand(write, { api })).rejects.toMatchObject({
      kind: "NetworkError",
      message: `POST ${origin}/ failed: the answer is JSON that breaks off in the middle`,
    });
    expect(received.map(({ method }) => method)).toEqual(["GET", "GET", "POST"]);
  });

  test("E19 it is the end of an answer without that content type, and of one of failure", async () => {
    const { origin } = await serve((_, count) =>
      count === 1
        ? { raw: '{"a":', headers: { "content-type": "text/plain" } }
        : { status: 404, raw: '{"a":', headers: json },
    );
    const command = { "!http": { path: "/" } };
    expect(await runCommand(command, { api: { base_url: origin } })).toEqual({ body: '{"a":' });
    await expect(runCommand(command, { api: { base_url: origin } })).rejects.toMatchObject({ status: 404 });
  });

  test("the output of a run is plain JSON without the hidden body", async () => {
    const { origin } = await serve(() => ({ json: { a: 1 } }));
    const output = await runCommand({ "!http": { path: "/" } }, { api: { base_url: origin } });
    expect(JSON.stringify(output)).toBe('{"a":1}');
  });

  test("20,000 levels of nesting don't crash", async () => {
    const deep = "[".repeat(20_000) + "]".repeat(20_000);
    expect(await answered({ raw: deep, headers: json }, ".body | length")).toBe(1);
  });
});
