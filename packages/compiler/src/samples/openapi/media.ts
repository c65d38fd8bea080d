import { type Json, type Type, types } from "@configc/jq";
import { isObject, type JsonObject, resolveReference, type SchemaTypes } from "@configc/jq/internal";
import { learnedType } from "../learned-type.ts";
import { shapeOf } from "../shape.ts";

/** What an OpenAPI document says of a body in one of the media types in which it may be. */

/** The description of a body as JSON, or as whatever it is. */
export function jsonMedia(root: unknown, content: unknown): JsonObject | undefined {
  return mediaOf(root, content, /^(?:application\/(?:[\w.+*-]+\+)?json|text\/json|\*\/\*|application\/\*)$/i);
}

/** The description of a body as a form. */
export function formMedia(root: unknown, content: unknown): JsonObject | undefined {
  return mediaOf(root, content, /^application\/x-www-form-urlencoded$/i);
}

function mediaOf(root: unknown, content: unknown, wanted: RegExp): JsonObject | undefined {
  if (!isObject(content)) return undefined;
  for (const [type, each] of Object.entries(content)) {
    const media = resolveReference(root, each);
    if (isObject(media) && wanted.test(type.split(";", 1)[0]!.trim())) return media;
  }
  return undefined;
}

/** The type of a body: by its schema; where that says nothing, by the examples, which are read as samples. */
export function mediaType(root: unknown, media: JsonObject, schemas: SchemaTypes): Type {
  const type = schemas.typeOf(media["schema"]);
  if (type !== types.unknown && type !== types.anyObject) return type;
  const examples = examplesOf(root, media);
  return examples.length === 0 ? type : learnedType(shapeOf(examples));
}

function examplesOf(root: unknown, media: JsonObject): Json[] {
  const schema = resolveReference(root, media["schema"]);
  const named = isObject(media["examples"]) ? Object.values(media["examples"]) : [];
  const ofSchema = isObject(schema) && Array.isArray(schema["examples"]) ? schema["examples"] : [];
  const values = [
    media["example"],
    ...named.map((each) => {
      const example = resolveReference(root, each);
      return isObject(example) ? example["value"] : undefined;
    }),
    isObject(schema) ? schema["example"] : undefined,
    ...ofSchema,
  ];
  return values.flatMap((value) => asJson(value) ?? []);
}

/** An object or a list as it is, or as the text of one; a text that is none is an example of something else. */
function asJson(value: unknown): readonly [Json] | undefined {
  if (typeof value === "object" && value !== null) return [value as Json];
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return undefined;
  try {
    return [JSON.parse(value) as Json];
  } catch {
    return undefined;
  }
}
