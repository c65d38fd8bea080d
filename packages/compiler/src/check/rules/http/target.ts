import { nearest } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import type { UrlProblemKind } from "../../../parse/url.ts";
import { urlProblem } from "../../../parse/url.ts";
import type { RuleModule } from "../../checks.ts";
import { renameMember, replaceValue } from "../../edits.ts";
import { capitalized, didYouMean, excerpt } from "../../message-text.ts";
import { memberOf, valueAt } from "./at.ts";
import { isPlatformHost } from "./platform-host.ts";
import {
  beginsWithExpansion,
  isAbsolute,
  isOutOfScope,
  printable,
  type UrlSite,
  urlSites,
  urlSitesWhere,
} from "./url-sites.ts";

const absoluteUrlInPath = defineRule<{ value: string }>({
  id: "http/absolute-url-in-path",
  severity: "warning",
  core: "error",
  summary: "`path` of `!http` is a whole URL",
  why: "A `path` is appended to `api.base_url`. Some platforms read a whole URL there as `url`, and so do we. A strict platform sends the request to `https://api.example.com/https://…`, and the step fails for every customer.",
  guards: ["command.!http", "http.path", "http.url", "endpoints.http", "api.base_url", "D17", "D41"],
  message: ({ value }) => `\`path\` is appended to \`api.base_url\`, but \`${value}\` is a whole URL.`,
  help: () => "Use `url` instead, or write only the part after `api.base_url`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0",
      bad: '{"!http": {"path": «"https://api.example.com/v1/me"»}}',
      good: '{"!http": {"path": "/me"}}',
      fixed: '{"!http": {"url": "https://api.example.com/v1/me"}}',
    },
    {
      title: "with an expansion in it",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http",
      bad: '{"method": "DELETE", "path": «"https://api.example.com/v1/hooks/${data.workflow.hook_id}"»}',
      good: '{"method": "DELETE", "url": "https://api.example.com/v1/hooks/${data.workflow.hook_id}"}',
      fixed: '{"method": "DELETE", "url": "https://api.example.com/v1/hooks/${data.workflow.hook_id}"}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const member = memberOf(valueAt(document, at));
    if (member === undefined || member.parent.member("url") !== undefined) return [];
    return [{ title: "Rename to `url`", safe: true, edits: [renameMember(member, "url")] }];
  },
});

const relativeUrl = defineRule<{ owner: string; value: string; request: boolean }>({
  id: "http/relative-url",
  severity: "error",
  summary: "`url` isn't absolute",
  why: "Nothing is added to the `url` of `!http` or to the URLs of an auth entry. Without a scheme and a host the request has nowhere to go, and fails for every customer.",
  guards: [
    "command.!http",
    "http.url",
    "endpoints.http",
    "auth.authorization_base_url",
    "auth.token_url",
    "auth.refresh_url",
    "auth.verify_url",
    "D17",
    "D28",
  ],
  message: ({ owner, value }) => `${owner} must begin with \`https://\` and a host. It is \`${value}\`.`,
  help: ({ request }) => (request ? "Use `path` for a URL relative to `api.base_url`." : undefined),
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http",
      bad: '{"method": "DELETE", "url": «"/hooks/${data.workflow.hook_id}"»}',
      good: '{"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}',
      fixed: '{"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}',
    },
    {
      title: "a URL of an auth entry",
      in: "inbound-webhook",
      at: "/auth/acme/configuration/token_url",
      bad: '«"auth.example.com/token"»',
      good: '"https://auth.example.com/token"',
      fixed: '"https://auth.example.com/token"',
    },
  ],
  fixes: ({ at }, { document, model }) => {
    const { start } = spanOf(document, at);
    const { node, kind, masked } = urlSites(model).find((site) => site.node.start === start)!;
    const member = memberOf(node);
    const host = /^[^/?#\s@]+\.[A-Za-z]{2,}(?=[/?#:]|$)/.test(masked);
    if (host) {
      const edits = [replaceValue(node, `https://${node.value}`)];
      return [{ title: "Add `https://`", safe: false, edits }];
    }
    if (kind !== "url" || member === undefined || member.parent.member("path") !== undefined) return [];
    const edits = [renameMember(member, "path")];
    return [{ title: "Rename to `path`", safe: node.value.startsWith("/"), edits }];
  },
});

const malformed: Readonly<Record<Exclude<UrlProblemKind, "relative">, (part: string) => string>> = {
  blank: () => "begins or ends with spaces",
  scheme: (part) => `has \`${part}\` where \`https://\` belongs`,
  host: (part) => (/^[/:@]$/.test(part) ? "has no host" : `has an invalid host, \`${part}\``),
  port: (part) => `has an invalid port, \`${part}\`; a port is a number up to 65535`,
};

