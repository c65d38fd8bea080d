import type { ObjectNode } from "@configc/compiler";
import type { CommandSite, Config } from "../config.ts";
import { get, textAt } from "../config.ts";
import { added, replacement, source, without } from "../edits.ts";
import { type Kind, type Mutant, replacing } from "../kind.ts";

function* requests(config: Config): Generator<{ site: CommandSite; http: ObjectNode }> {
  for (const site of config.commands) {
    if (site.key === "!http" && site.argument?.kind === "object") yield { site, http: site.argument };
  }
}

const methodOf = (http: ObjectNode): string => (textAt(http, "method") ?? "GET").toUpperCase();
const reads = (http: ObjectNode): boolean => ["GET", "HEAD", "OPTIONS"].includes(methodOf(http));
/** Its credentials are known: other targets get none. */
const isOwn = (http: ObjectNode): boolean => (textAt(http, "target") ?? "connection") === "connection";

/** Adds a member to each request that the condition holds for. */
function adding(
  name: string,
  expects: Kind["expects"],
  what: string,
  member: string,
  json: string,
  is: (http: ObjectNode, site: CommandSite, config: Config) => boolean,
): Kind {
  return {
    name,
    what,
    expects,
    *mutants(config) {
      for (const { site, http } of requests(config)) {
        if (http.member(member) === undefined && is(http, site, config)) yield added(http, member, json);
      }
    },
  };
}

/** Another value of a member of each request that has it. */
function changing(
  name: string,
  expects: Kind["expects"],
  what: string,
  member: string,
  ...texts: readonly string[]
): Kind {
  return replacing(name, expects, what, function* (config) {
    for (const { http } of requests(config)) {
      const value = get(http, member);
      if (value !== undefined)
        for (const text of texts) if (text !== source(config, value)) yield [value, text];
    }
  });
}

/** The `path` replaced by a `url`. */
function withUrl(name: string, expects: Kind["expects"], what: string, ...urls: readonly string[]): Kind {
  return {
    name,
    what,
    expects,
    *mutants(config) {
      for (const { http } of requests(config)) {
        const path = http.member("path");
        if (path === undefined || !isOwn(http)) continue;
        for (const url of urls) {
          yield { edits: [replacement(path, `"url": ${JSON.stringify(url)}`)], at: [path] } satisfies Mutant;
        }
      }
    },
  };
}

/** A header more, in an object that is there or in a new one. */
function header(
  name: string,
  expects: Kind["expects"],
  what: string,
  ...headers: readonly (readonly [string, string])[]
): Kind {
  return {
    name,
    what,
    expects,
    *mutants(config) {
      for (const { http } of requests(config)) {
        for (const [key, json] of headers) {
          const object = get(http, "headers");
          if (object === undefined) yield added(http, "headers", `{ ${JSON.stringify(key)}: ${json} }`);
          else if (
            object.kind === "object" &&
            !object.members.some((member) => member.name.toLowerCase() === key)
          )
            yield added(object, key, json);
        }
      }
    },
  };
}

const hasPagination = (config: Config): boolean => config.select("api.pagination").length > 0;
const inPolling = (site: CommandSite): boolean =>
  site.place[0] === "data_intake" && textAt(site.unit, "type") === "polling";

