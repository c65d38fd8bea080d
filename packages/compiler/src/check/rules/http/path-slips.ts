import type { Command } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import type { JsonNode, StringNode } from "../../../parse/syntax-tree.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";

const place = {
  in: "inbound-webhook",
  at: "/workflows/0/setup/connect/describe_connection/!pipe/0/!http/path",
} as const;

const allPaths = (base: string): string =>
  `{"$version": "2", "auth": {"crm": {"type": "token", "header_key": "X-Key", "verify_url": "https://api.example.com/v2/me", "defined_fields": {"token": {"label": "Key", "placeholder": "", "help_text": ""}}}}, "api": {"base_url": ${base}}, "workflows": [{"name": "crm-add", "label": "CRM - Add people", "type": "automations", "auth": "crm", "setup": {"connect": {"label": "Connect", "describe_connection": {"!pipe": [{"!http": {"path": "/v2/me"}}, {"!jq": "{account_id: .id, description: .name}"}]}}, "map": {"label": "Match", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "CRM", "options": [{"id": "email", "title": "Email", "required": true}]}}}, "data_pipeline": {"source": {"!resource": "PlatformContact"}, "target": {"!http": {"method": "POST", "path": "/v2/people", "body": {"email": "\${piped_content.0.email}"}}}}}]}`;

const doubleSlash = defineRule<Record<string, never>>({
  id: "http/double-slash",
  severity: "warning",
  summary: "A path has two slashes in a row",
  why: "A server reads `//` as an empty segment. Most answer 404, so the step fails for every customer.",
  guards: ["http.path", "http.url", "D17"],
  message: () => "`//` is an empty segment in the middle of the path.",
  because: () => ["the request goes to a path with an empty segment", "most APIs answer 404"],
  help: () => "Remove one slash.",
  examples: [{ ...place, bad: '"/users«//»me"', good: '"/users/me"', fixed: '"/users/me"' }],
  fixes: ({ at }, { document }) => [
    { title: "Remove one slash", safe: false, edits: [{ ...spanOf(document, at), newText: "/" }] },
  ],
});

const blankInPath = defineRule<Record<string, never>>({
  id: "http/blank-in-path",
  severity: "warning",
  summary: "A path has a blank beside a slash",
  why: "A blank is sent as `%20`, and belongs to the segment: `/users/%2042` is another path than `/users/42`. Most APIs answer 404, so the step fails for every customer.",
  guards: ["http.path", "http.url", "D17", "D18"],
  message: () => "This blank is sent as `%20`, a part of the segment.",
  because: () => ["the segment begins or ends with `%20`", "most APIs answer 404"],
  help: () => "Remove the blank.",
  examples: [{ ...place, bad: '"/users/« »me"', good: '"/users/me"', fixed: '"/users/me"' }],
  fixes: ({ at }, { document }) => [
    { title: "Remove the blank", safe: false, edits: [{ ...spanOf(document, at), newText: "" }] },
  ],
});

const repeatedBase = defineRule<{ repeated: string; base: string; isTwice?: true }>({
  id: "http/repeated-base",
  severity: "warning",
  summary: "A path repeats the end of `api.base_url`",
  why: "A path is appended to `api.base_url`. If both have the version, the request goes to `/v1/v1/…`, and most APIs answer 404.",
  guards: ["http.path", "api.base_url", "D17"],
  message: ({ repeated, base, isTwice }) =>
    isTwice
      ? `\`${repeated}\` stands twice in the address of this request: once is enough for a version.`
      : `\`api.base_url\` already ends in \`${repeated}\`, so this goes to \`${base}${repeated}/…\`.`,
  because: ({ repeated, base, isTwice }) => [
    isTwice ? `the address has \`${repeated}\` twice` : `\`${base}${repeated}/…\``,
    "no such path: 404",
  ],
  help: ({ repeated, isTwice }) =>
    isTwice ? `Remove this \`${repeated}\`.` : `Write the path without \`${repeated}\`.`,
  examples: [{ ...place, bad: '"«/v1»/me"', good: '"/me"', fixed: '"/me"' }],
  fixes: ({ at, args: { repeated } }, { document }) => [
    { title: `Remove \`${repeated}\``, safe: false, edits: [{ ...spanOf(document, at), newText: "" }] },
  ],
});

