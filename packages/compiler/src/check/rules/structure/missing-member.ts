import { defineRule } from "../../../findings/rule.ts";
import { describeValue } from "../../../language/describe.ts";
import type { Condition, Member } from "../../../language/index.ts";
import type { RuleModule } from "../../checks.ts";
import { ownerOf } from "../../locate.ts";
import { oneOfNames } from "../../message-text.ts";

const missingMember = defineRule<{
  name: string;
  section: string;
  because: string;
  kind: string;
  doc: string;
}>({
  id: "structure/missing-member",
  severity: "error",
  summary: "A required member is missing",
  why: "The platform refuses a config without a required member, or the step that needs it fails for a customer.",
  guards: ["D1", "D41"],
  message: ({ name, section, because }) => `${section} needs a member \`${name}\`${because}.`,
  help: ({ name, kind, doc }) => `\`${name}\` is ${kind}. ${doc}`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect",
      bad: '{"label": "Connect"}',
      good: '{"label": "Connect", "describe_connection": {"!jq": "{account_id: 1, description: \\"Acme\\"}"}}',
    },
  ],
});

const memberGroup = defineRule<{
  section: string;
  members: readonly string[];
  present: readonly string[];
  one: boolean;
}>({
  id: "structure/member-group",
  severity: "error",
  summary: "One of several members is required, or they exclude each other",
  why: "Some members exclude each other, or one of several is required: an `!http` has either a `path` or a `url`, and a `rate_limit` is either per `user` or per `app`.",
  guards: ["D17", "D41", "api.rate_limit"],
  message: ({ section, members, present, one }) =>
    present.length === 0
      ? `${section} needs ${one ? "one" : "at least one"} of ${oneOfNames(members)}.`
      : `${section} must have only one of ${oneOfNames(present)}.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection",
      bad: '{"!pipe": [{"!http": {"path": "/me", «"url"»: "https://api.example.com/me"}}, {"!jq": "{account_id: .id, description: .name}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: .id, description: .name}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [missingMember, memberGroup],
  checks: {
    structure: {
      "missing-member"({ name, member, object, section }, report) {
        // A tolerated absence has a rule of its own, which says what it costs (D41).
        if (member.tolerated !== undefined) return;
        report(missingMember, ownerOf(object), {
          name,
          section: section.title,
          because: reason(member),
          kind: describeValue(member.value),
          doc: member.doc,
        });
      },
      group({ group, object, section, present }, report) {
        const last = present.at(-1);
        const [first] = present;
        report(
          memberGroup,
          last?.key ?? ownerOf(object),
          {
            section: section.title,
            members: group.members,
            present: present.map(({ name }) => name),
            one: group.kind === "exactlyOne",
          },
          first === undefined ? [] : [{ message: "the other one", at: first.key }],
        );
      },
    },
  },
};
export default module;

function reason({ required }: Member): string {
  if (typeof required !== "object") return "";
  return ` ${conditionText(required)}`;
}

function conditionText(condition: Condition): string {
  if ("direction" in condition) return `when the workflow is ${condition.direction}`;
  return `when \`${condition.sibling}\` is ${oneOfNames(condition.is)}`;
}
