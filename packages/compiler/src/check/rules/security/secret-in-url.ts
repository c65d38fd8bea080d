import { defineRule } from "../../../findings/rule.ts";
import { hasPlaceholder, isSecretParameter } from "../../../language/secrets.ts";
import { readPath, readUrl } from "../../../parse/url.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { beginsWithExpansion, urlSites } from "../http/url-sites.ts";

// As with `security/plain-secret`, the secret itself is no argument.
const secretInUrl = defineRule<{ name: string }>({
  id: "security/secret-in-url",
  severity: "warning",
  summary: "A secret is sent as a query parameter",
  why: "Every server and proxy on the way logs URLs, and anyone who sees the config can read the key. Send it in a header, or better, let the auth entry send each customer's own key.",
  guards: ["command.!http", "http.path", "http.url", "http.params", "D29"],
  message: ({ name }) =>
    `The parameter \`${name}\` puts a secret in plain text into a URL, and URLs are logged.`,
  help: () => "Use the workflow's `auth`. If the API accepts a key only in its URL, write a `<PLACEHOLDER>`.",
  examples: [
    {
      title: "in a path",
      in: "outbound",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0/!http/path",
      bad: '"/me?fields=id&api_key=«k3yb0ardcat»"',
      good: '"/me?fields=id&api_key=<API_KEY>"',
    },
    {
      title: "in `params`",
      in: "outbound",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0/!http",
      bad: '{"path": "/me", "params": {"api_key": «"k3yb0ardcat"»}}',
      good: '{"path": "/me", "params": {"api_key": "<API_KEY>", "token": "next"}}',
    },
  ],
});

const module: RuleModule = {
  rules: [secretInUrl],
  checks: {
    document(model, report) {
      for (const site of urlSites(model)) {
        const { node, masked } = site;
        if (!masked.includes("?")) continue;
        const url = beginsWithExpansion(site) ? undefined : readUrl(masked);
        const query = (url ?? readPath(masked)).query;
        if (query === undefined) continue;
        let start = query.start;
        for (const pair of node.value.slice(query.start, query.end).split("&")) {
          const equals = pair.indexOf("=");
          const name = pair.slice(0, Math.max(0, equals));
          const from = start + equals + 1;
          const to = start + pair.length;
          start = to + 1;
          if (isSecret(name, pair.slice(equals + 1)))
            report(secretInUrl, { node, from, to }, { name: excerpt(name) });
        }
      }
    },
    command: {
      "!http"({ argument }, report) {
        const params = argument?.kind === "object" ? argument.get("params") : undefined;
        if (params?.kind !== "object") return;
        for (const { name, value } of params.members) {
          // `client_secret` is a plain secret anywhere.
          if (value?.kind !== "string" || !value.valid || name === "client_secret") continue;
          if (isSecret(name, value.value)) report(secretInUrl, value, { name: excerpt(name) });
        }
      },
    },
  },
};
export default module;

function isSecret(name: string, value: string): boolean {
  if (!isSecretParameter(name) || value.trim() === "" || value.includes("$") || hasPlaceholder(value))
    return false;
  // Many lists have a `token` that says where to go on: only what looks random is a secret.
  return name.toLowerCase() !== "token" || (value.length >= 16 && /\d/.test(value) && /[A-Za-z]/.test(value));
}
