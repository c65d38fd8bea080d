import { defineRule } from "../../../findings/rule.ts";
import { didYouMean } from "../../words.ts";

// Reported after all other rules have run, by `check/suppress.ts`; so there are no checks here.

const noReason = defineRule<Record<string, never>>({
  id: "suppression/no-reason",
  severity: "warning",
  summary: "A suppression without a reason",
  why: "Who reads the config later has to know why a finding doesn't count here. Write it after a colon.",
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
  why: "A suppression silences the rules that it names, and no others, so that a new mistake isn't hidden.",
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
  why: "The finding that it was meant for isn't silenced.",
  guards: ["D3"],
  message: ({ rule, suggestion }) => `There is no rule \`${rule}\`.${didYouMean(suggestion)}`,
  help: () => "`configc rules` lists them.",
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
  why: "The finding is gone. Left in place, the suppression would hide the next one of its kind.",
  guards: ["D3"],
  message: ({ rule }) => `Nothing here gives \`${rule}\`, so this suppression can go.`,
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
