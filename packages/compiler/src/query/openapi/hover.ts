import { isObject, resolveReference } from "@configc/jq/internal";
import type { Model } from "../../bind/model.ts";
import type { Trail } from "../../flow/origin.ts";
import { jsonMedia } from "../../samples/openapi/media.ts";
import type { Operation } from "../../samples/openapi/operations.ts";
import type { NameCursor, TextCursor } from "../cursor.ts";
import { describeOperation, operationOf } from "./operations.ts";
import { requestPlace, shownType } from "./request-parts.ts";

/** The operation that the address of a request is of. */
export function operationAt(model: Model, { node, place }: TextCursor): Operation | undefined {
  const isAddress = place?.member?.name === "path" || place?.member?.name === "url";
  if (!isAddress || place?.command?.key !== "!http") return undefined;
  const argument = node.parent?.parent;
  const command = model.commands.find((each) => each.argument === argument);
  return command === undefined ? undefined : operationOf(model, command);
}

export function addressHover(model: Model, cursor: TextCursor): string | undefined {
  const operation = operationAt(model, cursor);
  return operation === undefined ? undefined : describeOperation(operation);
}

/** A parameter, a header or a member of the body. */
export function nameHover(model: Model, { object, member }: NameCursor): string | undefined {
  const place = requestPlace(model, object);
  const found = place?.names.find(({ name }) => name === member?.name);
  if (place === undefined || found === undefined) return undefined;
  const { name, type, required, documentation } = found;
  const facts = [required ? "required" : "optional", shownType(type)]
    .filter((each) => each !== "")
    .join(", ");
  const { method, path } = place.operation;
  return [
    `**\`${name}\`** of \`${method} ${path}\`: ${facts}`,
    ...(documentation === "" ? [] : [documentation]),
  ].join("\n\n");
}

/** What documents say of the parts of answers that trails lead to. */
export function responseMemberTexts(model: Model, trails: readonly Trail[]): readonly string[] {
  const texts = trails.flatMap(({ origin }) => {
    if (origin.kind !== "response") return [];
    const operation = operationOf(model, origin.command);
    return operation === undefined ? [] : (memberText(operation, origin.path) ?? []);
  });
  return [...new Set(texts)];
}

/** Schemas within schemas that are followed. */
const LEVELS = 12;

function memberText({ document: { content }, node }: Operation, path: readonly string[]): string | undefined {
  const responses = node["responses"];
  if (!isObject(responses) || path.length === 0) return undefined;
  for (const [status, each] of Object.entries(responses)) {
    if (!/^2/.test(status)) continue;
    const response = resolveReference(content, each);
    const media = isObject(response) ? jsonMedia(content, response["content"]) : undefined;
    const [first, ...rest] = path;
    // D20: the hidden `body` is the whole.
    const text =
      textAt(content, media?.["schema"], path, LEVELS) ??
      (first === "body" ? textAt(content, media?.["schema"], rest, LEVELS) : undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}

function textAt(root: unknown, schema: unknown, path: readonly string[], levels: number): string | undefined {
  const found = resolveReference(root, schema);
  if (!isObject(found) || levels === 0) return undefined;
  const [name, ...rest] = path;
  if (name === undefined) {
    const { description } = found as { readonly description?: unknown };
    return typeof description === "string" ? description.slice(0, 500) : undefined;
  }
  const properties = found["properties"];
  const inner = name === "[]" ? found["items"] : isObject(properties) ? properties[name] : undefined;
  const own = inner === undefined ? undefined : textAt(root, inner, rest, levels - 1);
  if (own !== undefined) return own;
  for (const kind of ["allOf", "oneOf", "anyOf"]) {
    const parts = found[kind];
    for (const part of Array.isArray(parts) ? parts : []) {
      const text = textAt(root, part, path, levels - 1);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}