const malformedUrl = defineRule<{
  owner: string;
  problem: keyof typeof malformed;
  part: string;
  suggestion: string | undefined;
}>({
  id: "http/malformed-url",
  severity: "error",
  summary: "No request can be sent to this URL",
  why: "A request needs an `https://` or `http://` URL with a host. A typo in it fails for the customer, while connecting or importing.",
  guards: [
    "command.!http",
    "http.url",
    "api.base_url",
    "auth.authorization_base_url",
    "auth.token_url",
    "auth.refresh_url",
    "auth.verify_url",
    "D17",
    "D18",
    "D28",
  ],
  message: ({ owner, problem, part, suggestion }) =>
    `${owner} ${malformed[problem](part)}.${didYouMean(suggestion)}`,
  examples: [
    {
      title: "a misspelled scheme",
      in: "inbound-webhook",
      at: "/auth/acme/configuration/token_url",
      bad: '"«htps»://auth.example.com/token"',
      good: '"https://auth.example.com/token"',
      fixed: '"https://auth.example.com/token"',
    },
    {
      title: "a slash too few",
      in: "inbound-webhook",
      at: "/api/base_url",
      bad: '"«https:/»api.example.com/v1"',
      good: '"https://api.example.com/v1"',
      fixed: '"https://api.example.com/v1"',
    },
    {
      title: "no host",
      in: "inbound-webhook",
      at: "/api/base_url",
      bad: '"https:/«/»/v1"',
      good: '"https://api.example.com/v1"',
      fixed: '"https:///v1"',
    },
    {
      title: "a port that isn't a number",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0",
      bad: '{"!http": {"url": "https://api.example.com:«v1»/me", "target": "external"}}',
      good: '{"!http": {"url": "https://api.example.com:8443/me", "target": "external"}}',
      fixed: '{"!http": {"url": "https://api.example.com:v1/me", "target": "external"}}',
    },
    {
      title: "a blank at the end",
      in: "inbound-webhook",
      at: "/api/base_url",
      bad: '"https://api.example.com/v1« »"',
      good: '"https://api.example.com/v1"',
      fixed: '"https://api.example.com/v1"',
    },
  ],
  fixes: ({ at, args: { problem, suggestion } }, { document }) => {
    const span = spanOf(document, at);
    if (problem === "blank")
      return [{ title: "Remove the spaces", safe: true, edits: [{ ...span, newText: "" }] }];
    if (suggestion === undefined) return [];
    return [{ title: `Change to \`${suggestion}\``, safe: true, edits: [{ ...span, newText: suggestion }] }];
  },
});

const module: RuleModule = {
  rules: [absoluteUrlInPath, relativeUrl, malformedUrl],
  checks: {
    document(model, report) {
      for (const site of suspicious(model)) {
        const { node, kind, owner, masked } = site;
        if (kind === "path") {
          if (!isAbsolute(site) || isPlatformHost(site, model)) continue;
          report(absoluteUrlInPath, node, { value: printable(node.value) });
        }
        // A `url` may get its beginning from a value (D18); in a base or auth URL only a host's label can be one.
        if (kind === "url" && beginsWithExpansion(site)) continue;
        const problem = urlProblem(masked);
        if (problem === undefined) continue;
        if (problem.kind === "relative") {
          // Of `base_url`, `api/base-url` says it.
          if (kind === "base" || (kind === "auth" && isOutOfScope(site))) continue;
          report(relativeUrl, node, {
            owner: capitalized(owner),
            value: printable(node.value),
            request: kind === "url",
          });
          continue;
        }
        const { start, end } = problem;
        const part = node.value.slice(start, end);
        const suggestion = problem.kind === "scheme" ? schemeFor(site, part) : undefined;
        const args = { owner: capitalized(owner), problem: problem.kind, part: excerpt(part), suggestion };
        report(malformedUrl, { node, from: start, to: end }, args);
      }
    },
  },
};
export default module;

/** A path is one up to its beginning, and most URLs are in order. */
const suspicious = urlSitesWhere((site) =>
  site.kind === "path" ? isAbsolute(site) : urlProblem(site.masked) !== undefined,
);

const SCHEMES = ["https", "http"];

/** What was meant by a wrong scheme, with as much of the slashes as the author wrote of them. */
function schemeFor(site: UrlSite, part: string): string | undefined {
  const name = part.replace(/[:/]+$/, "").toLowerCase();
  const meant = SCHEMES.includes(name) ? name : nearest(name, SCHEMES);
  // A scheme alone isn't mended by its slashes.
  if (meant === undefined || site.masked.length === part.length) return undefined;
  return site.masked.slice(part.length).startsWith("://") ? meant : `${meant}://`;
}
