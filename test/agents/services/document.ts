import type { Access } from "./access.ts";

/** As much of an OpenAPI document as tasks differ in. */
export interface Described {
  readonly title: string;
  readonly host: string;
  readonly prefix: string;
  readonly access: Access;
  /** What the documentation says besides. */
  readonly prose: string;
  readonly paths: Readonly<Record<string, object>>;
}

/** The OpenAPI document that an agent is given. */
export function openApi({ title, host, prefix, access, prose, paths }: Described): object {
  return {
    openapi: "3.0.3",
    info: { title, version: "1.0.0", description: prose },
    servers: [{ url: `https://${host}${prefix}` }],
    security: [{ account: [] }],
    components: { securitySchemes: { account: access.scheme } },
    paths: {
      "/me": { get: operation("The account that asks", [], object({ id: text, name: text })) },
      ...paths,
    },
  };
}

export const text = { type: "string" };
export const integer = { type: "integer" };
export const boolean = { type: "boolean" };
export const dateTime = { type: "string", format: "date-time" };
export const list = (items: object) => ({ type: "array", items });
export const nullable = (schema: object) => ({ ...schema, nullable: true });

/** An object whose members are all there, but those that `optional` names. */
export function object(
  properties: Readonly<Record<string, object>>,
  optional: readonly string[] = [],
): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

export interface Parameter {
  readonly name: string;
  readonly in?: "query" | "path" | "header";
  readonly schema?: object;
  readonly description?: string;
  readonly required?: boolean;
}

export function operation(
  summary: string,
  parameters: readonly Parameter[],
  answer: object | undefined,
  { body, status = 200 }: { readonly body?: object; readonly status?: number } = {},
): object {
  const json = (schema: object) => ({ "application/json": { schema } });
  return {
    summary,
    parameters: parameters.map(
      ({ in: place = "query", schema = text, required = place === "path", ...rest }) => ({
        ...rest,
        in: place,
        required,
        schema,
      }),
    ),
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(body) } }),
    responses: {
      [status]: { description: "Done", ...(answer === undefined ? {} : { content: json(answer) }) },
    },
  };
}
