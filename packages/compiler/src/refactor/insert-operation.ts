import { type Json, type Type, types } from "@configc/jq";
import { isIdentifier, SchemaTypes } from "@configc/jq/internal";
import type { Command } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import type { Edit } from "../findings/rule.ts";
import { textOf } from "../parse/syntax-tree.ts";
import {
  describeOperation,
  isRequired,
  knownOperations,
  nameOf,
  parametersIn,
  pathBelowBase,
  schemaOf,
  summaryOf,
} from "../query/openapi/operations.ts";
import { exampleValue } from "../query/program/example-value.ts";
import { describedType, requestBody } from "../samples/openapi/described.ts";
import type { Operation } from "../samples/openapi/operations.ts";
import { withoutHiddenBody } from "../samples/response.ts";
import { addItem, addMemberSource, indentationAt, valueSource } from "./layout.ts";
import { pagesOf } from "./operation-pages.ts";
import { commandAround, isStep } from "./refactoring.ts";

/** An operation that can be inserted. */
export interface InsertableOperation {
  /** `GET /lists` */
  readonly label: string;
  readonly summary: string;
  /** Markdown. */
  readonly documentation: string;
  /** What is put into the config at the place that was asked for. */
  readonly edits: readonly Edit[];
}

/**
 * The operations of the OpenAPI documents of a config, each with the edit that writes it at an offset: a request with its path,
 * required parameters and required members of the body, and a program that begins with what the answer has, unless nobody would read
 * what it gives. In a pipe they come behind the step at the offset; in another command's place they take it, as a pipe.
 */
export function insertableOperations(model: Model, offset: number): readonly InsertableOperation[] {
  const command = commandAround(model, { start: offset, end: offset });
  if (command === undefined) return [];
  return knownOperations(model).map((operation) => ({
    label: `${operation.method} ${operation.path}`,
    summary: summaryOf(operation),
    documentation: describeOperation(operation),
    edits: editsFor(model, command, operation),
  }));
}

function editsFor(model: Model, command: Command, operation: Operation): readonly Edit[] {
  const { document } = model;
  const pages = pagesEdit(model, operation);
  const request = requestFor(model, operation, pages !== undefined);
  const program = { "!jq": programFor(command, operation) };
  const pipe = command.key === "!pipe" ? command : isStep(command) ? command.pipe : undefined;
  const list = pipe?.argument;
  if (list?.kind !== "array") {
    const { start, end } = command.node;
    const value = isIgnored(command) ? request : { "!pipe": [request, program] };
    const newText = valueSource(document, value, indentationAt(document.text, start));
    return [...(pages ?? []), { start, end, newText }];
  }
  const behind = command.key === "!pipe" ? list.items.at(-1) : command.node;
  const isEnd = pipe !== undefined && isIgnored(pipe) && behind === list.items.at(-1);
  const items = (isEnd ? [request] : [request, program]).map((step) => addItem(document, list, step, behind));
  return [...(pages ?? []), { ...items[0]!, newText: items.map(({ newText }) => newText).join("") }];
}

/** Whether nobody reads what a command gives: then a program on it would do nothing. */
function isIgnored({ place, parent }: Command): boolean {
  return place.name === "data_pipeline.target" && parent === undefined;
}

/** Writes how the operation's list goes on, where the config doesn't say yet how lists do; undefined if that can't be told. */
function pagesEdit({ document, api }: Model, operation: Operation): readonly Edit[] | undefined {
  if (api === undefined || api.node.get("pagination") !== undefined) return undefined;
  const response = withoutHiddenBody(describedType(operation) ?? types.unknown);
  const pages = listIn(response) === undefined ? undefined : pagesOf(operation, response);
  return pages === undefined ? undefined : [addMemberSource(document, api.node, "pagination", pages)];
}

/** @param pages whether `api.pagination` is written for it */
function requestFor(model: Model, operation: Operation, pages: boolean): Json {
  const { method } = operation;
  const body = requestBody(operation, undefined);
  const params = given(operation, "query");
  const required = body === undefined ? undefined : requiredOf(body.type);
  return {
    "!http": {
      method,
      path: pathBelowBase(model, operation).replace(/\{([^{}]*)\}/g, "<$1>"),
      ...(Object.keys(params).length === 0 ? {} : { params }),
      ...(required === undefined || Object.keys(required).length === 0 ? {} : { body: required }),
      ...(pages || isPaginated(model, operation) ? { pagination: true } : {}),
    },
  };
}

/** The required parameters of a place, made up. */
function given(operation: Operation, place: string): Record<string, Json> {
  const schemas = new SchemaTypes(operation.document.content, "request");
  return Object.fromEntries(
    parametersIn(operation, place)
      .filter(isRequired)
      .map((parameter) => [
        nameOf(parameter),
        exampleValue(schemas.typeOf(schemaOf(parameter)), nameOf(parameter)),
      ]),
  );
}

function requiredOf(type: Type): Record<string, Json> | undefined {
  const object = types.partsOf(type).find((part) => part.kind === "object");
  if (object?.kind !== "object") return undefined;
  const members = [...object.members].filter(([, { optional }]) => !optional);
  return Object.fromEntries(members.map(([name, { type: own }]) => [name, exampleValue(own, name)]));
}

/** Whether the parameters of `api.pagination` are some of the operation's. */
function isPaginated({ api }: Model, operation: Operation): boolean {
  const pagination = api?.node.get("pagination");
  const style = pagination?.kind === "object" ? pagination.get("style") : undefined;
  if (style?.kind !== "object" || operation.method !== "GET") return false;
  const names = new Set(parametersIn(operation, "query").map(nameOf));
  return style.members.some(({ value }) => names.has(textOf(value, "param") ?? ""));
}

/** Where a form field's choices are made, the names that a list's items have; else the members of the answer. */
function programFor({ place }: Command, operation: Operation): string {
  const response = withoutHiddenBody(describedType(operation) ?? types.unknown);
  const list = listIn(response);
  if (place.contract === "options") {
    const names = list === undefined ? [] : membersOf(list.items);
    const display = ["name", "title", "label", "display_name", "email"].find((each) => names.includes(each));
    const value = names.includes("id") ? "id" : names[0];
    return `[${list?.path ?? ".items"}[] | {display: .${display ?? value ?? "name"}, value: .${value ?? "id"}}]`;
  }
  const names = membersOf(response).filter(isIdentifier).slice(0, 8);
  if (place.contract === "connection" && names.length > 0)
    return `{account_id: .${names.find((name) => name === "id") ?? names[0]}, description: .${names.find((name) => /name|mail/.test(name)) ?? names[0]}}`;
  if (list !== undefined) return `${list.path}`;
  return names.length === 0 ? "." : `{${names.join(", ")}}`;
}

function listIn(type: Type): { readonly path: string; readonly items: Type } | undefined {
  for (const part of types.partsOf(type)) {
    if (part.kind !== "object") continue;
    for (const [name, member] of part.members)
      for (const inner of types.partsOf(member.type))
        if (inner.kind === "array" && isIdentifier(name)) return { path: `.${name}`, items: inner.items };
  }
  return undefined;
}

function membersOf(type: Type): string[] {
  return types.partsOf(type).flatMap((part) => (part.kind === "object" ? [...part.members.keys()] : []));
}
