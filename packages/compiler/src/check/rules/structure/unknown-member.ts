import type { ProperPlace } from "../../../bind/misplaced-member.ts";
import { defineRule, type Fix } from "../../../findings/rule.ts";
import type { Section } from "../../../language/index.ts";
import type { JsonNode, ObjectNode } from "../../../parse/syntax-tree.ts";
import { changeToString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { didYouMean, oneOfNames } from "../../message-text.ts";
import { memberAt } from "../http/at.ts";

const unknownMember = defineRule<{
  name: string;
  section: string;
  suggestion: string | undefined;
  /** That the suggestion doesn't follow from the spelling alone. */
  guessed?: true;
  free: readonly string[];
  /** Where it belongs, a level further in or out. */
  home?: string;
  /** Whether it is an object inside of another one of the same name. */
  wrapped?: true;
}>({
  id: "structure/unknown-member",
  severity: "error",
  summary: "The specification doesn't list this member",
  why: 'The platform refuses an unknown member, or silently ignores it: a misspelled `descripton` never shows. If your platform is newer than configc, set `"unknownMembers": "warning"`. Write remarks in `_comment`.',
  guards: ["D4", "D3"],
  message: ({ name, section, suggestion }) =>
    name === ""
      ? `${section} has a member with an empty name.`
      : `${section} has no member \`${name}\`.${didYouMean(suggestion)}`,
  help: ({ name, suggestion, free, home, wrapped }) => {
    if (suggestion !== undefined) return undefined;
    if (home !== undefined) return `It belongs in ${home}.`;
    if (wrapped === true) return `It is already inside a \`${name}\`. Remove one of the two.`;
    return free.length === 0 ? "Remove it." : `Possible members: ${oneOfNames(free)}.`;
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
      title: "D4: another name for the one that is missing",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect",
      bad: '{«"title"»: "Connect", "describe_connection": {"!jq": "{account_id: 1, description: \\"Acme\\"}"}}',
      good: '{"label": "Connect", "describe_connection": {"!jq": "{account_id: 1, description: \\"Acme\\"}"}}',
      fixed:
        '{"label": "Connect", "describe_connection": {"!jq": "{account_id: 1, description: \\"Acme\\"}"}}',
    },
    {
      title: "D4: what other languages call it",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0/!http",
      bad: '{"path": "/me", «"query"»: {"fields": "id,name"}}',
      good: '{"path": "/me", "params": {"fields": "id,name"}}',
      fixed: '{"path": "/me", "params": {"fields": "id,name"}}',
    },
    {
      title: "D17: a path by another name",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0/!http",
      bad: '{«"uri"»: "/me"}',
      good: '{"path": "/me"}',
      fixed: '{"path": "/me"}',
    },
    {
      title: "D4: a level too high",
      in: "inbound-webhook",
      at: "/api",
      bad: '{"base_url": "https://api.example.com", "rate_limit": {«"requests"»: 2, "period": 1}}',
      good: '{"base_url": "https://api.example.com", "rate_limit": {"user": {"read": {"requests": 2, "period": 1}}}}',
    },
    {
      title: "D4: a level too low",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target",
      bad: '{"label": "Subscriber", «"describe_source"»: {}, "options": [{"title": "Email", "id": "email", "group": "a"}]}',
      good: '{"label": "Subscriber", "options": [{"title": "Email", "id": "email", "group": "a"}]}',
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
    return [changeToString(document, at, args.suggestion, args.guessed !== true)];
  },
});

/** Takes the outer one of two objects away. */
function unwrapFix(outer: ObjectNode, inner: JsonNode): Fix {
  return {
    title: "Remove the outer object",
    safe: true,
    edits: [
      { start: outer.start, end: inner.start, newText: "" },
      { start: inner.end, end: outer.end, newText: "" },
    ],
  };
}

/** What is told of a member that has no other name. */
function told(name: string, section: Section) {
  return { name, section: section.title, suggestion: undefined, free: [] };
}

function inWords({ within, around }: ProperPlace): string {
  return around === undefined ? oneOfNames(within) : around.section.title.replace(/^(?:An?|The) /, "the ");
}

const module: RuleModule = {
  rules: [unknownMember],
  checks: {
    structure: {
      "unknown-member"({ member, section, meant: suggestion, isNear }, report) {
        const { name, parent } = member;
        const free = Object.keys(section.members).filter((each) => parent.member(each) === undefined);
        const args = { name, section: section.title, suggestion, free };
        report(
          unknownMember,
          member.key,
          isNear || suggestion === undefined ? args : { ...args, guessed: true },
        );
      },
      "misplaced-member"({ members: [first, ...others], section, home }, report) {
        const related = others.map(({ key }) => ({ message: "belongs there too", at: key }));
        const { name, key } = first!;
        report(unknownMember, key, { ...told(name, section), home: inWords(home) }, related);
      },
      "wrapped-again"({ member, section }, report) {
        report(unknownMember, member.key, { ...told(member.name, section), wrapped: true });
      },
    },
  },
};
export default module;
