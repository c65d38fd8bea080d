import { nearest } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { forbiddenHeaders } from "../../../language/commands/http.ts";
import { authEntry, requiredAuthSettings } from "../../../language/sections/auth.ts";
import { toJson } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { removeMember } from "../../edits.ts";
import { ownerOf } from "../../locate.ts";
import { excerpt } from "../../message-text.ts";
import { hasMember, memberAt } from "../http/at.ts";

/** An auth entry of an extended type, for the examples. */
const token = (members: string, configuration = "") =>
  `{"type": "token", ${members}"defined_fields": {"token": {"label": "API key"}}${configuration}}`;

const missingSetting = defineRule<{ name: string; type: string; doc: string }>({
  id: "auth/missing-setting",
  severity: "error",
  summary: "A setting that this auth type needs is missing",
  why: "The platform checks what a customer typed with a request to `verify_url`, and sends a token in the header `header_key`. Without them no customer can connect.",
  guards: ["auth.verify_url", "auth.header_key", "D27"],
  message: ({ name, type }) =>
    `An auth entry of type \`${type}\` needs \`${name}\`, in \`configuration\` or beside \`type\`.`,
  help: ({ name, doc }) => `\`${name}\`: ${doc}`,
  examples: [
    {
      in: "outbound",
      at: "/auth",
      bad: `{«"acme"»: ${token('"header_key": "x-api-key", ')}}`,
      good: `{"acme": ${token('"header_key": "x-api-key", "verify_url": "https://api.example.com/v1/me", ')}}`,
    },
    {
      title: "in `configuration`",
      in: "outbound",
      at: "/auth/acme",
      bad: token("", ', «"configuration"»: {"verify_url": "https://api.example.com/v1/me"}'),
      good: token(
        "",
        ', "configuration": {"verify_url": "https://api.example.com/v1/me", "header_key": "x-api-key"}',
      ),
    },
  ],
});

const repeatedSetting = defineRule<{ name: string; same: boolean }>({
  id: "auth/repeated-setting",
  severity: "warning",
  summary: "A setting is both in `configuration` and beside `type`",
  why: "The settings of `basic`, `token` and `session` may be in either place. If both are there, which one counts depends on the platform, and sooner or later somebody changes only one.",
  guards: ["auth.verify_url", "auth.header_key", "auth.token_prefix", "D27"],
  message: ({ name, same }) =>
    same
      ? `\`${name}\` is set twice: in \`configuration\` and beside \`type\`.`
      : `\`${name}\` is set twice, to different values: in \`configuration\` and beside \`type\`.`,
  examples: [
    {
      in: "outbound",
      at: "/auth/acme",
      bad: token(
        '"header_key": "x-api-key", "verify_url": "https://api.example.com/v1/me", ',
        ', "configuration": {«"header_key"»: "x-api-key"}',
      ),
      good: token('"header_key": "x-api-key", "verify_url": "https://api.example.com/v1/me", '),
      fixed: token(
        '"header_key": "x-api-key", "verify_url": "https://api.example.com/v1/me", ',
        ', "configuration": {}',
      ),
    },
  ],
  fixes: ({ at, args: { name, same } }, { document }) => {
    const member = memberAt(document, at);
    if (member === undefined || !same) return [];
    return [{ title: `Remove this \`${name}\``, safe: true, edits: [removeMember(document, member)] }];
  },
});

const missingScopes = defineRule<Record<string, never>>({
  id: "auth/missing-scopes",
  severity: "hint",
  summary: "An oauth2 entry without `scopes`",
  why: "Without `scopes` the service grants its default permissions. These may be none, or more than customers want to give.",
  guards: ["auth.scopes", "D28"],
  message: () => "This entry asks for no `scopes`.",
  help: () => "List the permissions that the app needs, or write an empty list if the API has none.",
  examples: [
    {
      in: "outbound",
      at: "/auth/acme",
      bad: '{"type": "oauth2", «"configuration"»: {"authorization_base_url": "https://auth.example.com/authorize", "token_url": "https://auth.example.com/token", "client_id": "<CLIENT_ID>", "client_secret": "<CLIENT_SECRET>"}}',
      good: '{"type": "oauth2", "configuration": {"authorization_base_url": "https://auth.example.com/authorize", "token_url": "https://auth.example.com/token", "client_id": "<CLIENT_ID>", "client_secret": "<CLIENT_SECRET>", "scopes": []}}',
    },
  ],
});

const headerKey = defineRule<{ name: string }>({
  id: "auth/header-key",
  severity: "error",
  summary: "`header_key` isn't a header that can carry a token",
  why: "The customer's token is sent in the header that `header_key` names. Every request fails if that isn't a valid header name, or if the client sets that header itself.",
  guards: ["auth.header_key", "D18", "D27"],
  message: ({ name }) => `\`${name}\` can't be used as the header for the token.`,
  help: () =>
    "Use the header that the API documents, such as `Authorization` or `X-Api-Key`, without a colon.",
  examples: [
    {
      in: "outbound",
      at: "/auth/acme",
      bad: token('"header_key": «"x-api-key:"», "verify_url": "https://api.example.com/v1/me", '),
      good: token('"header_key": "x-api-key", "verify_url": "https://api.example.com/v1/me", '),
    },
  ],
});

const module: RuleModule = {
  rules: [missingSetting, repeatedSetting, missingScopes, headerKey],
  checks: {
    structure: {
      "missing-member"({ name, section, object }, report) {
        if (name === "scopes" && section.name === "oauth2 configuration")
          report(missingScopes, ownerOf(object), {});
      },
    },
    auth({ node, type }, report) {
      if (node?.kind !== "object" || type === undefined) return;
      const kind = Object.hasOwn(requiredAuthSettings, type)
        ? type
        : nearest(type, Object.keys(authEntry.variants));
      if (kind === undefined || !Object.hasOwn(requiredAuthSettings, kind)) return;
      const configuration = node.get("configuration");
      // Of another kind than an object: reported, and what was meant to stand in it isn't missing too.
      if (configuration !== undefined && configuration.kind !== "object") return;
      const { members } = authEntry.variants[kind]!();
      for (const name of requiredAuthSettings[kind]!) {
        if (hasMember(node, name) || (configuration !== undefined && hasMember(configuration, name)))
          continue;
        const owner = configuration ?? node;
        report(missingSetting, ownerOf(owner), { name, type: kind, doc: members[name]!.doc });
      }
      for (const member of configuration?.members ?? []) {
        const { name } = member;
        const beside = Object.hasOwn(members, name) ? node.member(name) : undefined;
        if (beside?.value === undefined || member.value === undefined) continue;
        const same = JSON.stringify(toJson(beside.value)) === JSON.stringify(toJson(member.value));
        const [first, second] = beside.start < member.start ? [beside, member] : [member, beside];
        report(repeatedSetting, second.key, { name, same }, [{ message: "the other one", at: first.key }]);
      }
      if (kind !== "token") return;
      const header = node.get("header_key") ?? configuration?.get("header_key");
      if (header?.kind !== "string" || !header.valid || header.value === "") return;
      const forbidden = (forbiddenHeaders as readonly string[]).includes(header.value.toLowerCase());
      if (forbidden || !/^[!#$%&'*+.^_`|~\w-]+$/.test(header.value))
        report(headerKey, header, { name: excerpt(header.value) });
    },
  },
};
export default module;
