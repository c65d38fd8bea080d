import type { RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";

const extendedFeature = defineRule<{ feature: string }>({
  id: "portability/extended-feature",
  severity: "error",
  summary: "A use of an extended feature, where only the core language is allowed",
  why: 'The settings file says `"language": "core"`: only what the specification states. Extended features are what configs in the wild also use; a platform that keeps to the specification refuses them.',
  guards: ["D3", "D17", "D22", "D25", "D26", "D27", "D31", "D39", "D41"],
  message: ({ feature }) =>
    `${feature.charAt(0).toUpperCase()}${feature.slice(1)} is an extended feature, and the settings allow only the core language.`,
  help: () => 'Do without it, or set `"language": "extended"` in `configc.config.json`.',
  examples: [
    {
      in: "inbound-webhook",
      settings: { language: "core" },
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{«"!print_c"»: "received"}, {"!jq": "{email: .email}"}]}',
      good: '{"!pipe": [{"!jq": "{email: .email}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [extendedFeature],
  checks: {
    document({ extendedUses }, report) {
      for (const { feature, node } of extendedUses)
        report(extendedFeature, node.kind === "member" ? node.key : node, { feature });
    },
  },
};
export default module;