const singleBraces = defineRule<{ name: string }>({
  id: "http/single-braces",
  severity: "warning",
  summary: "A URL has a placeholder in single braces",
  why: "API references write `/users/{id}` for a value to fill in. A config fills in only `${…}`. The braces are sent literally, and the API answers 404.",
  guards: ["http.path", "http.url", "D6"],
  message: ({ name }) => `\`{${name}}\` is sent literally. Only \`\${…}\` is replaced by a value.`,
  because: ({ name }) => [`the path has \`%7B${name}%7D\` in it`, "the API answers 404"],
  help: () => "Write an expansion that gives the value, such as `${piped_content.1.id}`.",
  examples: [{ ...place, bad: '"/users/«{user_id}»"', good: '"/users/me"' }],
});

const hostInPath = defineRule<{ host: string }>({
  id: "http/host-in-path",
  severity: "warning",
  summary: "A path begins with the name of a host",
  why: "A path is appended to `api.base_url`, so a host name in it is just another segment: the request goes to `https://api.example.com/v1/files.example.com/…`, and fails.",
  guards: ["http.path", "http.url", "D17"],
  message: ({ host }) => `\`${host}\` is a host, but a path is appended to \`api.base_url\`.`,
  because: ({ host }) => [`\`${host}\` becomes a segment of the path`, "no such path: 404"],
  help: ({ host }) => `Use \`url\` with the whole URL: \`https://${host}/…\`.`,
  examples: [{ ...place, bad: '"«files.example.com»/me"', good: '"/me"' }],
});

const gluedSegment = defineRule<{ before: string; expansion: string }>({
  id: "http/glued-segment",
  severity: "warning",
  summary: "An expansion is glued to a word of the path",
  why: "Without a slash between them, a word and a value become one segment: `/inboxes42/tickets`. Nothing is at that address, so the step fails for every customer.",
  guards: ["http.path", "http.url", "D17", "D18"],
  message: ({ before, expansion }) => `There is no \`/\` between \`${before}\` and \`${expansion}\`.`,
  because: ({ before }) => [`the value is 42: \`${before}42\``, "no such path: 404"],
  help: ({ before, expansion }) => `Write \`${before}/${expansion}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/path",
      bad: '"/lists«${custom_data.list.value}»/subscribers"',
      good: '"/lists/${custom_data.list.value}/subscribers"',
      fixed: '"/lists/${custom_data.list.value}/subscribers"',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { start } = spanOf(document, at);
    return [{ title: "Add a slash between them", safe: false, edits: [{ start, end: start, newText: "/" }] }];
  },
});

const uncredentialedPath = defineRule<Record<string, never>>({
  id: "http/external-path",
  severity: "warning",
  summary: "A request to the app's own API has `target: external`",
  why: "`target: external` sends no credentials. A relative path still goes to `api.base_url`, the API of the customer's account, which answers 401.",
  guards: ["http.target", "http.path", "D17"],
  message: () => "A path goes to `api.base_url`, but `external` sends no credentials.",
  because: () => ["the request goes to the app's own API", "it has no credentials: 401"],
  help: () => "Remove `target`, use a `url` of another service, or add an `authorization` header.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0",
      bad: '{"!http": {"path": "/me", "target": «"external"»}}',
      good: '{"!http": {"path": "/me"}}',
    },
  ],
});

const repeatedByAll = defineRule<{ repeated: string }>({
  id: "http/base-repeated-by-all",
  severity: "warning",
  summary: "`api.base_url` ends with what every path begins with",
  why: "A path is appended to `api.base_url`. If both have the version, each request goes to `/v1/v1/…`, and most APIs answer 404.",
  guards: ["http.path", "api.base_url", "D17"],
  message: ({ repeated }) =>
    `Every path begins with \`${repeated}\`, so each request goes to \`${repeated}${repeated}\`.`,
  because: ({ repeated }) => [`\`${repeated}${repeated}/…\``, "no such path: 404"],
  help: ({ repeated }) => `Remove \`${repeated}\` here.`,
  examples: [
    {
      in: "document",
      bad: allPaths('«"https://api.example.com/v2"»'),
      good: allPaths('"https://api.example.com"'),
    },
  ],
});

