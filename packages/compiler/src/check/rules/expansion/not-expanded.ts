import { defineRule } from "../../../findings/rule.ts";
import { partAt } from "../../../flow/nodes.ts";
import { ROOT_NAMES } from "../../../language/expansion-names.ts";
import type { ExpansionSyntax } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";

const notExpanded = defineRule<{ text: string }>({
  id: "expansion/not-expanded",
  severity: "hint",
  summary: "An expansion isn't evaluated here",
  why: "Expansions are evaluated inside commands and in the URLs of `api` and `auth`. In labels, placeholders and help texts, customers see the expansion itself.",
  guards: ["D11"],
  message: ({ text }) => `\`${text}\` isn't expanded here. Customers see it as written.`,
  examples: [
    {
      title: "D11: a label",
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/label",
      bad: '"Map «${custom_data.form.display}»"',
      good: '"Map ${form}"',
    },
  ],
});

const inErrorMessage = defineRule<{ text: string }>({
  id: "expansion/in-error-message",
  severity: "warning",
  summary: "`!error` doesn't evaluate expansions",
  why: "`!error` stops with its message as written, so its reader sees `${…}` instead of the value.",
  guards: ["D26", "command.!error"],
  message: ({ text }) => `\`!error\` doesn't evaluate expansions. The message shows \`${text}\` as written.`,
  help: () => "Remove it from the message. An earlier `!print_c` can log the value.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!error": "No list «${custom_data.list.value}»"}',
      good: '{"!error": "The list is gone."}',
    },
  ],
});

const module: RuleModule = {
  rules: [notExpanded, inErrorMessage],
  checks: {
    document({ inertTemplates }, report) {
      for (const inert of inertTemplates) {
        const rule = inert.command?.key === "!error" ? inErrorMessage : notExpanded;
        for (const syntax of inert.template.expansions) {
          if (!isMeant(syntax)) continue;
          const at = partAt(inert, syntax);
          report(rule, at, { text: at.node.value.slice(at.from, at.to) });
        }
      }
    },
  },
};
export default module;

/** An expansion with a known root; anything else is text (D11). */
function isMeant({ problem, path }: ExpansionSyntax): boolean {
  return problem === undefined && (ROOT_NAMES as readonly string[]).includes(path[0]?.text ?? "");
}
