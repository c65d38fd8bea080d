import { isObject, type JsonObject, nearest, resolveReference } from "@configc/jq/internal";
import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import { objectItems, textOf } from "../../../parse/syntax-tree.ts";
import { parseTemplate } from "../../../parse/template.ts";
import { type DescribedRequest, describedRequests, requestBody } from "../../../samples/openapi/described.ts";
import type { Operation } from "../../../samples/openapi/operations.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { allNames, didYouMean } from "../../message-text.ts";
import { hasMember } from "../http/at.ts";
import { described, optionsPointer } from "./example.ts";

/** What an OpenAPI document says of requests: which there are, and what they need. */

const guards = ["command.!http", "http.path", "http.method"];
const whyDocument = "The OpenAPI document in the settings describes this API.";

const unknownOperation = defineRule<{
  readonly method: string;
  readonly path: string;
  readonly document: string;
  readonly methods: readonly string[];
  /** The server that has the path, if another one does. */
  readonly elsewhere: string | undefined;
  readonly suggestion: string | undefined;
}>({
  id: "openapi/unknown-operation",
  severity: "warning",
  summary: "The OpenAPI document has no such method and path",
  why: `${whyDocument} It has no such operation, so the API most likely answers 404 or 405, and the step fails for every customer.`,
  guards,
  message: ({ method, path, document, methods, elsewhere, suggestion }) =>
    elsewhere !== undefined
      ? `\`${document}\` has \`${path}\` only at \`${elsewhere}\`.`
      : methods.length === 0
        ? `\`${document}\` has no path like \`${path}\`.${didYouMean(suggestion)}`
        : `\`${document}\` has no \`${method}\` for \`${path}\`, only ${allNames(methods)}.`,
  examples: [
    described(optionsPointer, {
      title: "a path",
      bad: '{"!pipe": [{"!http": {"path": «"/form"»}}, {"!jq": "[.items[] | {display: .title, value: .id}]"}]}',
      good: '{"!pipe": [{"!http": {"path": "/forms", "params": {"team": "sales"}}}, {"!jq": "[.items[] | {display: .title, value: .id}]"}]}',
    }),
    described("/data_intake/0/update/!http", {
      title: "a method",
      bad: '{"method": «"PATCH"», "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}',
      good: '{"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}',
    }),
  ],
});

const missingParameter = defineRule<{
  readonly name: string;
  readonly where: string;
  readonly operation: string;
  readonly document: string;
}>({
  id: "openapi/missing-parameter",
  severity: "warning",
  summary: "A request lacks a parameter that the OpenAPI document requires",
  why: `${whyDocument} Without a required parameter the API refuses the request, and the step fails for every customer.`,
  guards: ["http.params", "http.headers", "command.!http"],
  message: ({ name, where, operation, document }) =>
    `This doesn't send the ${where} \`${name}\`, which \`${operation}\` needs according to \`${document}\`.`,
  help: ({ name, where }) =>
    where === "header" ? `Add \`${name}\` to \`headers\`.` : `Add \`${name}\` to \`params\`.`,
  examples: [
    described(optionsPointer, {
      bad: '{"!pipe": [{«"!http"»: {"path": "/forms"}}, {"!jq": "[.items[] | {display: .title, value: .id}]"}]}',
      good: '{"!pipe": [{"!http": {"path": "/forms", "params": {"team": "sales"}}}, {"!jq": "[.items[] | {display: .title, value: .id}]"}]}',
    }),
  ],
});

const missingBody = defineRule<{ readonly operation: string; readonly document: string }>({
  id: "openapi/missing-body",
  severity: "warning",
  summary: "A request lacks the body that the OpenAPI document requires",
  why: `${whyDocument} Without a required body the API refuses the request, and the step fails for every customer.`,
  guards: ["http.body"],
  message: ({ operation, document }) =>
    `This has no \`body\`, which \`${operation}\` needs according to \`${document}\`.`,
  examples: [
    described("/data_intake/0/create/!pipe/0", {
      bad: '{«"!http"»: {"method": "POST", "path": "/forms/${custom_data.form.value}/hooks", "params": {"url": "${webhook.url}"}}}',
      good: '{"!http": {"method": "POST", "path": "/forms/${custom_data.form.value}/hooks", "body": {"event": "submission.created", "url": "${webhook.url}"}}}',
    }),
  ],
});

const module: RuleModule = {
  rules: [unknownOperation, missingParameter, missingBody],
  checks: {
    document(model, report) {
      for (const request of describedRequests(model).values()) {
        const { operation } = request;
        if (operation === undefined) reportUnknown(request, report);
        else if (request.command.argument?.kind === "object") {
          reportParameters(request, operation, model, report);
          const body = requestBody(operation, undefined);
          if (body?.required === true && !hasMember(request.command.argument, "body"))
            report(missingBody, request.command.member.key, namesOf(operation));
        }
      }
    },
  },
};
export default module;

export function namesOf({ method, path, document }: Operation): {
  readonly operation: string;
  readonly document: string;
} {
  return { operation: `${method} ${path}`, document: document.name };
}

