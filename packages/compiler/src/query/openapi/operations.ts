import { isObject, type JsonObject } from "@configc/jq/internal";
import type { Command } from "../../bind/bound-nodes.ts";
import { derived } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { textOf } from "../../parse/syntax-tree.ts";
import { describedRequests } from "../../samples/openapi/described.ts";
import { describe, type Operation } from "../../samples/openapi/operations.ts";

/** The operations of all documents that the settings name for a config. */
export const knownOperations: (model: Model) => readonly Operation[] = derived(({ samples }) =>
  samples.documents.flatMap((document) => describe(document).operations),
);

/** The operation that a request is, as far as it is written. */
export function operationOf(model: Model, command: Command): Operation | undefined {
  return describedRequests(model).get(command)?.operation;
}

/** The path of an operation below `api.base_url`: with the server's own path where the base URL hasn't got it. */
export function pathBelowBase({ api }: Model, { path, servers }: Operation): string {
  const base = textOf(api?.node, "base_url")?.replace(/\/+$/, "") ?? "";
  const [server] = servers;
  const own =
    server === undefined ? "" : (/^(?:[a-z{}]+:)?(?:\/\/[^/]*)?(\/.*)?$/i.exec(server.url)?.[1] ?? "");
  const before = own.replace(/\/+$/, "");
  return before === "" || base.endsWith(before) ? path : before + path;
}

/** A few words on an operation. */
export function summaryOf({ node }: Operation): string {
  const { summary, operationId, description } = node as Readonly<Record<string, unknown>>;
  const words = [summary, description, operationId].find((each) => typeof each === "string" && each !== "");
  return typeof words === "string" ? (words.split("\n", 1)[0] ?? "") : "";
}

/** What a document says of an operation, for people. */
export function describeOperation(operation: Operation): string {
  const { method, path, node, document, parameters } = operation;
  const { description, deprecated } = node as {
    readonly description?: unknown;
    readonly deprecated?: unknown;
  };
  const rows = parameters.map((parameter) => {
    const { required } = parameter as { readonly required?: unknown };
    return `- \`${nameOf(parameter)}\` (${placeOf(parameter)}${required === true ? ", required" : ""})${behind(documentationOf(parameter))}`;
  });
  const parts = [
    `**\`${method} ${path}\`**${behind(summaryOf(operation))}`,
    ...(deprecated === true ? ["Deprecated."] : []),
    ...(typeof description === "string" ? [description.slice(0, 1_000)] : []),
    ...(rows.length === 0 ? [] : [rows.slice(0, 30).join("\n")]),
    `From ${document.name}.`,
  ];
  return parts.join("\n\n");
}

function behind(text: string): string {
  return text === "" ? "" : `: ${text}`;
}

/** The parameters of an operation that go to one place: `query`, `header`. */
export function parametersIn({ parameters }: Operation, place: string): readonly JsonObject[] {
  return parameters.filter((parameter) => placeOf(parameter) === place && nameOf(parameter) !== "");
}

export function nameOf(parameter: JsonObject): string {
  const { name } = parameter as { readonly name?: unknown };
  return typeof name === "string" ? name : "";
}

function placeOf(parameter: JsonObject): string {
  const { in: place } = parameter as { readonly in?: unknown };
  return typeof place === "string" ? place : "";
}

export function isRequired(parameter: JsonObject): boolean {
  return (parameter as { readonly required?: unknown }).required === true;
}

export function documentationOf(parameter: JsonObject): string {
  const { description } = parameter as { readonly description?: unknown };
  return typeof description === "string" ? (description.split("\n", 1)[0] ?? "") : "";
}

/** Of a parameter, in either of the two ways in which documents say it. */
export function schemaOf(parameter: JsonObject): unknown {
  const { schema, content } = parameter as { readonly schema?: unknown; readonly content?: unknown };
  if (schema !== undefined || !isObject(content)) return schema;
  const [media] = Object.values(content);
  return isObject(media) ? media["schema"] : undefined;
}
