import { TARGET } from "../dialect/dialect.ts";
import type { CommandSpec, OtherName, Section } from "../schema.ts";
import { boolean, section, template, text } from "../values.ts";

/** Header names that the HTTP client sets itself (D18). */
export const forbiddenHeaders = ["host", "content-length", "transfer-encoding", "connection"] as const;
/** Methods without a request body (D19); they count as reading (D21). */
export const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"] as const;

function named(
  others: readonly string[],
  ...members: readonly OtherName[]
): Record<string, readonly OtherName[]> {
  return Object.fromEntries(others.map((other) => [other, members]));
}

const httpArgument: Section = {
  name: "!http",
  title: "`!http`",
  doc: "An HTTP request.",
  source: "D17",
  groups: [{ kind: "exactlyOne", members: ["path", "url"] }],
  otherNames: {
    ...named(["query", "query_params", "queryParams", "qs", "parameters"], { member: "params" }),
    ...named(
      ["uri", "endpoint"],
      { member: "url", form: /^(?:[a-z][a-z\d+.-]*:)?\/\//i },
      { member: "path" },
    ),
    ...named(["data", "json", "payload"], { member: "body" }),
    verb: [{ member: "method" }],
  },
  members: {
    method: {
      value: text({
        oneOf: httpMethods,
        ext: ["HEAD"],
        anyCase: true,
      }),
      default: "GET",
      doc: "HTTP method.",
      example: "POST",
    },
    path: {
      value: template({ format: "path" }),
      doc: "Joined to `api.base_url`. An empty one is the base URL itself, as for an API with a single address.",
      example: "/contacts/${data.workflow.id}",
    },
    url: {
      value: template({ nonEmpty: true, format: "url" }),
      doc: "An absolute URL.",
      example: "https://uploads.example.com/files",
    },
    body: {
      value: { kind: "data", must: "objectOrExpansion" },
      doc: "Request body: an object, or one expansion that gives one. Sent as JSON unless a `content-type` header says form.",
      example: { email: "${piped_content.0.email}" },
    },
    pagination: {
      value: boolean,
      default: false,
      effective: { paginated: true },
      doc: "Whether `api.pagination` applies: all pages are read and merged.",
      example: true,
    },
    params: {
      value: { kind: "data", must: "object", position: "parameter" },
      tier: "ext",
      doc: "Query parameters. Arrays repeat the name, `null` leaves it out.",
      example: { status: "active" },
    },
    headers: {
      value: { kind: "map", of: template({ format: "header" }) },
      tier: "ext",
      doc: "Request headers.",
      example: { accept: "application/json" },
    },
    target: {
      value: text({ oneOf: ["connection", TARGET, "external"], dialectTarget: true }),
      tier: "ext",
      default: "connection",
      doc: "Whose credentials are sent: the connection's, the platform's (its own API, by `path`), or none (`external`).",
      example: "external",
    },
  },
};

export const http: CommandSpec = {
  key: "!http",
  tier: "core",
  source: "D17",
  doc: "Sends an HTTP request.",
  argument: section(() => httpArgument),
  input: "Anything; it isn't sent by itself.",
  output: "The response body if it is an object, else `{body: …}`.",
  example: { "!http": { method: "GET", path: "/contacts", pagination: true } },
};
