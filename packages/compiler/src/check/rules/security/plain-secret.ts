import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { hasPlaceholder, isSecretCookie, isSecretHeader } from "../../../language/secrets.ts";
import { spanOf } from "../../../parse/document.ts";
import type { JsonNode, ObjectNode } from "../../../parse/syntax-tree.ts";
import { parseTemplate } from "../../../parse/template.ts";
import { readUrl } from "../../../parse/url.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { capitalized } from "../../message-text.ts";
import { beginsWithExpansion, urlSites } from "../http/url-sites.ts";

// The secret itself is no argument: it must not come into a message, a log or a fingerprint.
const plainSecret = defineRule<{ where: string; placeholder: string }>({
  id: "security/plain-secret",
  severity: "warning",
  summary: "A secret is in plain text",
  why: "Many people read a config: in repositories, in reviews and on the platform. Anyone who reads a secret in it can act as your app, for every customer. Give secrets to the platform itself and write a `<PLACEHOLDER>` in the config. If a secret was ever committed, replace it at the service.",
  guards: [
    "auth.client_secret",
    "sha.secret",
    "command.!sha",
    "command.!http",
    "http.headers",
    "D26",
    "D28",
    "D29",
  ],
  message: ({ where }) => `${where} is a secret in plain text.`,
  help: ({ placeholder }) =>
    `Write a placeholder such as \`${placeholder}\`and give the secret to the platform. If others could see it, replace it at the service.`,
  examples: [
    {
      in: "outbound",
      at: "/auth/acme/configuration/client_secret",
      bad: '«"k3yb0ard-cat"»',
      good: '"<CLIENT_SECRET>"',
      fixed: '"<CLIENT_SECRET>"',
    },
    {
      title: "D29: words that somebody is to replace are no secret",
      in: "outbound",
      at: "/auth/acme/configuration/client_secret",
      bad: '«"sk_live_51H8x"»',
      good: '"[insert your secret here]"',
      fixed: '"<CLIENT_SECRET>"',
    },
    {
      title: "an expansion where none is evaluated",
      in: "outbound",
      at: "/auth/acme/configuration/client_secret",
      bad: '«"${env.CLIENT_SECRET}"»',
      good: '"<CLIENT_SECRET>"',
      fixed: '"<CLIENT_SECRET>"',
    },
    {
      title: "a header with the service's name in it",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/headers",
      bad: '{"X-Acme-Access-Token": «"k3yb0ardcat"»}',
      good: '{"X-Acme-Access-Token": "<API_KEY>", "X-CSRF-Token": "fetch", "Idempotency-Key": "${piped_content.0.email}"}',
      fixed: '{"X-Acme-Access-Token": "<API_KEY>"}',
    },
    {
      title: "an authorisation header",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/headers",
      bad: '{"Authorization": «"Bearer k3yb0ardcat"»}',
      good: '{"Authorization": "Bearer <API_TOKEN>", "x-api-key": "${custom_data.list.value}"}',
      fixed: '{"Authorization": "Bearer <API_TOKEN>"}',
    },
    {
      title: "the key of a hash",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": "sha256", "secret": «"k3yb0ardcat"»}}]}',
      good: '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}]}',
    },
    {
      title: "in a URL",
      in: "outbound",
      at: "/api/base_url",
      bad: '"https://«acme:k3yb0ardcat»@api.example.com/v1"',
      good: '"https://<USER>:<PASSWORD>@api.example.com/v1"',
      fixed: '"https://<USER>:<PASSWORD>@api.example.com/v1"',
    },
    {
      title: "in the body of a request",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body",
      bad: '{"client_secret": «"k3yb0ardcat"»}',
      good: '{"client_secret": "<CLIENT_SECRET>"}',
      fixed: '{"client_secret": "<CLIENT_SECRET>"}',
    },
  ],
  fixes: ({ at, args: { placeholder } }, { document }) => {
    const { start, end } = spanOf(document, at);
    const whole = !("from" in at);
    const newText = whole ? JSON.stringify(placeholder) : placeholder;
    return [{ title: `Write \`${placeholder}\``, safe: false, edits: [{ start, end, newText }] }];
  },
});

const module: RuleModule = {
  rules: [plainSecret],
  checks: {
    auth({ node }, report) {
      if (node?.kind !== "object") return;
      const configuration = node.get("configuration");
      const requestBody =
        configuration?.kind === "object" ? configuration.get("token_request_body") : undefined;
      for (const object of [node, configuration, node.get("request_body"), requestBody])
        clientSecret(object, false, report);
    },
    command: {
      "!sha"({ argument }, report) {
        const secret = argument?.kind === "object" ? argument.get("secret") : undefined;
        if (isSecret(secret))
          report(plainSecret, secret!, { where: "`secret` of `!sha`", placeholder: "<SIGNING_SECRET>" });
      },
      "!http"({ argument }, report) {
        if (argument?.kind !== "object") return;
        clientSecret(argument.get("body"), true, report);
        clientSecret(argument.get("params"), true, report);
        const headers = argument.get("headers");
        if (headers?.kind === "object") secretHeaders(headers, report);
      },
    },
    document: userinfo,
  },
};
export default module;

function clientSecret(object: JsonNode | undefined, expands: boolean, report: Report): void {
  const secret = object?.kind === "object" ? object.get("client_secret") : undefined;
  if (isSecret(secret, expands))
    report(plainSecret, secret!, { where: "`client_secret`", placeholder: "<CLIENT_SECRET>" });
}

function secretHeaders(headers: ObjectNode, report: Report): void {
  for (const { name, value } of headers.members) {
    const cookie = name.toLowerCase() === "cookie";
    if ((!cookie && !isSecretHeader(name)) || value?.kind !== "string" || !isSecret(value)) continue;
    if (cookie && !isSecretCookie(value.value)) continue;
    const scheme = /^\s*([A-Za-z][\w-]*)\s+\S/.exec(value.value)?.[1];
    // A lonely scheme, such as `Bearer` with a token that is still to come, is no secret.
    if (scheme === undefined && /^\s*(?:basic|bearer|token|digest)\s*$/i.test(value.value)) continue;
    const placeholder = cookie ? "<COOKIE>" : scheme === undefined ? "<API_KEY>" : `${scheme} <API_TOKEN>`;
    report(plainSecret, value, { where: `The header \`${name}\``, placeholder });
  }
}

function userinfo(model: Model, report: Report): void {
  for (const site of urlSites(model)) {
    const { node, masked, template, owner } = site;
    if (!masked.includes("@")) continue;
    const found = beginsWithExpansion(site) ? undefined : readUrl(masked)?.userinfo;
    if (found === undefined || found.start === found.end) continue;
    const { start, end } = found;
    const text = node.value.slice(start, end);
    if (hasPlaceholder(text) || template?.expansions.some((it) => it.start < end && it.end > start) === true)
      continue;
    const placeholder = text.includes(":") ? "<USER>:<PASSWORD>" : "<USER>";
    const where = `${capitalized(owner)}, before its \`@\`,`;
    report(plainSecret, { node, from: start, to: end }, { where, placeholder });
  }
}

/** A text that stands for itself: not empty, no `<PLACEHOLDER>`, no expansion where those are evaluated. */
function isSecret(node: JsonNode | undefined, expands = true): boolean {
  if (node?.kind !== "string" || !node.valid || node.value.trim() === "") return false;
  return !hasPlaceholder(node.value) && !(expands && parseTemplate(node.value) !== undefined);
}
