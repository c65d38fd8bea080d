import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { strangersIn } from "./other-word.ts";

const otherSpelling = defineRule<{ text: string; subject: string; other: string }>({
  id: "value/other-spelling",
  severity: "hint",
  summary: "A text is spelled differently where the app means the same",
  why: "Texts are compared letter by letter. If both places mean the same, one of them never matches.",
  guards: ["command.!jq", "D23"],
  message: ({ text, subject, other }) => `\`${subject}\` is \`${text}\` here, and \`${other}\` elsewhere.`,
  because: ({ text, other }) => [`elsewhere: \`${other}\``, `here: \`${text}\``],
  help: ({ other }) => `Write \`${other}\`, if that is meant.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/0/options":
          '{"!pipe": [{"!http": {"path": "/forms"}}, {"!jq": "[.forms[] | select(.state == \\"published\\") | {display: .title, value: .id}]"}]}',
      },
      bad: '{"!jq": "if .form.state == «\\"publishd\\"» then {email: .email} else null end"}',
      good: '{"!jq": "if .form.state == \\"published\\" then {email: .email} else null end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherSpelling],
  checks: {
    reach: "document",
    document(model, report) {
      for (const { word, other } of strangersIn(model, false))
        report(otherSpelling, word.at, { text: word.text, subject: word.subject, other: other.text }, [
          { message: "elsewhere", at: other.at },
        ]);
    },
  },
};
export default module;
