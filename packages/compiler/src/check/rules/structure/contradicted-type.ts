import { defineRule } from "../../../findings/rule.ts";
import { changeToString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";

const contradictedType = defineRule<{ said: string; is: string; members: readonly string[] }>({
  id: "structure/contradicted-type",
  severity: "error",
  summary: "The `type` of an intake or a pagination style contradicts its members",
  why: "A webhook intake has `create`, a polling intake has `request`, and neither has the other's members. Each pagination style also has its own parameters. With the wrong `type` the platform refuses the config: required members are missing, and the others are unknown.",
  guards: ["webhook.type", "polling.type", "service.3", "D22"],
  message: ({ said, is, members }) =>
    `The type is \`${said}\`, but these members belong to the type \`${is}\`: ${members.map((name) => `\`${name}\``).join(", ")}.`,
  help: ({ is }) => `Change the type to \`${is}\`, or the members.`,
  examples: [
    {
      title: "a webhook",
      in: "inbound-webhook",
      at: "/data_intake/0/type",
      bad: '«"polling"»',
      good: '"webhook"',
      fixed: '"webhook"',
    },
    {
      title: "a poll",
      in: "inbound-polling",
      at: "/data_intake/0/type",
      bad: '«"webhook"»',
      good: '"polling"',
      fixed: '"polling"',
    },
    {
      title: "a pagination style",
      in: "outbound",
      at: "/api/pagination",
      with: {
        "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http":
          '{"path": "/lists", "pagination": true}',
      },
      bad: '{"style": {"type": «"limitoffset"», "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
      fixed:
        '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    return [changeToString(document, at, args.is, false)];
  },
});

/** Members of all types. */
const common = ["type", "name", "extra"];

const module: RuleModule = {
  rules: [contradictedType],
  checks: {
    structure: {
      "wrong-variant"({ object, by, said, is, section }, report) {
        const node = object.get(by);
        if (node === undefined) return;
        const own = object.members.filter(
          ({ name }) => Object.hasOwn(section.members, name) && !common.includes(name),
        );
        const related = own.map(({ key }) => ({ message: `of type \`${is}\``, at: key }));
        report(contradictedType, node, { said, is, members: own.map(({ name }) => name) }, related);
      },
    },
  },
};
export default module;
