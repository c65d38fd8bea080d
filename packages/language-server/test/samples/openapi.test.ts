import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SampleFiles } from "@configc/language-server/samples";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type {
  CompletionItem,
  CompletionList,
  Hover,
  Location,
  ProtocolConnection,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { DescribedOperation } from "../../src/requests/index.ts";
import { clientOf } from "../support/in-process.ts";

/** What an OpenAPI document says while a config is written. */
const api = `openapi: 3.0.3
info: { title: CRM, version: "1" }
servers: [{ url: https://api.example.com/v2 }]
paths:
  /lists:
    get:
      summary: All lists
      parameters:
        - { name: state, in: query, required: true, description: Which lists., schema: { type: string, enum: [active, archived] } }
        - { name: page, in: query, schema: { type: integer } }
        - { name: X-Trace, in: header, schema: { type: string } }
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema:
                type: object
                required: [lists]
                properties:
                  lists:
                    type: array
                    items:
                      type: object
                      required: [id, title]
                      properties:
                        id: { type: integer, description: Number of the list. }
                        title: { type: string, description: What people call it. }
  /people:
    get:
      summary: All people
      parameters:
        - { name: cursor, in: query, schema: { type: string } }
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema:
                type: object
                required: [people, paging]
                properties:
                  people: { type: array, items: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } } }
                  paging: { type: object, required: [next_cursor], properties: { next_cursor: { type: string, nullable: true } } }
  /deals:
    get:
      summary: All deals
      parameters:
        - { name: page, in: query, schema: { type: integer } }
        - { name: per_page, in: query, schema: { type: integer, maximum: 50 } }
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema:
                type: object
                required: [deals, total_pages]
                properties:
                  deals: { type: array, items: { type: object, required: [id], properties: { id: { type: integer } } } }
                  total_pages: { type: integer }
  /lists/{id}/members:
    post:
      summary: Adds a member
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [email]
              properties:
                email: { type: string }
                status: { type: string, enum: [subscribed, pending] }
      responses: { "201": { description: made } }
`;

let folder: string;
let client: ProtocolConnection;
let count = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "configc-openapi-"));
  writeFileSync(join(folder, "crm.yaml"), api);
  const files = new SampleFiles((path, problem) => {
    throw new Error(`${path}: ${problem}`);
  });
  const sources = { folder, patterns: ["crm.yaml"] };
  const config = join(folder, "crm.app.json");
  await files.load(config, sources);
  client = await clientOf({ samplesOf: () => files.of(config, sources) });
});
afterAll(() => {
  client?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const configOf = (target: string, options = '{ "!jq": "[]" }'): string => `{
  "$version": "2",
  "auth": { "it": { "type": "basic" } },
  "api": { "base_url": "https://api.example.com/v2", "pagination": { "style": { "type": "page", "page_number": { "param": "page" } }, "parser": { "total_pages": { "!jq": "1" } } } },
  "workflows": [
    {
      "name": "w", "label": "W", "type": "automations", "auth": "it",
      "setup": {
        "connect": { "label": "C", "describe_connection": { "!jq": "{account_id: 1}" } },
        "select": { "label": "S", "form_fields": [{ "id": "list", "label": "L", "type": "dropdown", "options": ${options} }] }
      },
      "data_pipeline": {
        "source": { "!resource": "PlatformContact" },
        "target": ${target}
      }
    }
  ]
}`;

async function ask<T>(method: string, marked: string) {
  const offset = marked.indexOf("┆");
  const text = marked.replace("┆", "");
  const uri = `untitled:o-${++count}.app.json`;
  const document = TextDocument.create(uri, "appconfig", 1, text);
  await client.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text },
  });
  const result = await client.sendRequest<T>(method, {
    textDocument: { uri },
    position: document.positionAt(offset),
  });
  return { result, document };
}

async function completions(target: string): Promise<Map<string, CompletionItem>> {
  const { result } = await ask<CompletionList>("textDocument/completion", configOf(target));
  return new Map(result.items.map((item) => [item.label, item]));
}

describe("completes", () => {
  test("where the API is", async () => {
    const config = configOf('{ "!jq": "." }').replace('"https://api.example.com/v2"', '"https://┆"');
    const { result, document } = await ask<CompletionList>("textDocument/completion", config);
    const [server, ...more] = result.items.filter(({ detail }) => detail?.startsWith("server of"));
    expect(server).toMatchObject({ label: "https://api.example.com/v2", detail: "server of crm.yaml" });
    expect(more).toEqual([]);
    const written = TextDocument.applyEdits(document, [server!.textEdit as never]);
    expect(written).toContain('"base_url": "https://api.example.com/v2",');
  });

  test("paths, those of the method first", async () => {
    const items = await completions('{ "!http": { "method": "POST", "path": "┆" } }');
    const members = items.get("/lists/{id}/members")!;
    expect(members.detail).toBe("POST Adds a member");
    expect((members.textEdit as { newText: string }).newText).toBe('"/lists/id/members"');
    expect(
      [...items.values()].sort((a, b) => a.sortText!.localeCompare(b.sortText!)).map(({ label }) => label),
    ).toEqual(["/lists/{id}/members", "/lists", "/people", "/deals"]);
  });

  test("parameters and headers with what they are", async () => {
    const params = await completions('{ "!http": { "path": "/lists", "params": { ┆ } } }');
    expect(params.get("state")).toMatchObject({
      detail: 'required, "active" | "archived"',
      documentation: expect.anything(),
    });
    expect([...params.keys()]).toEqual(expect.arrayContaining(["state", "page"]));
    const values = await completions('{ "!http": { "path": "/lists", "params": { "state": "┆" } } }');
    expect([...values.keys()]).toEqual(["active", "archived"]);
    const headers = await completions('{ "!http": { "path": "/lists", "headers": { ┆ } } }');
    expect([...headers.keys()]).toContain("X-Trace");
  });

  test("members of the body and what they can be", async () => {
    const names = await completions(
      '{ "!http": { "method": "POST", "path": "/lists/1/members", "body": { "email": "a", ┆ } } }',
    );
    expect([...names.keys()]).toEqual(["status"]);
    const values = await completions(
      '{ "!http": { "method": "POST", "path": "/lists/1/members", "body": { "status": "┆" } } }',
    );
    expect([...values.keys()].sort()).toEqual(["pending", "subscribed"]);
  });
});

