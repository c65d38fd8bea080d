import { type Type, types } from "@configc/jq";
import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import { wholeType } from "./form-fields.ts";

/** A member of a request's body, and what it gets. */
export interface BodyField {
  readonly name: string;
  readonly type: Type;
  readonly at: JsonNode;
}

/** The fields of a body, written in it or made by a step before. */
export function fieldsOf({ argument }: Command, model: Model): readonly BodyField[] {
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  if (body?.kind === "object")
    return body.members.flatMap(({ name, value }) => {
      const type = value === undefined ? undefined : typeOf(value, model);
      return type === undefined ? [] : [{ name, type, at: value! }];
    });
  const whole = body === undefined ? undefined : typeOf(body, model);
  return types
    .partsOf(whole ?? types.unknown)
    .flatMap((part) =>
      part.kind === "object" ? [...part.members].map(([name, { type }]) => ({ name, type, at: body! })) : [],
    );
}

const typeOf = (value: JsonNode, model: Model): Type | undefined =>
  value.kind === "array"
    ? types.anyArray
    : value.kind === "string"
      ? (wholeType(value, model) ?? (/[$][{<]/.test(value.value) ? undefined : types.string))
      : undefined;
