import { nearest } from "@configc/jq";
import { spanOf } from "../../../parse/document.ts";
import type { JsonNode, ObjectNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { defineRule, type Fix } from "../../rule.ts";
import { didYouMean, oneOfNames } from "../../words.ts";
import { memberAt } from "../http/at.ts";

const unknownMember = defineRule<{
  name: string;
  section: string;
  suggestion: string | undefined;
  free: readonly string[];
  /** Whether it is an object inside of another one of the same name. */
  wrapped?: true;
}>({
  id: "structure/unknown-member",
  severity: "error",
  summary: "A member that the specification doesn't list",
  why: 'A member that the platform doesn\'t know is refused, or ignored in silence: a misspelled `descripton` simply never shows. A setting (`"unknownMembers": "warning"`) serves platforms that are newer than this tool; remarks belong into `_comment`.',
  guards: ["D4", "D3"],
  message: ({ name, section, suggestion }) =>
    name === ""
      ? `${section} has a member with an empty name.`
      : `${section} has no member \`${name}\`.${didYouMean(suggestion)}`,
  help: ({ name, suggestion, free, wrapped }) => {
    if (suggestion !== undefined) return undefined;
    if (wrapped === true) return `It stands in a \`${name}\` already: take one of the two away.`;
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
    {
      title: "D4: an object in another one of its own name",
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{«"resource_labels"»: {"webhook_events": ["Created"]}}',
      good: '{"webhook_events": ["Created"]}',
      fixed: '{"webhook_events": ["Created"]}',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    if (args.wrapped === true) {
      const member = memberAt(document, at);
      return member?.value === undefined ? [] : [unwrapFix(member.parent, member.value)];
    }
    if (args.suggestion === undefined) return [];
    const edits = [{ ...spanOf(document, at), newText: JSON.stringify(args.suggestion) }];
    return [{ title: `Change to \`${args.suggestion}\``, safe: true, edits }];
  },
});

/** Takes the outer one of two objects away. */
function unwrapFix(outer: ObjectNode, inner: JsonNode): Fix {
  return {
    title: "Take the outer object away",
    safe: true,
    edits: [
      { start: outer.start, end: inner.start, newText: "" },
      { start: inner.end, end: outer.end, newText: "" },
    ],
  };
}

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
      "wrapped-again"({ member, section }, report) {
        const args = {
          name: member.name,
          section: section.title,
          suggestion: undefined,
          free: [],
          wrapped: true,
        } as const;
        report(unknownMember, member.key, args);
      },
    },
  },
};
export default module;