describe("hovers", () => {
  const hover = async (target: string) =>
    JSON.stringify((await ask<Hover>("textDocument/hover", configOf(target))).result);

  test("over a path: the operation", async () => {
    expect(await hover('{ "!http": { "path": "/li┆sts" } }')).toContain("All lists");
  });
  test("over a parameter", async () => {
    expect(await hover('{ "!http": { "path": "/lists", "params": { "sta┆te": "active" } } }')).toContain(
      "Which lists.",
    );
  });
  test("over a member of the answer, wherever it is read", async () => {
    expect(
      await hover('{ "!pipe": [{ "!http": { "path": "/lists" } }, { "!jq": ".lists[0].tit┆le" }] }'),
    ).toContain("What people call it.");
  });
});

test("the definition of a path is its operation in the document", async () => {
  const { result } = await ask<Location[]>(
    "textDocument/definition",
    configOf('{ "!http": { "method": "POST", "path": "/lists/1/mem┆bers" } }'),
  );
  const line = api.split("\n").findIndex((each) => each.trim() === "post:");
  expect(result).toEqual([
    {
      uri: pathToFileURL(join(folder, "crm.yaml")).href,
      range: { start: { line, character: 0 }, end: { line, character: 0 } },
    },
  ]);
});

describe("inserts an operation", () => {
  const insert = async (label: string, config: string): Promise<string> => {
    const { result, document } = await ask<DescribedOperation[]>("configc/operations", config);
    const found = result.find((each) => each.label === label)!;
    return TextDocument.applyEdits(document, [...found.edits]);
  };

  test("behind the step at the cursor, with required parts, and a program on what it gives", async () => {
    const after = await insert(
      "POST /lists/{id}/members",
      configOf(`{
          "!pipe": [
            { "!jq┆": "." },
            { "!save": { "scope": "workflow" } }
          ]
        }`),
    );
    expect(after).toContain(`{
          "!pipe": [
            { "!jq": "." },
            {
              "!http": {
                "method": "POST",
                "path": "/lists/<id>/members",
                "body": { "email": "ada@example.com" }
              }
            },
            { "!jq": "." },
            { "!save": { "scope": "workflow" } }
          ]
        }`);
  });

  test.each([
    ["in its place", '{ "!http┆": { "path": "/lists" } }', { "!http": expect.anything() }],
    [
      "at its end",
      '{ "!pipe": [{ "!jq┆": "." }] }',
      { "!pipe": [{ "!jq": "." }, { "!http": expect.anything() }] },
    ],
  ])("into a target %s without a program, whose output nobody would read", async (_where, marked, target) => {
    const after = JSON.parse(await insert("POST /lists/{id}/members", configOf(marked)));
    expect(after.workflows[0].data_pipeline.target).toEqual(target);
  });

  test("in the place of a form field's options, with its pages", async () => {
    const after = await insert("GET /lists", configOf('{ "!jq": "." }', '{ "!jq┆": "[]" }'));
    expect(JSON.parse(after).workflows[0].setup.select.form_fields[0].options).toEqual({
      "!pipe": [
        { "!http": { method: "GET", path: "/lists", params: { state: "active" }, pagination: true } },
        { "!jq": "[.lists[] | {display: .title, value: .id}]" },
      ],
    });
  });

  test.each([
    [
      "GET /people",
      {
        style: { type: "cursor", cursor: { param: "cursor" } },
        parser: { next_result_token: { "!jq": ".paging.next_cursor" } },
      },
    ],
    [
      "GET /deals",
      {
        style: {
          type: "page",
          page_number: { param: "page", value: 1 },
          page_size: { param: "per_page", value: 50 },
        },
        parser: { total_pages: { "!jq": ".total_pages" } },
      },
    ],
    // A parameter alone says nothing of the end.
    ["GET /lists", undefined],
  ])(
    "%s: with how its pages go on, where the config doesn't say and the document tells",
    async (label, pagination) => {
      const text = configOf('{ "!jq": "." }', '{ "!jq┆": "[]" }').replace(/, "pagination": \{.*\} \}/, " }");
      const written = JSON.parse(text.replace("┆", ""));
      expect(written.api).toEqual({ base_url: "https://api.example.com/v2" });
      const after = JSON.parse(await insert(label, text));
      expect(after.api.pagination).toEqual(pagination);
      const request = after.workflows[0].setup.select.form_fields[0].options["!pipe"][0]["!http"];
      expect(request.pagination).toBe(pagination === undefined ? undefined : true);
      expect(after.workflows[0].setup.connect).toEqual(written.workflows[0].setup.connect);
    },
  );
});
