import { readdirSync, readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { DescriptionError, fromCurl, fromHar, fromOpenApi, fromTraffic, propose } from "../src/index.ts";
import { shellWords } from "../src/read/shell-words.ts";

// A file a kind of API; what is proposed for it stands in `proposed`. `npx vitest run packages/scaffold -u` writes it anew.
const folder = new URL("./described/", import.meta.url);
const files = readdirSync(folder);

function described(file: string) {
  const text = readFileSync(new URL(file, folder), "utf8");
  return file.endsWith(".json") ? fromOpenApi(JSON.parse(text)) : fromTraffic(fromCurl(text));
}

describe.each(files)("%s", (file) => {
  const { config, told } = propose(described(file));
  const text = `${JSON.stringify(config, undefined, 2)}\n`;

  test("what is proposed, and why", async () => {
    const reasons = told.map(
      ({ what, taken, because, isOpen }) => `${isOpen ? "?" : "-"} ${what}: ${taken} (${because})`,
    );
    await expect(`${reasons.join("\n")}\n\n${text}`).toMatchFileSnapshot(`./proposed/${file}.txt`);
  });

  test("check has nothing against it", () => {
    const { diagnostics } = compile(text, { uri: "proposed.app.json" });
    expect(diagnostics.filter(({ severity }) => severity === "error" || severity === "warning")).toEqual([]);
  });
});

test("a person's choice counts, and an empty one leaves a direction out", () => {
  const description = described("cursor-and-since.json");
  const { config } = propose(description, { title: "My Harbour", read: "GET /groups", write: "" });
  expect(config["workflows"]).toMatchObject([{ name: "my-harbour-import-groups" }]);
});

test("a HAR file: the API among other requests, ids of paths as parameters, no value of it in the config", () => {
  const json = (url: string, body: unknown) => ({
    request: { method: "GET", url, headers: [{ name: "Authorization", value: "Bearer s3cret" }] },
    response: {
      status: 200,
      content: { mimeType: "application/json; charset=utf-8", text: JSON.stringify(body) },
    },
  });
  const har = {
    log: {
      entries: [
        {
          request: { method: "GET", url: "https://app.slip.example/", headers: [] },
          response: { status: 200, content: { mimeType: "text/html", text: "<p>" } },
        },
        json("https://api.slip.example/api/v3/me", { id: 7, name: "Ada Private" }),
        json("https://api.slip.example/api/v3/lists", {
          lists: [{ id: 991_827, name: "News" }],
          next_cursor: null,
        }),
        json(
          "https://api.slip.example/api/v3/lists/991827/members?cursor=abc&updated_since=2026-01-01T00:00:00Z",
          {
            members: [{ id: 1, email: "ada@private.example", name: "Ada Private" }],
            next_cursor: "def",
          },
        ),
      ],
    },
  };
  const { config, told } = propose(fromTraffic(fromHar(har)));
  expect(config).toMatchObject({
    auth: { slip: { type: "token", header_key: "Authorization", token_prefix: "Bearer" } },
    api: { base_url: "https://api.slip.example/api/v3" },
  });
  const text = JSON.stringify(config);
  expect(text).toContain("/lists/${custom_data.list.value}/members");
  expect(text).toContain('"updated_since":"${polling_state.since}"');
  expect(text).not.toMatch(/s3cret|Private|private\.example|991827/);
  expect(told.filter(({ isOpen }) => isOpen)).toEqual([]);
});

test.each([
  ["a list", "[]"],
  ["a document without operations", '{"openapi": "3.0.0", "paths": {}}'],
  ["another document", '{"swagger": "1.2"}'],
])("%s is refused with a reason", (_, text) => {
  expect(() => fromOpenApi(JSON.parse(text))).toThrow(DescriptionError);
});

test("what a stranger's document calls things never becomes an expansion", () => {
  const described = JSON.parse(readFileSync(new URL("webhooks-and-list.json", folder), "utf8"));
  const evil = "${data.connection.token}";
  const { webhooks, paths } = described;
  described.info.title = `Lantern ${evil} $<auth.token>`;
  described.webhooks = { [`person.created ${evil}`]: webhooks["person.created"], ...webhooks };
  described.components.schemas.Person.properties[evil] = { type: "string" };
  paths[`/${evil}/people`] = paths["/people"];
  paths["/people"].get.parameters.push({ name: evil, in: "query", schema: { type: "string" } });
  const { webhook } = paths["/webhooks"].post.requestBody.content["application/json"].schema.properties;
  delete webhook.properties.events.items.enum;
  const text = JSON.stringify(propose(fromOpenApi(described)).config);
  expect(text).toContain('"events":["person.created","person.updated"]');
  expect(text).not.toMatch(/\$\{data\.connection|\$<|auth\.token\}/);
});

test("references in circles, and to nowhere, end", () => {
  const description = fromOpenApi({
    openapi: "3.0.0",
    components: { schemas: { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } } },
    paths: {
      "/a": {
        get: {
          responses: {
            200: { content: { "application/json": { schema: { $ref: "#/components/schemas/A" } } } },
          },
        },
      },
      "/b": {
        get: {
          parameters: [{ $ref: "#/nowhere" }],
          responses: { 200: { $ref: "https://elsewhere.example/x" } },
        },
      },
    },
  });
  expect(description.operations.map(({ response }) => response.kind)).toEqual(["unknown", "unknown"]);
});

test.each([
  [`curl 'a b' "c\\"d" e\\ f`, [["curl", "a b", 'c"d', "e f"]]],
  [
    "curl a \\\n  b\ncurl c",
    [
      ["curl", "a", "b"],
      ["curl", "c"],
    ],
  ],
  ["curl $'a\\nb' # note\n# curl no", [["curl", "a\nb"]]],
  [
    "curl a | jq . ; curl b && echo c",
    [
      ["curl", "a"],
      ["jq", "."],
      ["curl", "b"],
      ["echo", "c"],
    ],
  ],
  ["curl 'never closed", [["curl", "never closed"]]],
])("words of a shell: %j", (text, words) => {
  expect(shellWords(text).map((command) => command.words)).toEqual(words);
});

test("nothing is expanded or run", () => {
  expect(shellWords("curl $(touch /tmp/x) `id` $HOME")[0]?.words).toEqual([
    "curl",
    "$(touch",
    "/tmp/x)",
    "`id`",
    "$HOME",
  ]);
});

test("a body that stands in a file is unknown, and its name is no field", () => {
  const [seen] = fromCurl("curl -d @body.json https://api.slip.example/people");
  expect(seen).toMatchObject({ method: "POST" });
  expect(seen).not.toHaveProperty("body");
});
