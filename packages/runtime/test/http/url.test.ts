import { createTracer, type TraceEvent } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { failureOf, runCommand } from "../support/app.ts";
import { testEffects } from "../support/effects.ts";
import { serve } from "../support/server.ts";

interface Sent {
  readonly name: string;
  /** `ORIGIN` stands for the server's. */
  readonly base?: string;
  readonly http: object;
  readonly value?: unknown;
  /** What arrives. */
  readonly url: string;
}

const sent: readonly Sent[] = [
  { name: "D17 one slash between base and path", base: "ORIGIN/v1/", http: { path: "/a" }, url: "/v1/a" },
  { name: "D17 a missing leading slash is fine", base: "ORIGIN/v1", http: { path: "a/b" }, url: "/v1/a/b" },
  { name: "D17 `url` is absolute", http: { url: "ORIGIN/x?y=1" }, url: "/x?y=1" },
  { name: "D17 an absolute URL in `path`", base: "ORIGIN/v1", http: { path: "ORIGIN/x" }, url: "/x" },
  { name: "the fragment isn't sent", http: { path: "/a#b" }, url: "/a" },
  {
    name: "D18 a whole segment is encoded",
    http: { path: "/a/${piped_content.0.v}/b" },
    value: "x/y?z#ü",
    url: "/a/x%2Fy%3Fz%23%C3%BC/b",
  },
  {
    name: "D18 what is encoded already is kept",
    http: { path: "/a/${piped_content.0.v}" },
    value: "x%2Fy z",
    url: "/a/x%2Fy%20z",
  },
  {
    name: "D18 half of a surrogate pair",
    http: { path: "/a/${piped_content.0.v}" },
    value: "\ud800",
    url: "/a/%EF%BF%BD",
  },
  {
    name: "D18 elsewhere the text goes in as it is",
    http: { path: "/a/x-${piped_content.0.v}" },
    value: "b/c?d=e",
    url: "/a/x-b/c?d=e",
  },
  {
    name: "D18 a whole parameter value is encoded",
    http: { path: "/a?q=${piped_content.0.v}&r=1" },
    value: "x&y=z",
    url: "/a?q=x%26y%3Dz&r=1",
  },
  {
    name: "D18 an empty parameter value",
    http: { path: "/a?q=${piped_content.0.v}" },
    value: null,
    url: "/a?q=",
  },
  {
    name: "D9 numbers and booleans as JSON",
    http: { path: "/a/${piped_content.0.v}" },
    value: 7,
    url: "/a/7",
  },
  {
    name: "D18 dots that are no dot segment",
    http: { path: "/a/${piped_content.0.v}" },
    value: "...",
    url: "/a/...",
  },
  {
    name: "D18 two values side by side are text",
    http: { path: "/a/${piped_content.0.v}${piped_content.0.v}" },
    value: "b",
    url: "/a/bb",
  },
  {
    name: "D17 params: encoded, repeated, left out",
    http: { path: "/a", params: { q: "x y&", list: [1, 2], no: null, yes: true } },
    url: "/a?q=x%20y%26&list=1&list=2&yes=true",
  },
  {
    name: "D17 params are merged with the query",
    http: { path: "/a?keep=%20&q=old", params: { q: "new" } },
    url: "/a?keep=%20&q=new",
  },
  {
    name: "D17 expansions in names and values of params",
    http: { path: "/a", params: { "${piped_content.0.v}": "${piped_content.0.v}" } },
    value: "k",
    url: "/a?k=k",
  },
];

describe("what arrives", () => {
  test.each(sent)("$name", async ({ base = "ORIGIN", http, value, url }) => {
    const { origin, received } = await serve(() => ({ json: {} }));
    const real = (text: string) => text.replace("ORIGIN", origin);
    await runCommand(
      { "!http": JSON.parse(real(JSON.stringify(http))) },
      { api: { base_url: real(base) }, input: { v: value as never } },
    );
    expect(received.map((request) => request.url)).toEqual([url]);
  });

  test("D43 what the user typed goes into the first request only", async () => {
    const { origin, received } = await serve(() => ({ json: {} }));
    const command = { "!pipe": [{ "!http": { path: "/a?x=1" } }, { "!http": { path: "/b" } }] };
    await runCommand(command, { api: { base_url: origin }, search: { parameter: "q", term: "a b&c" } });
    await runCommand(command, { api: { base_url: origin }, search: { parameter: "q", term: "" } });
    expect(received.map(({ url }) => url)).toEqual(["/a?x=1&q=a%20b%26c", "/b", "/a?x=1", "/b"]);
  });
});

interface Refused {
  readonly name: string;
  readonly base?: string;
  readonly http: object;
  readonly value?: unknown;
  readonly subdomain?: string;
  readonly message: RegExp;
}

