import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const contradictedType = defineRule<{ said: string; is: string; members: readonly string[] }>({
  id: "structure/contradicted-type",
  severity: "error",
  summary: "The `type` of an intake or a pagination style contradicts its members",
  why: "A webhook is registered by `create`, a poll is made by `request`; neither has the other's members. The styles of pagination have parameters of their own likewise. With the wrong `type` the platform refuses it, because what this type needs is missing and all the rest is unknown.",
  guards: ["webhook.type", "polling.type", "service.3", "D22"],
  message: ({ said, is, members }) =>
    `The type is \`${said}\`, and the members are those of type \`${is}\`: ${members.map((name) => `\`${name}\``).join(", ")}.`,
  help: ({ is }) => `With these members the type has to be \`${is}\`.`,
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
    const edits = [{ ...spanOf(document, at), newText: JSON.stringify(args.is) }];
    return [{ title: `Change to \`${args.is}\``, safe: false, edits }];
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