const module: RuleModule = {
  rules: [
    repeatedByAll,
    doubleSlash,
    blankInPath,
    repeatedBase,
    singleBraces,
    hostInPath,
    gluedSegment,
    uncredentialedPath,
  ],
  checks: {
    document(model, report) {
      const node = model.api?.node.get("base_url");
      const version = /(?<!\/)\/(?:v\d[\d.]*|[a-z]\w{2,})(?=\/?$)/i.exec(
        node?.kind === "string" ? node.value : "",
      )?.[0];
      if (node === undefined || version === undefined) return;
      let paths = 0;
      for (const { commands } of model.parts)
        for (const { key, argument } of commands) {
          if (key !== "!http") continue;
          const path = textOf(argument, "path");
          // A whole URL has nothing to do with the base.
          if (path === undefined && textOf(argument, "url") !== undefined) continue;
          if (path === undefined || !begins(rooted(path), version)) return;
          paths++;
        }
      if (paths >= 2) report(repeatedByAll, node, { repeated: version });
    },
    command: {
      "!http"(command, report, model) {
        const { argument } = command;
        if (argument?.kind !== "object") return;
        const path = argument.get("path");
        tellSigns(path, report);
        tellSigns(argument.get("url"), report);
        if (path?.kind !== "string") return;
        if (path.value.includes("s$") || path.value.includes("S$"))
          for (const { before, from, to } of glued(path.value))
            report(gluedSegment, { node: path, from, to }, { before, expansion: path.value.slice(from, to) });
        const host = path.value.startsWith("/")
          ? undefined
          : /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|dev|app|co|eu|de)(?=\/)/i.exec(path.value)?.[0];
        if (host !== undefined) report(hostInPath, { node: path, from: 0, to: host.length }, { host });
        const repeated = repeatedSegment(path, command, model) ?? secondVersion(path, model);
        if (repeated !== undefined)
          report(repeatedBase, { node: path, from: repeated.from, to: repeated.to }, repeated);
        const target = argument.get("target");
        const isOwn =
          target?.kind === "string" && target.value === "external" && !/^[a-z]+:\/\//i.test(path.value);
        if (isOwn && !path.value.startsWith("$") && !authorises(command))
          report(uncredentialedPath, target, {});
      },
    },
  },
};
export default module;

/** Slashes and braces that nobody writes on purpose; most paths have no two slashes, and braces of expansions alone. */
function tellSigns(node: JsonNode | undefined, report: Report): void {
  if (node?.kind !== "string") return;
  const { value } = node;
  if (value.includes("//"))
    for (const [from, to] of doubleSlashes(value)) report(doubleSlash, { node, from, to }, {});
  if (value.includes(" "))
    for (const [from, to] of blanksBesideSlash(value)) report(blankInPath, { node, from, to }, {});
  if (bareBrace.test(value))
    for (const { name, from, to } of braces(value)) report(singleBraces, { node, from, to }, { name });
}

