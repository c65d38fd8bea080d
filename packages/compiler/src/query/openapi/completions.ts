import type { Model } from "../../bind/model.ts";
import { type JsonNode, textOf } from "../../parse/syntax-tree.ts";
import { type Completion, jsonLiteral, literal } from "../completion/completion.ts";
import { separatorsAt } from "../completion/separators.ts";
import type { NameCursor, TextCursor, ValueCursor } from "../cursor.ts";
import { describeOperation, knownOperations, pathBelowBase, summaryOf } from "./operations.ts";
import { choicesIn, requestPlace, shownType } from "./request-parts.ts";

/** Parameters, headers and members of the body of a request whose operation is described. */
export function describedNames(model: Model, { object, member, replace }: NameCursor): Completion[] {
  const place = requestPlace(model, object);
  if (place === undefined) return [];
  const { text } = model.document;
  const hasColon = /^\s*:/.test(text.slice(replace.end, replace.end + 64));
  const present = new Set(object.members.filter((each) => each !== member).map(({ name }) => name));
  const { before, after } = separatorsAt(text, object.members, member, replace);
  return place.names
    .filter(({ name }) => !present.has(name))
    .map(({ name, type, required, documentation }) => {
      const choices = choicesIn(type);
      const value =
        choices.length > 1 && choices.length <= 20
          ? `\${1|${choices.map((each) => JSON.stringify(each).replace(/[\\$},|]/g, "\\$&")).join(",")}|}`
          : type.kind === "object"
            ? "{$1}"
            : type.kind === "array"
              ? "[$1]"
              : type.kind === "number" || type.kind === "boolean"
                ? "$1"
                : '"$1"';
      return {
        label: name,
        kind: "member",
        detail: [required ? "required" : "", shownType(type)].filter((each) => each !== "").join(", "),
        ...(documentation === "" ? {} : { documentation }),
        replace,
        ...(hasColon
          ? { snippet: jsonLiteral(name) }
          : { snippet: `${jsonLiteral(name)}: ${value}${after}`, before }),
        rank: required ? 0 : 1,
      };
    });
}

/** Addresses of the API, paths of operations, and values that a parameter or a member of the body can have. */
export function describedValues(model: Model, cursor: TextCursor | ValueCursor): Completion[] {
  const { node, replace } = cursor;
  const member = node === undefined ? (cursor.kind === "value" ? cursor.parent : undefined) : node.parent;
  if (member?.kind !== "member") return [];
  if (cursor.place?.member?.name === "path" && cursor.place.command?.key === "!http")
    return paths(model, member.parent, replace);
  if (member.parent === model.api?.node && member.name === "base_url") return servers(model, replace);
  const type = requestPlace(model, member.parent)?.names.find(({ name }) => name === member.name)?.type;
  if (type === undefined) return [];
  return choicesIn(type)
    .filter((choice) => cursor.kind === "value" || typeof choice === "string")
    .map((choice) => ({ label: `${choice}`, kind: "value", replace, snippet: jsonLiteral(choice) }));
}

/** Where the documents say that the API is, as far as that is a whole address. */
function servers(model: Model, replace: Completion["replace"]): Completion[] {
  const byUrl = new Map<string, Completion>();
  for (const { servers, document } of knownOperations(model))
    for (const { url } of servers) {
      const label = url.replace(/\/+$/, "");
      if (!/^https?:\/\/[^{}]+$/i.test(label) || byUrl.has(label)) continue;
      const detail = `server of ${document.name}`;
      byUrl.set(label, { label, kind: "value", detail, replace, snippet: jsonLiteral(label), rank: 0 });
    }
  return [...byUrl.values()];
}

/** One entry a path; those that have the method of the request come first. */
function paths(model: Model, request: JsonNode, replace: Completion["replace"]): Completion[] {
  const method = (textOf(request, "method") ?? "GET").toUpperCase();
  const byPath = new Map<string, Completion>();
  for (const operation of knownOperations(model)) {
    const path = pathBelowBase(model, operation);
    const isOwn = operation.method === method;
    if (byPath.get(path)?.rank === 0) continue;
    if (!isOwn && byPath.has(path)) continue;
    byPath.set(path, {
      label: path,
      kind: "value",
      detail: `${operation.method} ${summaryOf(operation)}`.trim(),
      documentation: describeOperation(operation),
      replace,
      snippet: `"${pathSnippet(path)}"`,
      rank: isOwn ? 0 : 1,
    });
  }
  return [...byPath.values()];
}

/** A place for each parameter of a path. */
function pathSnippet(path: string): string {
  let count = 0;
  return path
    .split(/(\{[^{}]*\})/)
    .map((part) => (part.startsWith("{") ? `\${${++count}:${literal(part.slice(1, -1))}}` : literal(part)))
    .join("");
}
