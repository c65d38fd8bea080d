import type { Json } from "@configc/jq";
import { groupBy } from "@configc/jq/internal";
import {
  type ApiDescription,
  type AuthScheme,
  DescriptionError,
  type Operation,
  type Parameter,
} from "../description.ts";
import { shapeOf, unknown } from "../shape.ts";

/** One request that was seen, with its answer where there was one. Values of headers are looked at, and never kept. */
export interface SeenExchange {
  readonly method: string;
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body?: { readonly format: "json" | "form"; readonly value: Json };
  /** The JSON of a success. */
  readonly answer?: Json;
  /** Where it stands in the file. */
  readonly source: string;
}

/**
 * Describes the API that most of some requests went to.
 *
 * @param exchanges in the order in which they were seen
 * @throws DescriptionError if none of them asks an API
 */
export function fromTraffic(exchanges: readonly SeenExchange[]): ApiDescription {
  const byOrigin = groupBy(exchanges, ({ url }) => new URL(url).origin);
  const [origin, seen] = [...byOrigin].sort(([, a], [, b]) => weightOf(b) - weightOf(a))[0] ?? [];
  if (origin === undefined || seen === undefined)
    throw new DescriptionError(
      "No request to an API was found: one by https is needed, with an answer in JSON or none.",
    );
  const base = commonBase(seen.map(({ url }) => new URL(url).pathname));
  return {
    title: nameOf(origin),
    baseUrls: [origin + base],
    auth: authOf(seen),
    operations: operationsOf(seen, base),
    events: [],
    about: "",
  };
}

/** Answers in JSON count more: pages and pictures come from other origins. */
function weightOf(exchanges: readonly SeenExchange[]): number {
  return exchanges.reduce(
    (sum, { answer, body }) => sum + (answer === undefined && body === undefined ? 1 : 10),
    0,
  );
}

/** `/api/v2` of `/api/v2/contacts` and `/api/v2/lists/7`: what versions and names of APIs all paths begin with. */
function commonBase(paths: readonly string[]): string {
  const split = paths.map((path) => path.split("/").slice(1));
  const parts: string[] = [];
  for (const [index, part] of (split[0] ?? []).entries()) {
    if (!/^(?:api|rest|public|v\d+(?:\.\d+)*|\d{4}-\d\d(?:-\d\d)?)$/i.test(part)) break;
    if (!split.every((each) => each[index] === part)) break;
    parts.push(part);
  }
  return parts.map((part) => `/${part}`).join("");
}

/** “Acme” of `https://api.acme.com`. */
function nameOf(origin: string): string {
  const labels = new URL(origin).hostname.split(".");
  const name = (labels.length > 1 ? labels.at(-2) : labels[0]) ?? "service";
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function authOf(exchanges: readonly SeenExchange[]): AuthScheme[] {
  for (const { headers, url } of exchanges) {
    const authorization = headers.get("authorization");
    if (authorization !== undefined) {
      const [prefix = "", token] = authorization.split(" ", 2);
      if (/^basic$/i.test(prefix)) return [{ kind: "basic" }];
      return [{ kind: "header", name: "Authorization", prefix: token === undefined ? "" : prefix }];
    }
    const key = [...headers.keys()].find((name) =>
      /^(?:x-)?(?:[\w-]+-)?(?:api-?key|auth-token|access-token|token)$/.test(name),
    );
    if (key !== undefined) return [{ kind: "header", name: capitalised(key), prefix: "" }];
    const parameter = [...new URL(url).searchParams.keys()].find((name) =>
      /^(?:api_?key|access_token|token|key)$/i.test(name),
    );
    if (parameter !== undefined) return [{ kind: "query", name: parameter }];
  }
  return [];
}

/** `X-Api-Key`: headers are read in lower case, and known in this one. */
function capitalised(header: string): string {
  return header.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function operationsOf(exchanges: readonly SeenExchange[], base: string): Operation[] {
  const groups = groupBy(
    exchanges,
    ({ method, url }) => `${method} ${template(new URL(url).pathname.slice(base.length))}`,
  );
  return [...groups].map(([name, same]) => {
    const path = name.slice(name.indexOf(" ") + 1);
    // The one that tells most: the last answer of a list may be empty.
    const told =
      same.find(({ answer }) => answer !== undefined && JSON.stringify(answer).length > 20) ?? same[0]!;
    const body = same.find((each) => each.body !== undefined)?.body;
    return {
      method: told.method,
      path,
      summary: "",
      parameters: [...pathParametersOf(path), ...queryParametersOf(same)],
      ...(body === undefined ? {} : { request: { format: body.format, shape: shapeOf(body.value) } }),
      response: told.answer === undefined ? unknown : shapeOf(told.answer),
      scopes: [],
      source: `${told.method} ${path}`,
    };
  });
}

/** Numbers, ids and hashes of a path are parameters, named after what they stand behind: `/lists/{list_id}`. */
function template(pathname: string): string {
  const parts = pathname.split("/");
  return parts
    .map((part, index) => {
      if (!/^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|(?=.*\d)[\w-]{16,})$/i.test(part)) return part;
      const owner = (parts[index - 1] ?? "").replace(/\W+/g, "_");
      return `{${owner === "" ? "id" : `${owner.replace(/ies$/, "y").replace(/s$/, "")}_id`}}`;
    })
    .join("/");
}

function pathParametersOf(path: string): Parameter[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name: name!,
    in: "path",
    isRequired: true,
    shape: { kind: "string", about: "" },
    about: "",
  }));
}

function queryParametersOf(exchanges: readonly SeenExchange[]): Parameter[] {
  const values = new Map<string, string>();
  for (const { url } of exchanges)
    for (const [name, value] of new URL(url).searchParams) if (!values.has(name)) values.set(name, value);
  return [...values].map(([name, value]) => ({
    name,
    in: "query",
    isRequired: false,
    shape: /^-?\d+(?:\.\d+)?$/.test(value) ? { kind: "number", about: "" } : shapeOf(value),
    about: "",
  }));
}
