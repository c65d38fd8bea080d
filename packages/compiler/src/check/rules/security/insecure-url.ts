import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import { isLoopback, readUrl } from "../../../parse/url.ts";
import type { RuleModule } from "../../checks.ts";
import { capitalized, excerpt } from "../../message-text.ts";
import { beginsWithExpansion, urlSitesWhere } from "../http/url-sites.ts";

const insecureUrl = defineRule<{ owner: string; host: string }>({
  id: "security/insecure-url",
  severity: "warning",
  summary: "Anyone on the network path can read requests to an `http:` URL",
  why: "Over `http:`, tokens and customers' data travel unencrypted. That is harmless only on your own machine (`localhost`, `127.0.0.1`).",
  guards: [
    "command.!http",
    "http.url",
    "api.base_url",
    "auth.authorization_base_url",
    "auth.token_url",
    "auth.refresh_url",
    "auth.verify_url",
    "D18",
    "D28",
  ],
  message: ({ owner, host }) =>
    `${owner} isn't encrypted. With \`http:\`, anyone on the network path to \`${host}\` can read credentials and data.`,
  help: () => "Write `https:`.",
  examples: [
    {
      in: "outbound",
      at: "/api/base_url",
      bad: '"«http»://api.example.com/v1"',
      good: '"http://localhost:8080/v1"',
      fixed: '"https://api.example.com/v1"',
    },
    {
      title: "a URL of an auth entry",
      in: "outbound",
      at: "/auth/acme/configuration/token_url",
      bad: '"«http»://auth.example.com/token"',
      good: '"http://127.0.0.1/token"',
      fixed: '"https://auth.example.com/token"',
    },
    {
      title: "a request",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0",
      bad: '{"!http": {"url": "«HTTP»://[2001:db8::1]:8080/me", "target": "external"}}',
      good: '{"!http": {"url": "http://[::1]:8080/me", "target": "external"}}',
      fixed: '{"!http": {"url": "https://[2001:db8::1]:8080/me", "target": "external"}}',
    },
  ],
  fixes: ({ at }, { document }) => [
    { title: "Change to `https`", safe: false, edits: [{ ...spanOf(document, at), newText: "https" }] },
  ],
});

const module: RuleModule = {
  rules: [insecureUrl],
  checks: {
    document(model, report) {
      for (const site of insecure(model)) {
        const { node, masked, owner } = site;
        const url = beginsWithExpansion(site) ? undefined : readUrl(masked);
        if (url?.scheme !== "http") continue;
        const host = node.value.slice(url.host.start, url.host.end);
        if (host === "" || isLoopback(host)) continue;
        const args = { owner: capitalized(owner), host: excerpt(host) };
        report(insecureUrl, { node, from: 0, to: url.scheme.length }, args);
      }
    },
  },
};
export default module;

const insecure = urlSitesWhere(({ masked }) => /^http:/i.test(masked));
