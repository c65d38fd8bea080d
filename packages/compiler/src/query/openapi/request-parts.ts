import { printType, type Type, types } from "@configc/jq";
import { SchemaTypes } from "@configc/jq/internal";
import type { Command } from "../../bind/bound-nodes.ts";
import { derived } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import type { JsonNode, SyntaxNode } from "../../parse/syntax-tree.ts";
import { requestBody } from "../../samples/openapi/described.ts";
import type { Operation } from "../../samples/openapi/operations.ts";
import { documentationOf, isRequired, nameOf, operationOf, parametersIn, schemaOf } from "./operations.ts";

/** A name that a request can have below `params`, `headers` or `body`, by its operation. */
interface RequestName {
  readonly name: string;
  readonly type: Type;
  readonly required: boolean;
  readonly documentation: string;
}

/** Where in a request a node stands: the operation, and what may stand there. */
interface RequestPlace {
  readonly operation: Operation;
  /** The names of the object at that place. */
  readonly names: readonly RequestName[];
}

/** What the operation of a request says of an object in it. */
export function requestPlace(model: Model, object: JsonNode): RequestPlace | undefined {
  const path: string[] = [];
  for (let at: SyntaxNode | undefined = object; at !== undefined; at = at.parent) {
    if (at.kind === "member") path.unshift(at.name);
    if (at.kind === "array") path.unshift("[]");
    const command = at.kind === "object" ? requestsByArgument(model).get(at) : undefined;
    if (command === undefined) continue;
    const operation = operationOf(model, command);
    const [member, ...rest] = path;
    if (operation === undefined || member === undefined) return undefined;
    return { operation, names: namesAt(operation, member, rest) };
  }
  return undefined;
}

const requestsByArgument = derived(
  ({ commands }) =>
    new Map<JsonNode, Command>(
      commands.flatMap((command) =>
        command.key === "!http" && command.argument !== undefined ? [[command.argument, command]] : [],
      ),
    ),
);

function namesAt(operation: Operation, member: string, path: readonly string[]): readonly RequestName[] {
  if (member === "params" || member === "headers") {
    if (path.length > 0) return [];
    const schemas = new SchemaTypes(operation.document.content, "request");
    return parametersIn(operation, member === "params" ? "query" : "header").map((parameter) => ({
      name: nameOf(parameter),
      type: schemas.typeOf(schemaOf(parameter)),
      required: isRequired(parameter),
      documentation: documentationOf(parameter),
    }));
  }
  if (member !== "body") return [];
  let type = requestBody(operation, undefined)?.type ?? types.unknown;
  for (const name of path)
    type = types.union(
      ...types.partsOf(type).flatMap((part) => {
        if (part.kind === "array") return name === "[]" ? [part.items] : [];
        return part.kind === "object" ? [part.members.get(name)?.type ?? types.unknown] : [];
      }),
    );
  return types.partsOf(type).flatMap((part) =>
    part.kind === "object"
      ? [...part.members].map(([name, { type: own, optional }]) => ({
          name,
          type: own,
          required: !optional,
          documentation: "",
        }))
      : [],
  );
}

/** The texts, numbers and the like that a value is one of; none where it may be any. */
export function choicesIn(type: Type): readonly (string | number | boolean)[] {
  return types.partsOf(type).flatMap((part): (string | number | boolean)[] => {
    if (part.kind === "boolean") return part.value === undefined ? [true, false] : [part.value];
    return (part.kind === "string" || part.kind === "number") && part.value !== undefined ? [part.value] : [];
  });
}

export function shownType(type: Type): string {
  return type === types.unknown ? "" : printType(type).slice(0, 120);
}
