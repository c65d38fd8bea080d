import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { keyOf } from "../../locate.ts";
import { excerpt } from "../../message-text.ts";
import { removeFix } from "../workflow/remove.ts";
import { areWorkflowsKnown } from "./readers.ts";

const token =
  '{"type": "token", "configuration": {"header_key": "X-Key", "verify_url": "https://api.example.com/me"}, "defined_fields": {"token": {"label": "Key"}}}';

const unusedAuth = defineRule<{ name: string }>({
  id: "unused/auth",
  severity: "hint",
  tag: "unnecessary",
  summary: "No workflow names this auth entry",
  why: "Nobody can connect with it. It may be left over, or a workflow names a different one by mistake.",
  guards: ["document.auth", "workflow.auth"],
  message: ({ name }) => `No workflow uses the auth entry \`${excerpt(name)}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/auth",
      bad: `{«"spare"»: ${token}, "acme": ${token}}`,
      good: `{"acme": ${token}}`,
      fixed: `{"acme": ${token}}`,
    },
  ],
  fixes: ({ at }, { document }) => removeFix(document, at),
});

const module: RuleModule = {
  rules: [unusedAuth],
  checks: {
    document(model, report) {
      const { workflows, auths } = model;
      const unused = auths.filter(({ references, member }) => references.length === 0 && !member.repeated);
      if (unused.length === 0 || !areWorkflowsKnown(model)) return;
      if (!workflows.every(({ auth }) => auth?.exact === true)) return;
      for (const { name, member } of unused) report(unusedAuth, keyOf(member), { name });
    },
  },
};
export default module;
