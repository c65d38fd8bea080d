import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import { originOf, readPath, readUrl } from "../../../parse/url.ts";
import type { RuleModule } from "../../checks.ts";
import { capitalized, excerpt } from "../../message-text.ts";
import { beginsWithExpansion, printable, type UrlSite, urlSitesWhere } from "./url-sites.ts";

const dotSegment = defineRule<{ segment: string }>({
  id: "http/dot-segment",
  severity: "warning",
  summary: "A path has a segment `.` or `..`",
  why: "URLs are normalised before they are sent: `..` removes the segment before it, even one of `api.base_url`. The request would go to a different endpoint than written, so the runtime refuses it.",
  guards: ["command.!http", "http.path", "http.url", "D18"],
  message: ({ segment }) => `The segment \`${segment}\` isn't sent. It changes the path before it.`,
  help: () => "Write the final path. To leave `api.base_url`, use `url`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0/!http/path",
      bad: '"/«..»/v2/me"',
      good: '"/v2/me"',
    },
    {
      title: "percent-encoded",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0/!http/path",
      bad: '"/me/«%2E%2e»"',
      good: '"/me/..."',
    },
  ],
});

const fragment = defineRule<{ owner: string; fragment: string }>({
  id: "http/fragment",
  severity: "warning",
  summary: "The part of a URL after `#` isn't sent",
  why: "The client never sends the part after a `#`. An id or a name that contains `#` is cut off, and the request goes to a shorter path: to the list instead of the item.",
  guards: ["command.!http", "http.path", "http.url", "D18", "D28"],
  message: ({ owner, fragment }) => `${owner} is cut off at the \`#\`: \`${fragment}\` isn't sent.`,
  help: () => "For a literal `#`, write `%23`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0/!http/path",
      bad: '"/channels/«#general»"',
      good: '"/channels/%23general"',
      fixed: '"/channels/%23general"',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { start } = spanOf(document, at);
    const edits = [{ start, end: start + 1, newText: "%23" }];
    return [{ title: "Change to `%23`", safe: false, edits }];
  },
});

const duplicateParameter = defineRule<{ name: string }>({
  id: "http/duplicate-parameter",
  severity: "hint",
  summary: "A parameter is both in the URL and in `params`",
  why: "`params` are added to the query of the URL, so the parameter is sent twice. Servers take the first, the last, or both.",
  guards: ["command.!http", "http.params", "D17"],
  message: ({ name }) => `\`${name}\` is also in the URL, so it is sent twice.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0/!http",
      bad: '{"path": "/me?fields=id", "params": {«"fields"»: "id,name"}}',
      good: '{"path": "/me?fields=id", "params": {"locale": "en"}}',
    },
  ],
});

const module: RuleModule = {
  rules: [dotSegment, fragment, duplicateParameter],
  checks: {
    document(model, report) {
      for (const site of notable(model)) {
        const { node, kind, owner, masked, command } = site;
        const parts = partsOf(site);
        if (parts === undefined) continue;
        // Of `base_url`, `api/base-url` says it.
        if (parts.fragment !== undefined && kind !== "base") {
          const from = parts.fragment.start - 1;
          const text = printable(node.value.slice(from));
          report(
            fragment,
            { node, from, to: node.value.length },
            { owner: capitalized(owner), fragment: text },
          );
        }
        if (kind !== "path" && kind !== "url") continue;
        for (const { start, end } of segments(masked, parts.path.start, parts.path.end)) {
          const segment = masked.slice(start, end);
          if (!DOTS.test(segment)) continue;
          report(dotSegment, { node, from: start, to: end }, { segment });
          break;
        }
        const params = command?.argument?.kind === "object" ? command.argument.get("params") : undefined;
        if (params?.kind !== "object" || parts.query === undefined) continue;
        const names = new Set(
          node.value
            .slice(parts.query.start, parts.query.end)
            .split("&")
            .map((pair) => pair.split("=", 1)[0]),
        );
        for (const { key, name, value } of params.members) {
          // A name may be there for each of several values: lists are sent like that.
          if (value?.kind === "array" || value?.kind === "null" || name.includes("$")) continue;
          if (names.has(name)) report(duplicateParameter, key, { name: excerpt(name) });
        }
      }
    },
  },
};
export default module;

/** Most paths have neither a query, a fragment, nor a segment that begins with a dot. */
const NOTABLE = /[?#]|(?:^|\/)(?:\.|%2e)/i;
const notable = urlSitesWhere(({ masked }) => NOTABLE.test(masked));

/** `.` and `..`, percent-encoded too. */
const DOTS = /^(?:\.|%2e){1,2}$/i;

function partsOf(site: UrlSite) {
  const { kind, masked, node, template } = site;
  if (kind === "path") return readUrl(masked) ?? readPath(masked);
  if (beginsWithExpansion(site)) return readPath(masked);
  return originOf(node.value, template) === undefined ? undefined : readUrl(masked);
}

function* segments(masked: string, from: number, to: number) {
  let start = from;
  while (start <= to) {
    const slash = masked.indexOf("/", start);
    const end = slash < 0 || slash > to ? to : slash;
    yield { start, end };
    start = end + 1;
  }
}