export const httpKinds: readonly Kind[] = [
  adding(
    "http/path-and-url",
    "error",
    "Both `path` and `url` (D17).",
    "url",
    '"https://api.example.com/me"',
    (http) => http.member("path") !== undefined,
  ),
  {
    name: "http/no-target",
    what: "Neither `path` nor `url` (D17).",
    expects: "error",
    *mutants(config) {
      for (const { site, http } of requests(config)) {
        const member = http.member("path") ?? http.member("url");
        if (member !== undefined) yield { edits: [without(config, member)], at: [site.member.key] };
      }
    },
  },
  changing("http/path-empty-type", "error", "A path that is no text.", "path", "7", "null", '["me"]'),
  replacing("http/absolute-path", "warning", "An absolute URL as `path` (D17, D41).", function* (config) {
    for (const { http } of requests(config)) {
      const path = get(http, "path");
      if (path?.kind === "string")
        yield [
          { start: path.start + 1, end: path.start + 1 },
          path.value.startsWith("/") ? "https://api.example.com" : "https://api.example.com/",
        ];
    }
  }),
  withUrl(
    "http/relative-url",
    "error",
    "A `url` that isn't absolute.",
    "/me",
    "api.example.com/me",
    "//api.example.com/me",
  ),
  withUrl(
    "http/broken-url",
    "error",
    "A `url` that is none, or of another scheme.",
    "https//api.example.com/me",
    "https://",
    "https://api example.com/me",
    "ftp://api.example.com/me",
    "htps://api.example.com/me",
  ),
  withUrl(
    "http/foreign-origin",
    "warning",
    "A `url` of another origin: no credentials are sent (D18).",
    "https://other.example.org/me",
  ),
  withUrl(
    "http/userinfo",
    "warning",
    "Credentials in a URL (D29).",
    "https://user:hunter2secret@other.example.org/me",
  ),
  adding("http/body-of-get", "warning", "A body that isn't sent (D19).", "body", '{ "a": 1 }', (http) =>
    reads(http),
  ),
  {
    name: "http/get-with-body",
    what: "A method that sends no body (D19): seen at the body or at the method.",
    expects: "warning",
    *mutants(config) {
      for (const { http } of requests(config)) {
        const [method, body] = [http.member("method"), http.member("body")];
        if (method === undefined || body === undefined || reads(http)) continue;
        yield { edits: [replacement(method, '"method": "GET"')], at: [method, body.key] };
      }
    },
  },
  changing(
    "http/literal-body",
    "warning",
    "A body that is text, a number or a list (D17).",
    "body",
    '"id=1"',
    "[1, 2]",
    "7",
  ),
  changing("http/body-null", "warning", "A body of `null`.", "body", "null"),
  changing("http/params-type", "error", "Parameters that are no object.", "params", '"a=1"', '["a"]', "1"),
  changing(
    "http/headers-type",
    "error",
    "Headers that are no object.",
    "headers",
    '"accept: text/plain"',
    '["accept"]',
    "1",
  ),
  header(
    "http/header-value",
    "error",
    "A header that is no text (D17).",
    ["x-trace", "1"],
    ["x-trace", "null"],
    ["x-trace", '["a"]'],
  ),
  header(
    "http/forbidden-header",
    "error",
    "A header that can't be set (D18).",
    ["host", '"api.example.com"'],
    ["content-length", '"10"'],
    ["transfer-encoding", '"chunked"'],
    ["connection", '"close"'],
  ),
  header("http/header-line-break", "error", "A header with a line break (D18).", [
    "x-trace",
    '"a\\r\\nx-admin: 1"',
  ]),
  header(
    "http/secret-header",
    "warning",
    "A secret in plain text (D29).",
    ["authorization", '"Bearer 8f14e45fceea167a5a36dedd4bea2543"'],
    ["x-api-key", '"8f14e45fceea167a5a36dedd4bea2543"'],
  ),
  changing("http/target-type", "error", "A target that is no text.", "target", "true", "null"),
  adding(
    "http/pagination-type",
    "error",
    "`pagination` that is no boolean.",
    "pagination",
    '"true"',
    (http, site) => reads(http) && !inPolling(site),
  ),
  adding(
    "http/pagination-object",
    "error",
    "Pagination of one request.",
    "pagination",
    '{ "style": {} }',
    (http, site) => reads(http) && !inPolling(site),
  ),
  adding(
    "http/pagination-undeclared",
    "error",
    "`pagination` without `api.pagination` (D22).",
    "pagination",
    "true",
    (http, site, config) => reads(http) && !inPolling(site) && !hasPagination(config),
  ),
  {
    name: "http/pagination-removed",
    what: "`api.pagination` is gone, its uses aren't (D22).",
    expects: "error",
    *mutants(config) {
      const [pagination] = config.objects("api.pagination");
      if (pagination?.parent?.kind !== "member") return;
      const at = [...requests(config)].flatMap(({ http }) => http.member("pagination") ?? []);
      if (at.length > 0) yield { edits: [without(config, pagination.parent)], at };
    },
  },
  adding(
    "http/pagination-in-polling",
    "warning",
    "`pagination` in a polling intake, where it is ignored (D22).",
    "pagination",
    "true",
    (_, site, config) => inPolling(site) && hasPagination(config),
  ),
  {
    name: "http/external-removed",
    what: "A `url` that begins with an expansion, without `target: external` (D18).",
    expects: "warning",
    *mutants(config) {
      for (const { http } of requests(config)) {
        const [url, target] = [http.member("url"), http.member("target")];
        if (url === undefined || target === undefined || !textAt(http, "url")?.startsWith("${")) continue;
        yield { edits: [without(config, target)], at: [url] };
      }
    },
  },
  replacing("http/object-in-path", "error", "An object in a path (D9).", function* (config) {
    for (const { site, http } of requests(config)) {
      const path = get(http, "path");
      if (path?.kind === "string" && inPolling(site))
        yield [{ start: path.end - 1, end: path.end - 1 }, "/${polling_state}"];
    }
  }),
  replacing("http/base-url", "error", "A base URL that isn't absolute.", function* (config) {
    for (const node of config.strings("api.base_url")) {
      const rest = node.value.replace(/^https:\/\//, "");
      for (const text of [rest, `/${rest}`, `https:/ /${rest}`, `htps://${rest}`, `https//${rest}`])
        yield [node, JSON.stringify(text)];
    }
  }),
];
