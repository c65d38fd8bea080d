import { type Type, types } from "@configc/jq";

/** A response of which nothing is known: it always is an object (D20). */
export const anyResponse: Type = types.anyObject;

/** An object type that is made twice as large may be cut; then its hidden `body` is any object. */
const LARGE = 400;

/**
 * D20: what `!http` gives for a body. An object has a hidden `body`, the whole of it, where it has no member of that name; any
 * other body is the member `body`.
 */
export function responseOf(body: Type): Type {
  const responses: Type[] = [];
  const bare: Type[] = [];
  for (const part of types.partsOf(body)) {
    if (part.kind === "unknown") return anyResponse;
    if (part.kind === "object") responses.push(withBody(part));
    else bare.push(part);
  }
  if (bare.length > 0) responses.push(types.record({ body: types.union(...bare) }));
  return responses.length === 0 ? anyResponse : types.union(...responses);
}

function withBody(object: Extract<Type, { kind: "object" }>): Type {
  if (object.members.has("body")) return object;
  const body = { type: hiddenBody(object), optional: true };
  return types.object([...object.members, ["body", body]], object.rest);
}

function hiddenBody(object: Type): Type {
  return object.size > LARGE ? types.anyObject : object;
}

/** A type without the hidden members `body`, as people are shown it. */
export function withoutHiddenBody(type: Type): Type {
  switch (type.kind) {
    case "array":
      return types.array(withoutHiddenBody(type.items));
    case "union":
      return types.union(...type.members.map(withoutHiddenBody));
    case "object": {
      const body = type.members.get("body");
      const others = [...type.members].filter(([name]) => name !== "body");
      const hides = body?.optional === true && isHidden(body.type, types.object(others, type.rest));
      const members = (hides ? others : [...type.members]).map(
        ([name, member]) => [name, { ...member, type: withoutHiddenBody(member.type) }] as const,
      );
      return types.object(members, type.rest === undefined ? undefined : withoutHiddenBody(type.rest));
    }
    default:
      return type;
  }
}

function isHidden(body: Type, object: Type): boolean {
  return body === object || (object.size > LARGE && body === types.anyObject);
}
