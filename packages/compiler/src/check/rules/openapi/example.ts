import type { RuleExample } from "../../../findings/rule.ts";

/** What the examples of these rules are about: an OpenAPI document of the API that the template's app uses. */
const forms = {
  openapi: "3.1.0",
  info: { title: "Acme", version: "1" },
  servers: [{ url: "https://api.example.com/v1" }],
  paths: {
    "/me": { get: { responses: { 200: response({ id: { type: "integer" }, name: { type: "string" } }) } } },
    "/forms": {
      get: {
        parameters: [{ name: "team", in: "query", required: true, schema: { type: "string" } }],
        responses: {
          200: response({
            items: {
              type: "array",
              items: { type: "object", properties: { id: { type: "integer" }, title: { type: "string" } } },
            },
          }),
        },
      },
    },
    "/forms/{form}": { get: { responses: {} } },
    "/forms/{form}/hooks": {
      post: {
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["event", "url"],
                properties: {
                  event: { enum: ["submission.created", "submission.deleted"] },
                  url: { type: "string" },
                  active: { type: "boolean" },
                  filter: {
                    oneOf: [
                      filter("form", { form: { type: "integer" } }),
                      filter("tag", { tag: { type: "string" } }),
                    ],
                  },
                },
              },
            },
          },
        },
        responses: { 201: response({ id: { type: "string" } }) },
      },
    },
    "/hooks/{hook}": { put: { responses: {} }, delete: { responses: {} } },
    "/tests": {
      post: {
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: { type: "object", properties: { url: { type: "string" } } },
            },
          },
        },
        responses: {},
      },
    },
  },
};

function filter(kind: string, properties: object): object {
  return {
    type: "object",
    required: ["kind"],
    properties: { kind: { const: kind }, ...properties },
    additionalProperties: false,
  };
}

function response(properties: object): object {
  return { description: "", content: { "application/json": { schema: { type: "object", properties } } } };
}

const params =
  '{"!pipe": [{"!http": {"path": "/forms", "params": {"team": "sales"}}}, {"!jq": "[.items[] | {display: .title, value: .id}]"}]}';

export const optionsPointer = "/workflows/0/setup/select/form_fields/0/options";

/** An example in which only what it is about is wrong. */
export function described(
  at: string,
  example: Pick<RuleExample, "bad" | "good" | "fixed" | "title">,
): RuleExample {
  return {
    in: "inbound-webhook",
    at,
    with: at === optionsPointer ? {} : { [optionsPointer]: params },
    samples: { documents: [{ name: "acme.openapi.json", content: forms }] },
    ...example,
  };
}
