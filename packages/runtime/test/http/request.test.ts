import { describe, expect, test } from "vitest";
import { failureOf, runCommand } from "../support/app.ts";
import { type Received, serve } from "../support/server.ts";

async function arrived(http: object, value?: unknown): Promise<Received> {
  const { origin, received } = await serve(() => ({ json: {} }));
  await runCommand(
    { "!http": { path: "/", ...http } },
    { api: { base_url: origin }, input: { v: value as never } },
  );
  return received[0]!;
}

describe("D17 methods", () => {
  test.each([
    ["GET", undefined],
    ["GET", "get"],
    ["POST", "POST"],
    ["PUT", "Put"],
    ["PATCH", "PATCH"],
    ["DELETE", "DELETE"],
    ["OPTIONS", "OPTIONS"],
    ["HEAD", "HEAD"],
  ])("%s, written %s", async (method, written) => {
    expect((await arrived(written === undefined ? {} : { method: written })).method).toBe(method);
  });
});

const bodies: readonly {
  name: string;
  http: object;
  value?: unknown;
  contentType: string | undefined;
  body: string;
}[] = [
  {
    name: "D19 JSON by default, with types kept",
    http: { method: "POST", body: { a: "${piped_content.0.v}", b: "x${piped_content.0.v}", c: null } },
    value: 5,
    contentType: "application/json",
    body: '{"a":5,"b":"x5","c":null}',
  },
  {
    name: "D19 one whole expansion",
    http: { method: "PUT", body: "${piped_content.0.v}" },
    value: [1, { a: "ü" }],
    contentType: "application/json",
    body: '[1,{"a":"ü"}]',
  },
  {
    name: "D19 JSON of another type",
    http: { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: { a: null } },
    contentType: "application/merge-patch+json",
    body: '{"a":null}',
  },
  {
    name: "D19 a form",
    http: {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: { a: "x y&", "b[0]": ["1", 2], c: null, d: true },
    },
    contentType: "application/x-www-form-urlencoded",
    body: "a=x+y%26&b%5B0%5D=1&b%5B0%5D=2&d=true",
  },
  {
    name: "D19 a form that is encoded already",
    http: {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
      body: "${piped_content.0.v}",
    },
    value: "a=1&b=2",
    contentType: "application/x-www-form-urlencoded; charset=utf-8",
    body: "a=1&b=2",
  },
  { name: "no body is none", http: { method: "POST" }, contentType: undefined, body: "" },
  ...["GET", "HEAD", "OPTIONS"].map((method) => ({
    name: `D19 ${method} sends none`,
    http: { method, body: { a: 1 } },
    contentType: undefined,
    body: "",
  })),
];

describe("D19 bodies", () => {
  test.each(bodies)("$name", async ({ http, value, contentType, body }) => {
    const got = await arrived(http, value);
    expect([got.headers["content-type"], got.body]).toEqual([contentType, body]);
  });
});

describe("headers", () => {
  test("D17 names and values with expansions", async () => {
    const { headers } = await arrived(
      { headers: { "X-${piped_content.0.v}": "<${piped_content.0.v}>" } },
      "k",
    );
    expect(headers["x-k"]).toBe("<k>");
    expect(headers.accept).toBe("application/json");
  });

  test.each([
    ["text", "1", "1"],
    ["a number", 5, "5"],
    ["a boolean", false, "false"],
    ["nothing", null, ""],
  ])("D17 a header may be %s", async (_name, value, sent) => {
    expect((await arrived({ headers: { "x-one": value } })).headers["x-one"]).toBe(sent);
  });

  const refused: readonly { name: string; headers: object; value?: unknown; message: RegExp }[] = [
    { name: "D18 CR LF", headers: { a: "${piped_content.0.v}" }, value: "x\r\nb: c", message: /line break/ },
    { name: "D18 LF", headers: { a: "${piped_content.0.v}" }, value: "x\ny", message: /line break/ },
    { name: "D18 NUL", headers: { a: "${piped_content.0.v}" }, value: "x\0", message: /NUL/ },
    {
      name: "D18 LF in a name",
      headers: { "${piped_content.0.v}": "x" },
      value: "a\nb",
      message: /valid header name/,
    },
    ...["Host", "content-length", "Transfer-Encoding", "connection"].map((name) => ({
      name: `D18 ${name}`,
      headers: { [name]: "1" },
      message: /HTTP client sets it/,
    })),
    {
      name: "D9 an object",
      headers: { a: "${piped_content.0.v}" },
      value: {},
      message: /is an object, which the header/,
    },
    {
      name: "a character that headers can't carry",
      headers: { a: "${piped_content.0.v}" },
      value: "ł",
      message: /can't carry/,
    },
  ];
  test.each(refused)("refused: $name", async ({ headers, value, message }) => {
    const run = runCommand(
      { "!http": { path: "/", headers } },
      { api: { base_url: "http://127.0.0.1:1" }, input: { v: value as never } },
    );
    expect((await failureOf(run)).message).toMatch(message);
  });

  test("a value's outer blanks don't count", async () => {
    expect((await arrived({ headers: { a: "${piped_content.0.v}" } }, " x ")).headers["a"]).toBe("x");
  });
});

test("user and password of a URL are sent as HTTP Basic", async () => {
  const { origin, received } = await serve(() => ({ json: {} }));
  await runCommand(
    { "!http": { url: origin.replace("//", "//me:pass%21word@") } },
    { api: { base_url: origin } },
  );
  expect(received[0]?.headers.authorization).toBe(`Basic ${btoa("me:pass!word")}`);
});

test.each([
  ["a form field that is an object", { a: { b: 1 } }],
  ["a form that is a list", [1]],
])("refused: %s", async (_name, body) => {
  const http = {
    method: "POST",
    path: "/",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "${piped_content.0}",
  };
  const run = runCommand({ "!http": http }, { api: { base_url: "http://127.0.0.1:1" }, input: body });
  expect(await failureOf(run)).toMatchObject({ kind: "DataError" });
});