function reportUnknown({ command, pattern, description, samePath }: DescribedRequest, report: Report): void {
  const { argument } = command;
  const method = argument?.kind === "object" ? argument.get("method") : undefined;
  const paths = new Map(description.operations.map(({ path }) => [anonymous(path), path]));
  const elsewhere = description.operations.find(({ path }) => anonymous(path) === anonymous(pattern.shown));
  const near = nearest(anonymous(pattern.shown), paths.keys());
  report(unknownOperation, samePath.length > 0 && method !== undefined ? method : pattern.node, {
    method: pattern.method,
    path: pattern.shown,
    document: description.document.name,
    methods: samePath.map((operation) => operation.method),
    elsewhere: samePath.length > 0 ? undefined : elsewhere?.servers[0]?.url,
    suggestion: near === undefined ? undefined : paths.get(near),
  });
}

/** Names of path parameters don't matter. */
function anonymous(path: string): string {
  return path.replace(/\$?\{[^}]*\}/g, "{}");
}

/** Headers that are no parameters, whatever a document says. */
const ownHeaders = ["accept", "content-type", "authorization"];

function reportParameters(
  { command, pattern }: DescribedRequest,
  operation: Operation,
  model: Model,
  report: Report,
): void {
  const sent = sentParameters(command, pattern.node.value, model);
  const headers = sentHeaders(command, model);
  for (const parameter of operation.parameters) {
    const { name, in: where, required } = parameter;
    if (required !== true || typeof name !== "string" || isSpread(parameter, operation)) continue;
    if (isCredential(parameter, operation)) continue;
    const missing =
      where === "query"
        ? sent?.has(name) === false
        : where === "header" &&
          !ownHeaders.includes(name.toLowerCase()) &&
          headers?.has(name.toLowerCase()) === false;
    if (!missing) continue;
    const args = { name, where: where === "query" ? "parameter" : "header", ...namesOf(operation) };
    report(missingParameter, command.member.key, args);
  }
}

/** Another way to say who asks, beside the scheme that an operation names: requests have what `auth` sends. */
function isCredential({ name, description }: JsonObject, { node, document }: Operation): boolean {
  const { content } = document;
  const schemes = node["security"] ?? (isObject(content) ? content["security"] : undefined);
  return (
    Array.isArray(schemes) &&
    schemes.length > 0 &&
    /^(?:(?:access|auth|oauth|bearer|api)?[_-]?token|api[_-]?key)$/i.test(String(name)) &&
    /authenti|authori|credential|access token|api key/i.test(String(description))
  );
}

/** An object whose members are parameters of their own: its name isn't sent. */
function isSpread(parameter: JsonObject, { document }: Operation): boolean {
  const { style = "form", explode = true } = parameter;
  const schema = resolveReference(document.content, parameter["schema"]);
  if (parameter["in"] !== "query" || style !== "form" || explode === false || !isObject(schema)) return false;
  const { type } = schema;
  return (
    !["array", "string", "number", "integer", "boolean"].some((kind) => type === kind) && type !== undefined
  );
}

/** Names of the query parameters of a request; undefined where they aren't all known. */
function sentParameters({ argument, field }: Command, url: string, model: Model): Set<string> | undefined {
  const params = argument?.kind === "object" ? argument.get("params") : undefined;
  const names = namesIn(params);
  if (names === undefined) return undefined;
  const template = parseTemplate(url);
  const query = url.indexOf("?");
  if (query >= 0 && template?.expansions.some(({ start }) => start > query) === true) return undefined;
  for (const name of query < 0 ? [] : new URLSearchParams(url.slice(query + 1)).keys()) names.add(name);
  const search = textOf(field?.node, "search_term");
  if (search !== undefined) names.add(search);
  for (const name of paginationParameters(argument, model)) names.add(name);
  // `ids[]` and `filter[name]` are other spellings of a parameter.
  for (const name of [...names]) names.add(name.replace(/\[.*$/s, "")).add(`${name}[]`);
  return names;
}

/** What `api.pagination` adds to a request that is paginated. */
function paginationParameters(argument: JsonNode | undefined, { api }: Model): string[] {
  const own = argument?.kind === "object" ? argument.get("pagination") : undefined;
  const pagination = api?.node.get("pagination");
  if (own?.kind !== "boolean" || pagination?.kind !== "object") return [];
  const names: string[] = [];
  for (const part of ["style", "parser"]) {
    const members = pagination.get(part);
    if (members?.kind !== "object") continue;
    for (const { value } of members.members)
      for (const each of value?.kind === "array" ? objectItems(value) : [value]) {
        const name = textOf(each, "param");
        if (name !== undefined) names.push(name);
      }
  }
  return [...names, "cursor"];
}

function sentHeaders({ argument }: Command, model: Model): Set<string> | undefined {
  const names = namesIn(argument?.kind === "object" ? argument.get("headers") : undefined);
  if (names === undefined) return undefined;
  const keys = model.auths.map(({ node }) => {
    const configuration = node?.kind === "object" ? node.get("configuration") : undefined;
    return textOf(configuration, "header_key") ?? textOf(node, "header_key");
  });
  return new Set([...names, ...keys.flatMap((key) => key ?? [])].map((name) => name.toLowerCase()));
}

/** The names of an object's members; undefined where some aren't fixed. */
function namesIn(node: JsonNode | undefined): Set<string> | undefined {
  if (node === undefined) return new Set();
  if (node.kind !== "object") return undefined;
  const names = node.members.map(({ name }) => name);
  return names.some((name) => parseTemplate(name) !== undefined) ? undefined : new Set(names);
}
