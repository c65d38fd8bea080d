import { defineRule } from "../../../findings/rule.ts";
import { type StringNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";

const config = (refresh: string): string =>
  `{"type": "oauth2", "defined_fields": {"subdomain": {"label": "Shop", "placeholder": "acme", "help_text": ""}}, "configuration": {"authorization_base_url": "https://\${subdomain}.shop.example/authorize", "token_url": "https://\${subdomain}.shop.example/token", "refresh_url": "https://${refresh}.shop.example/token", "client_id": "<CLIENT_ID>", "client_secret": "<CLIENT_SECRET>", "scopes": ["read"]}}`;

const otherHost = defineRule<{ member: string; label: string; other: string }>({
  id: "auth/fixed-host",
  severity: "warning",
  summary: "One of the auth URLs has a fixed host where the others have the customer's subdomain",
  why: "Each customer logs in at their own host. A token that comes from there can't be refreshed at somebody else's: everything works for an hour, and then every connection breaks.",
  guards: ["auth.refresh_url", "auth.token_url", "auth.authorization_base_url", "expansion.subdomain", "D28"],
  message: ({ member, label, other }) =>
    `\`${other}\` has the customer's \`\${subdomain}\` where \`${member}\` has \`${label}\` for all customers.`,
  because: ({ member, label, other }) => [
    `a customer with the subdomain “acme”: \`${other}\` goes to acme`,
    `\`${member}\` goes to ${label}`,
  ],
  help: () => "Write `${subdomain}` here too.",
  examples: [
    {
      in: "outbound",
      at: "/auth/acme",
      bad: config("«demo»"),
      good: config("${subdomain}"),
      fixed: config("${subdomain}"),
    },
  ],
  fixes: ({ at }, { document }) =>
    "from" in at
      ? [
          {
            title: "Change to `${subdomain}`",
            safe: false,
            edits: [replaceInString(document, at.node, at.from, at.to, "${subdomain}")],
          },
        ]
      : [],
});

const module: RuleModule = {
  rules: [otherHost],
  checks: {
    auth({ node }, report) {
      const configuration = node?.kind === "object" ? node.get("configuration") : undefined;
      if (textOf(node, "type") !== "oauth2" || configuration?.kind !== "object") return;
      const urls = ["authorization_base_url", "token_url", "refresh_url"].flatMap((name) => {
        const value = configuration.get(name);
        return value?.kind === "string" ? [{ name, value }] : [];
      });
      const behind = new Map<string, { readonly name: string; readonly value: StringNode }>();
      for (const url of urls) {
        const [, rest] = /^https?:\/\/\$(?:\{subdomain\}|<subdomain>)(\.[\w.-]+)/.exec(url.value.value) ?? [];
        if (rest !== undefined) behind.set(rest, url);
      }
      for (const { name, value } of urls) {
        const match = /^(https?:\/\/)([\w-]+)(\.[\w.-]+)/.exec(value.value);
        const [, scheme = "", label = "", rest = ""] = match ?? [];
        const other = behind.get(rest);
        // These are hosts that a service has for all of its customers.
        if (
          match === null ||
          other === undefined ||
          /^(?:www|api|login|auth|accounts?|id|oauth2?|sso|app|my|connect)$/i.test(label)
        )
          continue;
        const at = { node: value, from: scheme.length, to: scheme.length + label.length };
        report(otherHost, at, { member: name, label, other: other.name }, [
          { message: `\`${other.name}\``, at: other.value },
        ]);
      }
    },
  },
};
export default module;
