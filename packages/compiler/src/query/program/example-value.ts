import { type Json, type JsonObject, type Type, types } from "@configc/jq";
import { withoutHiddenBody } from "../../samples/response.ts";

/** A value that a type can have, made up: for trying a program where nothing is recorded. Members are called for what they may hold. */
export function exampleValue(type: Type, name = ""): Json {
  return invent(withoutHiddenBody(type), name);
}

function invent(type: Type, name: string): Json {
  switch (type.kind) {
    case "null":
    case "never":
      return null;
    case "boolean":
      return type.value ?? true;
    case "number":
      return type.value ?? 1;
    case "string":
      return type.value ?? textFor(name);
    case "array": {
      if (type.items === types.never) return [];
      const first = type.first ?? [];
      return first.length > 0 ? first.map((item) => invent(item, name)) : [invent(type.items, name)];
    }
    case "object": {
      const object: JsonObject = {};
      for (const [key, member] of type.members)
        Object.defineProperty(object, key, {
          value: invent(member.type, key),
          enumerable: true,
          writable: true,
          configurable: true,
        });
      return object;
    }
    case "union": {
      const part = types.partsOf(type).find(({ kind }) => kind !== "null") ?? types.nullType;
      return invent(part, name);
    }
    default:
      return {};
  }
}

/** What a member of that name usually holds. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/mail/i, "ada@example.com"],
  [/first.?name/i, "Ada"],
  [/last.?name|surname/i, "Lovelace"],
  [/phone|mobile/i, "+44 20 7946 0000"],
  [/url|link|href/i, "https://example.com/1"],
  [/(?:_at|_on|date|time|since|until)$/i, "2025-01-01T00:00:00Z"],
  [/(?:^|_)id$|Id$/, "id-1"],
  [/name|title|label|display/i, "Example"],
];

function textFor(name: string): string {
  return texts.find(([pattern]) => pattern.test(name))?.[1] ?? "text";
}