/** Where two slashes stand in a row behind the scheme. */
function* doubleSlashes(text: string): Generator<readonly [number, number]> {
  const query = text.search(/[?#]/);
  const path = query < 0 ? text : text.slice(0, query);
  for (const { index } of path.matchAll(/(?<![:/])\/\/(?!\/)/g)) if (index > 0) yield [index, index + 2];
}

/** Where blanks stand beside a slash. Those within an expansion, and in what a query asks for, are none of the path. */
function* blanksBesideSlash(text: string): Generator<readonly [number, number]> {
  const path = text.replace(/\$[{<][^}>]*[}>]/g, (expansion) => "x".repeat(expansion.length));
  const end = path.search(/[?#]/);
  for (const { index, 0: blanks } of (end < 0 ? path : path.slice(0, end)).matchAll(
    /(?<=\/) +(?=[^ ])|(?<=[^ ]) +(?=\/)/g,
  ))
    yield [index, index + blanks.length];
}

/** Behind a dollar sign it opens an expansion. */
const bareBrace = /(?:^|[^$])\{/;

/** `{name}` that is no expansion. */
function* braces(
  text: string,
): Generator<{ readonly name: string; readonly from: number; readonly to: number }> {
  for (const match of text.matchAll(/(?<![$\w{])\{([A-Za-z][\w-]*)\}(?!\})/g))
    yield { name: match[1]!, from: match.index, to: match.index + match[0].length };
}

/** Expansions that follow a plural word of the path, and end their segment: a list, and which of it. */
function* glued(
  text: string,
): Generator<{ readonly before: string; readonly from: number; readonly to: number }> {
  for (const match of text.matchAll(/(?:^|\/)([a-z][a-z_-]*s)(\$\{[^{}]*\}|\$<[^<>]*>)(?=\/|$)/gi)) {
    const to = match.index + match[0].length;
    yield { before: match[1]!, from: to - match[2]!.length, to };
  }
}

/** What a path repeats of the base URL; only what nobody puts there twice: a version, or words that no other path begins with. */
function repeatedSegment(path: StringNode, command: Command, model: Model) {
  const written = rooted(path.value);
  // As many of the last segments as the path begins with.
  const last = baseEndings(model).find((each) => begins(written, each));
  if (last === undefined) return undefined;
  const { commands } = model;
  const others = commands.filter(
    (other) => other.key === "!http" && other !== command && textOf(other.argument, "path") !== undefined,
  );
  const isAlone = others.length > 1 && others.every((other) => !startsWith(other, last));
  // If all do, it is the base URL that has them too many.
  if (others.length > 0 && others.every((other) => startsWith(other, last))) return undefined;
  if (!/^\/(?:v\d[\d.]*|api)$|\/v\d[\d.]*$/i.test(last) && !isAlone) return undefined;
  return { repeated: last, base: last, from: 0, to: last.length - (path.value.startsWith("/") ? 0 : 1) };
}

/** `/v2` behind `/v2`, also between other words behind a base URL that ends with it, where no other path has it so. */
function secondVersion(path: StringNode, model: Model) {
  const written = rooted(path.value);
  if (written.includes("://")) return undefined;
  const at = written.search(/\/v\d[\d.]*(?=\/)/i);
  if (at < 0) return undefined;
  const [version = ""] = /^\/v\d[\d.]*/i.exec(written.slice(at)) ?? [];
  const isRow = begins(written.slice(at + version.length), version);
  const from = (isRow ? at + version.length : at) - (written.length - path.value.length);
  const found = { repeated: version, base: version, from, to: from + version.length, isTwice: true } as const;
  if (isRow) return found;
  if (at === 0 || baseEndings(model).at(-1) !== version) return undefined;
  const others = model.commands.filter(
    ({ key, argument }) => key === "!http" && (textOf(argument, "path") ?? "").includes(`${version}/`),
  );
  return others.length === 1 ? found : undefined;
}

/** What the base URL ends with. */
const baseEndings = derived(({ api }): readonly string[] => {
  const base = /^https?:\/\/[^/?#]+((?:\/[\w.-]+)+)\/?$/i.exec(textOf(api?.node, "base_url") ?? "")?.[1];
  return base === undefined ? [] : endings(base);
});

const rooted = (path: string): string => (path.startsWith("/") ? path : `/${path}`);

/** `/public/v1` and `/v1` of `/public/v1`. */
function endings(base: string): readonly string[] {
  const segments = base.split("/").slice(1);
  return segments.map((_, index) => `/${segments.slice(index).join("/")}`);
}

function startsWith({ argument }: Command, segment: string): boolean {
  const path = textOf(argument, "path");
  return path === undefined || begins(rooted(path), segment);
}

function begins(path: string, segment: string): boolean {
  return path.startsWith(segment) && (path.length === segment.length || path[segment.length] === "/");
}

function authorises({ argument }: Command): boolean {
  const headers = argument?.kind === "object" ? argument.get("headers") : undefined;
  const params = argument?.kind === "object" ? argument.get("params") : undefined;
  const named = [headers, params].flatMap((each) => (each?.kind === "object" ? each.members : []));
  return named.some(({ name }) => /auth|key|token|secret|signature/i.test(name));
}