const segment = { path: "/hooks/${piped_content.0.v}" };
const refused: readonly Refused[] = [
  { name: "D18 an empty segment", http: segment, value: "", message: /whole segment.*empty/ },
  { name: "D18 null as a segment", http: segment, value: null, message: /whole segment.*null/ },
  ...[".", "..", "%2e", "%2E%2e", ".%2E"].map((value) => ({
    name: `D18 ${value} as a segment`,
    http: segment,
    value,
    message: /whole segment/,
  })),
  { name: "D18 the whole path", http: { path: "${piped_content.0.v}" }, value: "", message: /whole segment/ },
  {
    name: "D18 a value that leads out of the path",
    http: { path: "/a/b-${piped_content.0.v}" },
    value: "/../../c",
    message: /leads out of/,
  },
  {
    name: "D18 … with backslashes",
    http: { path: "/a/b-${piped_content.0.v}" },
    value: "\\..\\..\\c",
    message: /leads out of/,
  },
  {
    name: "D18 … with characters that URLs drop",
    http: { path: "/a/b-${piped_content.0.v}" },
    value: "/.\t./.\n./c",
    message: /leads out of/,
  },
  {
    name: "D18 … out of a segment before it",
    http: { path: "/a/${piped_content.0.w}/b-${piped_content.0.v}" },
    value: "/../../",
    message: /leads out of/,
  },
  {
    name: "D18 dot segments in the text",
    http: { path: "/../v2/me" },
    base: "http://127.0.0.1:1/v1",
    message: /`\.` or `\.\.`/,
  },
  {
    name: "D18 dot segments in the text, encoded",
    http: { path: "/a/%2e%2E/me" },
    message: /`\.` or `\.\.`/,
  },
  {
    name: "D18 the host by a value",
    http: { url: "http://${piped_content.0.v}.example.com/" },
    value: "a.b",
    message: /one label/,
  },
  {
    name: "D18 another host by a value",
    http: { url: "http://${piped_content.0.v}.example.com/" },
    value: "evil.com/",
    message: /one label/,
  },
  {
    name: "D18 user information by a value",
    http: { url: "http://example.com${piped_content.0.v}/" },
    value: "@evil.com",
    message: /one label/,
  },
  {
    name: "D18 a label of 64 characters",
    http: { url: "http://${piped_content.0.v}.example.com/" },
    value: "a".repeat(64),
    message: /one label/,
  },
  {
    name: "D18 the same in base_url",
    base: "http://${subdomain}.example.com",
    http: { path: "/" },
    subdomain: "evil.com/?",
    message: /one label/,
  },
  {
    name: "D9 an object in a path",
    http: segment,
    value: {},
    message: /is an object, which a URL can't contain/,
  },
  {
    name: "D9 an array in a URL",
    http: { url: "http://example.com/?a=${piped_content.0.v}" },
    value: [],
    message: /is an array/,
  },
  { name: "D9 a missing value", http: { path: "/a/${piped_content.0.none}" }, message: /no value here/ },
  {
    name: "a URL that is none",
    http: { url: "${piped_content.0.v}" },
    value: "not a url",
    message: /isn't a URL/,
  },
  {
    name: "another scheme",
    http: { url: "${piped_content.0.v}" },
    value: "file:///etc/passwd",
    message: /an HTTP URL/,
  },
  {
    name: "an object as a parameter",
    http: { path: "/", params: { a: { b: 1 } } },
    message: /`a` can't be a parameter/,
  },
];

describe("what is refused before anything is sent", () => {
  test.each(refused)("$name", async ({ base = "http://127.0.0.1:1", http, value, subdomain, message }) => {
    const run = runCommand(
      { "!http": http },
      {
        api: { base_url: base },
        entry: { type: "basic", defined_fields: { subdomain: {} } },
        input: { v: value as never, w: "w" },
        context: subdomain === undefined ? {} : { subdomain },
      },
    );
    const error = await failureOf(run);
    expect(error).toMatchObject({ kind: "DataError" });
    expect(error.message).toMatch(message);
  });
});

describe("D18 credentials go to the API's origin, and to those that are declared", () => {
  const credentials = { one: { username: "u", password: "secret-word" } };
  const entry = { type: "basic" };

  async function authorizationAt(
    url: "api" | "other",
    origins: (other: string) => string[],
    target?: string,
  ) {
    const api = await serve(() => ({ json: {} }));
    const other = await serve(() => ({ json: {} }));
    const effects = testEffects(credentials);
    const events: TraceEvent[] = [];
    const trace = createTracer(effects.clock, (event) => events.push(event));
    const to = url === "api" ? api : other;
    await runCommand(
      { "!http": { url: "${piped_content.0}", ...(target === undefined ? {} : { target }) } },
      {
        api: { base_url: api.origin },
        entry,
        effects,
        trace,
        connection: "one",
        input: `${to.origin}/x`,
        runtime: { origins: origins(other.origin) },
      },
    );
    const withheld = events.some(({ data }) => JSON.stringify(data).includes('"credentials":"not sent'));
    return { sent: to.received[0]?.headers.authorization !== undefined, withheld };
  }

  test("to the origin of base_url", async () => {
    expect(await authorizationAt("api", () => [])).toEqual({ sent: true, withheld: false });
  });
  test("not to another", async () => {
    expect(await authorizationAt("other", () => [])).toEqual({ sent: false, withheld: true });
  });
  test("to a declared one", async () => {
    expect(await authorizationAt("other", (other) => [other])).toEqual({ sent: true, withheld: false });
  });
  test("D17 never with target external", async () => {
    expect(await authorizationAt("api", () => [], "external")).toEqual({ sent: false, withheld: false });
  });
  test("D44 the platform's own API is asked by a path, never by a host", async () => {
    await expect(authorizationAt("api", () => [], "platform")).rejects.toThrow("without a host");
  });
});
