import type { ApiDescription } from "../description.ts";
import type { Shape } from "../shape.ts";

/** What a config would take for an expansion (D11). */
const expansion = /\$[{<]/;
const isPlain = (text: string): boolean => !expansion.test(text);

/**
 * A description without what would become an expansion in a config: a file of a stranger must not say what is read there. The customer's own
 * part of a host stays, which the reader wrote.
 */
export function withPlainNames(description: ApiDescription): ApiDescription {
  const { title, baseUrls, auth, operations, events } = description;
  return {
    ...description,
    title: title.replace(/\$(?=[{<])/g, ""),
    baseUrls: baseUrls.filter((url) => isPlain(url.replace("${subdomain}", ""))),
    auth: auth.filter((scheme) =>
      Object.values(scheme)
        .flat()
        .every((text) => isPlain(String(text))),
    ),
    operations: operations
      .filter(({ path }) => isPlain(path))
      .map(({ parameters, request, response, scopes, ...operation }) => ({
        ...operation,
        parameters: parameters
          .filter(({ name }) => isPlain(name))
          .map(({ default: usual, ...parameter }) => ({
            ...parameter,
            ...(usual === undefined || !isPlain(String(usual)) ? {} : { default: usual }),
            shape: plain(parameter.shape),
          })),
        ...(request === undefined ? {} : { request: { ...request, shape: plain(request.shape) } }),
        response: plain(response),
        scopes: scopes.filter(isPlain),
      })),
    events: events
      .filter(({ name }) => isPlain(name))
      .map((event) => ({ ...event, payload: plain(event.payload) })),
  };
}

function plain(shape: Shape): Shape {
  switch (shape.kind) {
    case "object": {
      const members = [...shape.members].filter(([name]) => isPlain(name));
      return {
        ...shape,
        members: new Map(members.map(([name, member]) => [name, plain(member)])),
        required: new Set([...shape.required].filter(isPlain)),
      };
    }
    case "array":
      return { ...shape, items: plain(shape.items) };
    case "string":
      return shape.enum === undefined ? shape : { ...shape, enum: shape.enum.filter(isPlain) };
    default:
      return shape;
  }
}
