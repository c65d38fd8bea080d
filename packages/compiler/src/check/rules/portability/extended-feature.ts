import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { capitalized } from "../../message-text.ts";
import { alternatives } from "./alternatives.ts";
import { featureUses } from "./feature-uses.ts";

const core = { language: "core" } as const;

const extendedFeature = defineRule<{ feature: string }>({
  id: "portability/extended-feature",
  severity: "error",
  summary: "An extended feature is used where only the core language is allowed",
  why: 'With `"language": "core"` the settings file allows only what the specification states. Real configs also use extended features, which a strict platform refuses. With `"language": "extended"`, the default, this rule is off.',
  guards: ["D3", "D15", "D17", "D22", "D25", "D26", "D27", "D28", "D31", "D41", "expansion.subdomain"],
  message: ({ feature }) =>
    `${capitalized(feature)} is an extended feature, but the settings allow only the core language.`,
  help: ({ feature }) =>
    alternatives.get(feature) ??
    'Remove it, or set `"language": "extended"` in `configc.config.json`. The core language has no alternative.',
  examples: [
    {
      title: "D26: a command",
      in: "inbound-webhook",
      settings: core,
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{«"!print_c"»: "received"}, {"!jq": "{email: .email}"}]}',
      good: '{"!pipe": [{"!jq": "{email: .email}"}]}',
    },
    {
      title: "D17: a member",
      in: "inbound-webhook",
      settings: core,
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0",
      bad: '{"!http": {"path": "/me", «"params"»: {"fields": "id,name"}}}',
      good: '{"!http": {"path": "/me?fields=id,name"}}',
    },
    {
      title: "D27: a type, which stands for all its members",
      in: "outbound",
      settings: core,
      at: "/auth/acme",
      bad: '{"type": «"basic"», "verify_url": "https://api.example.com/me", "defined_fields": {"username": {"label": "User"}, "password": {"label": "Password"}}}',
      good: '{"type": "oauth2", "configuration": {"authorization_base_url": "https://auth.example.com/authorize", "token_url": "https://auth.example.com/token", "client_id": "<CLIENT_ID>", "client_secret": "<CLIENT_SECRET>", "scopes": ["subscribers:write"]}}',
    },
    {
      title: "D25: a resource",
      in: "inbound-webhook",
      settings: core,
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!resource": "«PlatformDeal»"}',
      good: '{"!resource": "PlatformContact"}',
    },
    {
      title: "D41: text above a form",
      in: "outbound",
      settings: core,
      with: { "/workflows/0/data_pipeline/target/!http/body/note": '""' },
      at: "/workflows/0/setup/select",
      bad: '{"label": "List", «"description"»: "Choose a list.", "form_fields": [{"id": "list", "label": "List", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}]}',
      good: '{"label": "Choose a list", "form_fields": [{"id": "list", "label": "List", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [extendedFeature],
  checks: {
    document(model, report) {
      if (model.settings.language !== "core") return;
      for (const { feature, at } of featureUses(model)) report(extendedFeature, at, { feature });
    },
  },
};
export default module;
