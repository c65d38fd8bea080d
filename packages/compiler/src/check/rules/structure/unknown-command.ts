import { nearest } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { commandSpecs, isCommandKey } from "../../../language/index.ts";
import { changeToString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, didYouMean } from "../../message-text.ts";

const keys = commandSpecs.map(({ key }) => key);

const unknownCommand = defineRule<{ key: string; suggestion: string | undefined; forgotten: boolean }>({
  id: "command/unknown-command",
  severity: "error",
  summary: "The command doesn't exist",
  why: "The platform refuses a command that it doesn't know. Every command is an object with one key that starts with `!`.",
  guards: ["D15"],
  message: ({ key, suggestion, forgotten }) =>
    forgotten
      ? `A command's key starts with \`!\`: write \`${suggestion}\` instead of \`${key}\`.`
      : `There is no command \`${key}\`.${didYouMean(suggestion)}`,
  help: ({ suggestion }) => (suggestion === undefined ? `Commands: ${allNames(keys)}.` : undefined),
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{«"!jp"»: "{email: .email}"}',
      good: '{"!jq": "{email: .email}"}',
      fixed: '{"!jq": "{email: .email}"}',
    },
    {
      title: "without its `!`",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{«"jq"»: "{email: .email}"}',
      good: '{"!jq": "{email: .email}"}',
      fixed: '{"!jq": "{email: .email}"}',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    if (args.suggestion === undefined) return [];
    return [changeToString(document, at, args.suggestion, true)];
  },
});

const module: RuleModule = {
  rules: [unknownCommand],
  checks: {
    structure: {
      "unknown-command"({ member }, report) {
        const key = member.name;
        const forgotten = isCommandKey(`!${key}`);
        report(unknownCommand, member.key, {
          key,
          forgotten,
          suggestion: forgotten ? `!${key}` : nearest(key, keys),
        });
      },
    },
  },
};
export default module;
