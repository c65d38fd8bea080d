import { nearest } from "@configc/jq";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";
import { didYouMean, oneOfNames } from "../../words.ts";

const unknownMember = defineRule<{
  name: string;
  section: string;
  suggestion: string | undefined;
  free: readonly string[];
}>({
  id: "structure/unknown-member",
  severity: "error",
  summary: "A member that the specification doesn't list",
  why: 'A member that the platform doesn\'t know is refused, or ignored in silence: a misspelled `descripton` simply never shows. A setting (`"unknownMembers": "warning"`) serves platforms that are newer than this tool; remarks belong into `_comment`.',
  guards: ["D4", "D3"],
  message: ({ name, section, suggestion }) =>
    `${section} has no member \`${name}\`.${didYouMean(suggestion)}`,
  help: ({ suggestion, free }) => {
    if (suggestion !== undefined) return undefined;
    return free.length === 0 ? "Remove it." : `It could have ${oneOfNames(free)}.`;
  },
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{«"webhook_event"»: ["Created"]}',
      good: '{"webhook_events": ["Created"]}',
      fixed: '{"webhook_events": ["Created"]}',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    if (args.suggestion === undefined) return [];
    const edits = [{ ...spanOf(document, at), newText: JSON.stringify(args.suggestion) }];
    return [{ title: `Change to \`${args.suggestion}\``, safe: true, edits }];
  },
});

const module: RuleModule = {
  rules: [unknownMember],
  checks: {
    structure: {
      "unknown-member"({ member, section }, report) {
        const free = Object.keys(section.members).filter((name) => member.parent.member(name) === undefined);
        const name = member.name;
        report(unknownMember, member.key, {
          name,
          section: section.title,
          suggestion: nearest(name, free),
          free,
        });
      },
    },
  },
};
export default module;
