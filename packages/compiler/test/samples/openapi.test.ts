import { compile, render } from "@configc/compiler";
import { printType } from "@configc/jq";
import { SchemaTypes } from "@configc/jq/internal";
import { describe, expect, test } from "vitest";
import { flowOf } from "../../src/flow/flow.ts";

const components = {
  components: {
    schemas: {
      Id: { type: "integer" },
      Node: {
        type: "object",
        properties: { next: { $ref: "#/components/schemas/Node" }, id: { $ref: "#/components/schemas/Id" } },
      },
      Loop: { $ref: "#/components/schemas/Loop" },
      Whole: { allOf: [{ $ref: "#/components/schemas/Whole" }, { properties: { a: { type: "string" } } }] },
      Cat: { type: "object", properties: { kind: { type: "string" } } },
      Dog: { type: "object", properties: { kind: { enum: ["dog", "wolf"] } } },
      "a/b": { type: "boolean" },
    },
  },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

describe("JSON Schema", () => {
  test.each<[string, unknown, string]>([
    [
      "kinds",
      object({ a: { type: "string" }, b: { type: "integer" }, c: { type: "boolean" }, d: { type: "null" } }),
      "{a: string, b: number, c: boolean, d: null, …}",
    ],
    ["required", object({ a: { type: "string" } }, { required: ["a"] }), "{a: string, …}"],
    ["closed", object({ a: { type: "string" } }, { additionalProperties: false }), "{a: string}"],
    ["a dictionary", { type: "object", additionalProperties: { type: "number" } }, "{[string]: number}"],
    ["no members", { type: "object" }, "{…}"],
    [
      "closed but for names of a pattern",
      object({ a: { type: "string" } }, { additionalProperties: false, patternProperties: { "^x-": {} } }),
      "{a: string, …}",
    ],
    ["implied kinds", { properties: { a: { items: { type: "string" } } } }, "{a: string[], …}"],
    ["items of what may be no list", { items: { anyOf: [object({ a: { type: "string" } })] } }, "unknown"],
    ["nullable (3.0)", { type: "string", nullable: true }, "string | null"],
    ["several kinds (3.1)", { type: ["string", "null"] }, "string | null"],
    ["enum", { type: "string", enum: ["a", "b"] }, '"a" | "b"'],
    ["const", { const: 1 }, "1"],
    ["oneOf", { oneOf: [{ type: "string" }, { type: "number" }] }, "number | string"],
    [
      "anyOf with members beside it",
      object(
        { a: { type: "string" } },
        { anyOf: [object({ b: { type: "number" } }), object({ c: { type: "number" } })] },
      ),
      "{a: string, b: number, …} | {a: string, c: number, …}",
    ],
    [
      "allOf",
      { allOf: [object({ a: { type: "string" } }), object({ b: ref("Id") }, { required: ["b"] })] },
      "{a: string, b: number, …}",
    ],
    [
      "allOf beside own members",
      object({ c: { type: "string" } }, { allOf: [object({ a: { type: "string" } })] }),
      "{a: string, c: string, …}",
    ],
    [
      "write-only members aren't in responses",
      object({ a: { type: "string", writeOnly: true }, b: ref("Id") }),
      "{b: number, …}",
    ],
    [
      "within itself, three times",
      ref("Node"),
      "{next: {next: {next: unknown, id: number, …}, id: number, …}, id: number, …}",
    ],
    ["a part of itself", ref("Whole"), "{a: string, …}"],
    [
      "kinds that are told apart",
      {
        oneOf: [ref("Cat"), ref("Dog"), object({ kind: { const: "cow" } })],
        discriminator: {
          propertyName: "kind",
          mapping: { cat: "#/components/schemas/Cat", tom: "Cat", dog: "#/components/schemas/Dog" },
        },
      },
      '{kind: "cat" | "tom", …} | {kind: "cow", …} | {kind: "dog" | "wolf", …}',
    ],
    [
      "kinds that nothing tells apart",
      { oneOf: [ref("Cat"), ref("Dog")], discriminator: { propertyName: "kind" } },
      '{kind: "dog" | "wolf", …} | {kind: string, …}',
    ],
    ["a reference to itself", ref("Loop"), "unknown"],
    ["a reference to nothing", ref("Nothing"), "unknown"],
    ["an escaped reference", ref("a~1b"), "boolean"],
    ["a reference to another file", { $ref: "other.json#/A" }, "unknown"],
    ["anything", {}, "unknown"],
    ["true", true, "unknown"],
    ["nonsense", { type: 7, properties: 3, allOf: "x" }, "unknown"],
  ])("%s", (_, schema, expected) => {
    expect(printType(new SchemaTypes(components, "response").typeOf(schema))).toBe(expected);
  });

  test("20,000 levels", () => {
    let schema: object = { type: "string" };
    for (let i = 0; i < 20_000; i++) schema = { type: "array", items: schema };
    expect(printType(new SchemaTypes({}, "response").typeOf(schema))).toMatch(/^unknown(\[\])+$/);
  });
});

function document(paths: object, more: object = {}): { name: string; content: unknown } {
  return { name: "api.json", content: { openapi: "3.1.0", paths, ...components, ...more } };
}
const ok = (schema: unknown) => ({ responses: { 200: { content: { "application/json": { schema } } } } });

/** What is said of one request, and the type of its response. */
function request(http: object, described: ReturnType<typeof document>, base = "https://api.example.com/v2") {
  const config = {
    api: { base_url: base },
    workflows: [{ setup: { connect: { describe_connection: { "!pipe": [{ "!http": http }] } } } }],
  };
  const { model, diagnostics } = compile(JSON.stringify(config), { samples: { documents: [described] } });
  return {
    type: printType(flowOf(model).output(model.commands[1])),
    findings: diagnostics
      .map((diagnostic) => render(model, diagnostic, { fixes: false }))
      .filter(({ rule }) => rule.startsWith("openapi/"))
      .map(({ rule, message }) => `${rule.slice(8)}: ${message}`),
  };
}

describe("operations", () => {
  const paths = {
    "/items": { get: ok(object({ list: { type: "string" } })) },
    "/items/{id}": { get: ok(object({ one: { type: "string" } })) },
    "/items/search": { get: ok(object({ search: { type: "string" } })) },
    "/items/{id}.csv": { get: ok(object({ csv: { type: "string" } })) },
    "/files/{name}.csv": { get: ok(object({ csv: { type: "string" } })) },
    "/files/{name}": { get: ok(object({ file: { type: "string" } })) },
    "/files/{name}/parts/{path}": { get: ok(object({ part: { type: "string" } })) },
    "/kinds?kind=a": { get: ok(object({ kind: { type: "string" } })) },
    "/shown": {
      get: { responses: { 200: { content: { "application/json": { example: { shown: "x" } } } } } },
    },
    "/shown/all": {
      get: {
        responses: {
          200: {
            content: {
              "application/hal+json; charset=utf-8": {
                schema: { type: "object" },
                examples: { a: { value: '{"shown": "x"}' }, b: { $ref: "#/components/examples/None" } },
              },
            },
          },
        },
      },
    },
    "/jobs": {
      get: {
        responses: {
          default: { content: { "application/json": { schema: object({ job: { type: "string" } }) } } },
        },
      },
      post: { ...ok(object({ made: { type: "string" } })) },
    },
  };
  test.each<[string, object, string | undefined, string]>([
    ["a literal path", { path: "/items" }, undefined, "list"],
    ["an id", { path: "/items/${data.workflow.id}" }, undefined, "one"],
    ["a constant where a parameter stands", { path: "/items/17" }, undefined, "one"],
    ["the more literal one", { path: "/items/search" }, undefined, "search"],
    ["a suffix", { path: "/items/17.csv" }, undefined, "csv"],
    ["a suffix behind an expansion", { path: "/files/${data.workflow.id}.csv" }, undefined, "csv"],
    ["no suffix behind an expansion", { path: "/files/${data.workflow.id}" }, undefined, "file"],
    ["a response of any status", { path: "/jobs" }, undefined, "job"],
    ["a parameter that is the end", { path: "/files/a/parts/b" }, undefined, "part"],
    ["a path with a query", { path: "/kinds" }, undefined, "kind"],
    ["an example", { path: "/shown" }, undefined, "shown"],
    ["an example as a text", { path: "/shown/all" }, undefined, "shown"],
    ["a port that goes without saying", { path: "/items" }, "https://api.example.com:443/v2", "list"],
    ["the path of the server", { path: "/items" }, "https://api.example.com/v2", "list"],
    ["a server at the root", { path: "/items" }, "/", "list"],
    ["an absolute URL", { url: "https://api.example.com/v2/items" }, "https://api.example.com/v2", "list"],
    ["a server with a variable", { path: "/items" }, "https://{region}.example.com/v2", "list"],
  ])("%s", (_, http, server, member) => {
    const { type, findings } = request(
      http,
      document(paths, server === undefined ? {} : { servers: [{ url: server }] }),
    );
    expect(type).toContain(`${member}: string`);
    expect(findings).toEqual([]);
  });

  test.each<[string, object, string | undefined, readonly string[]]>([
    ["another server: it is another API", { path: "/nothing" }, "https://other.example.com", []],
    ["an API of which no request is known", { path: "/nothing" }, undefined, []],
    ["another address", { url: "https://files.example.com/items" }, "https://api.example.com/v2", []],
    ["whatever address", { path: "${data.workflow.path}" }, "https://api.example.com/v2", []],
    [
      "what may be a parameter with slashes",
      { path: "/files/a/parts/b/c/d" },
      "https://api.example.com/v2",
      [],
    ],
    [
      "no such parameter",
      { path: "/items/1/parts" },
      "https://api.example.com/v2",
      ["unknown-operation: `api.json` has no path like `/items/1/parts`."],
    ],
    [
      "a path that isn't there",
      { path: "/item" },
      "https://api.example.com/v2",
      ["unknown-operation: `api.json` has no path like `/item`. Did you mean `/items`?"],
    ],
    [
      "a method that isn't there",
      { path: "/items/${data.workflow.id}", method: "DELETE" },
      "https://api.example.com/v2",
      ["unknown-operation: `api.json` has no `DELETE` for `/items/${…}`, only `GET`."],
    ],
  ])("%s", (_, http, server, expected) => {
    const { findings, type } = request(
      http,
      document(paths, server === undefined ? {} : { servers: [{ url: server }] }),
    );
    expect(findings).toEqual(expected);
    expect(type).toBe("{…}");
  });
});

describe("servers", () => {
  const at = (url: string, variables?: object) => ({ servers: [{ url, variables }] });
  const paths = {
    "/items": { get: ok(object({ list: { type: "string" } })) },
    "/uploads": { ...at("https://up.example.com"), post: ok(object({ upload: { type: "string" } })) },
    "/exports": {
      ...at("https://up.example.com/bulk"),
      get: { ...ok(object({ export: { type: "string" } })), ...at("https://data.example.com/v3") },
      post: ok(object({ order: { type: "string" } })),
    },
    "/assets": {
      post: {
        ...ok(object({ asset: { type: "string" } })),
        ...at("{origin}", { origin: { default: "https://assets.example.com" } }),
      },
    },
    "/empty": { servers: [], get: ok(object({ empty: { type: "string" } })) },
    "/open": { ...at("{origin}/v9"), get: ok(object({ open: { type: "string" } })) },
    "/tenants": {
      ...at("https://{tenant}.example.net/{base}", { base: { default: "api/v1" } }),
      get: ok(object({ tenant: { type: "string" } })),
    },
  };
  const description = document(paths, at("https://api.example.com/v2"));
  const post = (url: string) => ({ method: "POST", url });

  test.each<[string, object, string, string]>([
    ["the document's", { path: "/items" }, "list", ""],
    ["an empty list is none", { path: "/empty" }, "empty", ""],
    ["a path's", post("https://up.example.com/uploads"), "upload", ""],
    ["a path's, with a path", post("https://up.example.com/bulk/exports"), "order", ""],
    ["an operation's", { url: "https://data.example.com/v3/exports" }, "export", ""],
    ["a variable that is all of it", post("https://assets.example.com/assets"), "asset", ""],
    ["a variable without a default", { path: "/open" }, "open", ""],
    ["a variable of several segments", { url: "https://a.example.net/api/v1/tenants" }, "tenant", ""],
    ["an expansion", { url: "https://${data.workflow.host}.example.net/api/v1/tenants" }, "tenant", ""],
    ["what else another server has", { url: "https://up.example.com/nothing" }, "", ""],
    ["any host", { url: "https://${data.workflow.host}/nothing" }, "", ""],
    ["any host of another domain", { url: "https://${data.workflow.host}.example.org/nothing" }, "", ""],
    [
      "a path's, asked of the document's",
      { method: "POST", path: "/uploads" },
      "",
      "unknown-operation: `api.json` has `/uploads` only at `https://up.example.com`.",
    ],
    [
      "the document's, where a path has its own",
      post("https://api.example.com/v2/uploads"),
      "",
      "unknown-operation: `api.json` has no path like `https://api.example.com/v2/uploads`.",
    ],
  ])("%s", (_, http, member, finding) => {
    const { type, findings } = request(http, description);
    expect(type).toContain(member === "" ? "{…}" : `${member}: string`);
    expect(findings).toEqual(finding === "" ? [] : [finding]);
  });

  test.each<[string, string, string, boolean]>([
    ["a customer's part", "https://${subdomain}.example.com/v2", "https://your-domain.example.com", true],
    ["a customer's part of both", "https://${subdomain}.example.com", "https://{shop}.{domain}.com", true],
    ["a customer's part of another", "https://${subdomain}.example.com", "https://{shop}.other.com", false],
    ["all the customer's", "https://${subdomain}", "https://api.example.com", true],
  ])("of the base URL: %s", (_, base, url, known) => {
    const { type } = request({ path: "/items" }, document(paths, at(url)), base);
    expect(type).toContain(known ? "list: string" : "{…}");
  });

  test("many slashes and braces", () => {
    const long = `/a${"/".repeat(200_000)}b`;
    const { findings } = request(
      { path: long },
      document({ [long]: { get: ok({}) } }, at(`https://a/${"{".repeat(200_000)}`)),
    );
    expect(findings).toEqual([]);
  });
});

describe("parameters and bodies", () => {
  const query = { name: "team", in: "query", required: true };
  const paths = {
    "/items": {
      parameters: [query],
      get: { ...ok({}), parameters: [{ name: "X-Version", in: "header", required: true }] },
      post: {
        parameters: [{ ...query, required: false }],
        requestBody: {
          content: {
            "application/json; charset=utf-8": {
              schema: object(
                {
                  id: { type: "integer", readOnly: true },
                  title: { type: "string" },
                  size: { type: "number" },
                  labels: { type: "object", additionalProperties: { type: "string" } },
                  tags: { type: "array", items: { enum: ["a", "b"] } },
                  owner: object(
                    { name: { type: "string" } },
                    { required: ["name"], additionalProperties: false },
                  ),
                },
                { required: ["id", "title"] },
              ),
            },
          },
        },
      },
    },
    "/search": {
      get: {
        ...ok({}),
        parameters: [
          { name: "spread", in: "query", required: true, schema: { type: "object" } },
          { name: "deep", in: "query", required: true, style: "deepObject", schema: { type: "object" } },
        ],
      },
    },
    "/members": {
      get: {
        ...ok({}),
        security: [{ login: ["members:read"] }],
        parameters: [
          {
            name: "token",
            in: "header",
            required: true,
            description: "Authentication token",
            schema: { type: "string" },
          },
        ],
      },
    },
    "/kinds": {
      post: {
        requestBody: {
          content: {
            "application/json": {
              schema: {
                oneOf: [
                  object(
                    { type: { const: "card" }, number: { type: "string" }, year: { type: "integer" } },
                    { required: ["type", "number"] },
                  ),
                  object(
                    { type: { const: "bank" }, iban: { type: "string" } },
                    { required: ["type", "iban"], additionalProperties: false },
                  ),
                  { type: "array", items: { type: "string" } },
                ],
              },
            },
          },
        },
      },
    },
    "/parts": {
      post: {
        requestBody: {
          content: {
            "application/json": {
              schema: {
                allOf: [
                  object({ id: { type: "integer", readOnly: true }, name: { type: "string" } }),
                  { required: ["id", "name"] },
                ],
              },
            },
            "application/x-www-form-urlencoded": { schema: object({ name: { type: "integer" } }) },
          },
        },
      },
    },
    "/form": {
      post: {
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: object(
                { email: { type: "string" }, address: object({ city: { type: "string" } }), "meta[key]": {} },
                { required: ["email", "address"], additionalProperties: false },
              ),
            },
          },
        },
      },
    },
  };
  const form = (body: object) => ({
    method: "POST",
    path: "/form",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
  });
  const http = (members: object) => ({ path: "/items", ...members });
  const kinds: [string, unknown, ...string[]][] = [
    ["one kind", { type: "card", number: "1" }],
    ["another kind", { type: "bank", iban: "x" }],
    ["a list", ["x"]],
    ["a kind that isn't known", "${data.workflow.item}"],
    [
      "of one kind a member is missing",
      { type: "card", iban: "x" },
      "The body of `POST /kinds` needs `number`, according to `api.json`.",
    ],
    [
      "of one kind a member is misspelled",
      { type: "bank", ibna: "x" },
      "The body of `POST /kinds` takes no `ibna`, according to `api.json`. Did you mean `iban`?",
    ],
    [
      "of one kind a member is of another type",
      { type: "card", number: "1", year: "2030" },
      '`year` in the body of `POST /kinds` must be `number`, according to `api.json`, but is `"2030"`.',
    ],
    [
      "a kind that isn't there",
      { type: "cash", number: "1" },
      '`type` in the body of `POST /kinds` must be one of `"bank" | "card"`, according to `api.json`, but is `"cash"`.',
    ],
    [
      "a kind that isn't said",
      { number: 1 },
      "The body of `POST /kinds` needs `type`, according to `api.json`.",
      "`number` in the body of `POST /kinds` must be `string`, according to `api.json`, but is `1`.",
    ],
  ];
  const post = (body: unknown) => http({ method: "POST", body });
  test.each<[string, object, readonly string[]]>([
    ["both are sent", http({ params: { team: 1 }, headers: { "x-version": "2" } }), []],
    ["in the path", http({ path: "/items?team=1", headers: { "X-Version": "2" } }), []],
    ["as a list", http({ params: { "team[]": ["a"] }, headers: { "X-Version": "2" } }), []],
    ["not known", http({ params: { "${data.workflow.name}": 1 }, headers: { "X-Version": "2" } }), []],
    [
      "neither",
      http({}),
      [
        "missing-parameter: This doesn't send the parameter `team`, which `GET /items` needs according to `api.json`.",
        "missing-parameter: This doesn't send the header `X-Version`, which `GET /items` needs according to `api.json`.",
      ],
    ],
    [
      "an object that is spread over parameters, and one that isn't",
      { path: "/search", params: { page: 1 } },
      [
        "missing-parameter: This doesn't send the parameter `deep`, which `GET /search` needs according to `api.json`.",
      ],
    ],
    ["another way to say who asks", { path: "/members" }, []],
    ["an object in brackets", { path: "/search", params: { "deep[kind]": "a" } }, []],
    ["a form", form({ email: "x", "address[city]": "y", "meta[key]": "z" }), []],
    [
      "a form with a slip beside names in brackets",
      form({ emial: "x", "address[city]": "y" }),
      [
        "request-body: The body of `POST /form` takes no `emial`, according to `api.json`. Did you mean `email`?",
      ],
    ],
    ...kinds.map(([name, body, ...problems]): [string, object, readonly string[]] => [
      name,
      { method: "POST", path: "/kinds", body },
      problems.map((problem) => `request-body: ${problem}`),
    ]),
    ["a form where either would do", { ...form({ name: "1" }), path: "/parts" }, []],
    ["JSON where either would do", { method: "POST", path: "/parts", body: { name: "x" } }, []],
    [
      "what a part of `allOf` requires",
      { method: "POST", path: "/parts", body: { age: 1 } },
      ["request-body: The body of `POST /parts` needs `name`, according to `api.json`."],
    ],
    [
      "JSON instead of a form",
      { method: "POST", path: "/form", body: { email: "x", address: { city: "y" } } },
      [
        "request-body: The body of `POST /form` is sent as JSON, but must be a form, according to `api.json`.",
      ],
    ],
    [
      "a type that isn't known",
      { ...form({ email: "x", address: "y" }), headers: "${data.workflow.headers}" },
      [],
    ],
    ["all right", post({ title: "x", size: 1, tags: ["a"], owner: { name: "x" } }), []],
    [
      "a text where a text is wanted",
      post({ title: "No. ${data.workflow.id}", size: "${data.workflow.id}" }),
      [],
    ],
    ["null", post({ title: null }), []],
    ["further members", post({ title: "x", colour: "red" }), []],
    ["a whole expansion", post("${data.workflow.item}"), []],
    [
      "missing",
      post({ size: 1 }),
      ["request-body: The body of `POST /items` needs `title`, according to `api.json`."],
    ],
    [
      "misspelled",
      post({ titel: "x" }),
      [
        "request-body: The body of `POST /items` takes no `titel`, according to `api.json`. Did you mean `title`?",
      ],
    ],
    [
      "another kind",
      post({ title: "x", size: "1" }),
      [
        'request-body: `size` in the body of `POST /items` must be `number`, according to `api.json`, but is `"1"`.',
      ],
    ],
    ["a dictionary", post({ title: "x", labels: { "any name": "a", "${data.workflow.id}": 1 } }), []],
    [
      "another kind in a dictionary",
      post({ title: "x", labels: { a: 1 } }),
      [
        "request-body: `labels.a` in the body of `POST /items` must be `string`, according to `api.json`, but is `1`.",
      ],
    ],
    [
      "not listed",
      post({ title: "x", tags: ["c"] }),
      [
        'request-body: `tags[]` in the body of `POST /items` must be one of `"a" | "b"`, according to `api.json`, but is `"c"`.',
      ],
    ],
    [
      "below",
      post({ title: "x", owner: { surname: "x" } }),
      [
        "request-body: `owner` in the body of `POST /items` needs `name`, according to `api.json`.",
        "request-body: `owner` in the body of `POST /items` takes no `surname`, according to `api.json`.",
      ],
    ],
  ])("%s", (_, sent, expected) => {
    expect(request(sent, document(paths)).findings).toEqual(expected);
  });
});

test("a document is nothing to rely on", () => {
  for (const content of [
    null,
    1,
    [],
    {},
    { openapi: 3 },
    { openapi: "3.0.0", paths: [] },
    { swagger: "2.0" },
    {
      openapi: "3.0.0",
      paths: { "/items": null, x: {}, "/a": { get: { responses: 1, parameters: [1, { $ref: "#/x" }] } } },
    },
  ])
    expect(request({ path: "/items" }, { name: "x", content }).findings).toEqual([]);
});
