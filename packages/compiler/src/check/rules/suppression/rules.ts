import { defineRule } from "../../../findings/rule.ts";
import { didYouMean } from "../../message-text.ts";

// Reported after all other rules have run, by `check/suppress.ts`; so there are no checks here.

const noReason = defineRule<Record<string, never>>({
  id: "suppression/no-reason",
  severity: "warning",
  summary: "A suppression without a reason",
  why: "Later readers of the config need to know why the finding doesn't count here. Write the reason after a colon.",
  guards: ["D3"],
  message: () => "This suppression gives no reason.",
  help: () => 'Write it after a colon: `"configc-ignore RULE: reason"`.',
  examples: [
    {
      in: "inbound-webhook",
      at: "/api/_comment",
      with: { "/api/colour": '"red"' },
      bad: '«"configc-ignore structure/unknown-member"»',
      good: '"configc-ignore structure/unknown-member: the platform\'s next version has it"',
    },
  ],
});

const noRule = defineRule<Record<string, never>>({
  id: "suppression/no-rule",
  severity: "warning",
  summary: "A suppression that names no rule",
  why: "A suppression silences only the rules that it names, so that it doesn't hide new mistakes.",
  guards: ["D3"],
  message: () => "This suppression names no rule, so it silences nothing.",
  help: () => 'Name the rules: `"configc-ignore area/rule: reason"`.',
  examples: [
    {
      in: "inbound-webhook",
      at: "/api/_comment",
      bad: '«"configc-ignore: not now"»',
      good: '"not now"',
    },
  ],
});

const unknownRule = defineRule<{ rule: string; suggestion: string | undefined }>({
  id: "suppression/unknown-rule",
  severity: "warning",
  summary: "A suppression of a rule that doesn't exist",
  why: "Its rule name is wrong, so the finding is still shown.",
  guards: ["D3"],
  message: ({ rule, suggestion }) => `There is no rule \`${rule}\`.${didYouMean(suggestion)}`,
  help: () => "Run `configc rules` for the list of rules.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/api/_comment",
      bad: '"configc-ignore «structure/unknown-membre»: a newer platform"',
      good: '"a newer platform"',
    },
  ],
});

const unused = defineRule<{ rule: string }>({
  id: "suppression/unused",
  severity: "warning",
  tag: "unnecessary",
  summary: "A suppression that silences nothing",
  why: "The finding is gone. The suppression would hide the next one of the same rule.",
  guards: ["D3"],
  message: ({ rule }) => `\`${rule}\` finds nothing here. Remove this suppression.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/api/_comment",
      bad: '"configc-ignore «structure/unknown-member»: a newer platform"',
      good: '"a newer platform"',
    },
  ],
});

export const suppressionRules = {
  noReason,
  noRule,
  unknownRule,
  unused,
};
