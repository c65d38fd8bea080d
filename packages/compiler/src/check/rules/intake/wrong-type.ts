import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";

const wrongType = defineRule<{ said: string; is: string; members: readonly string[] }>({
  id: "intake/wrong-type",
  severity: "error",
  summary: "An intake's `type` contradicts its members",
  why: "A webhook is registered by `create`, a poll is made by `request`; neither has the other's members. With the wrong `type` the platform refuses the intake, because what this type needs is missing and all the rest is unknown.",
  guards: ["webhook.type", "polling.type", "service.3"],
  message: ({ said, is, members }) =>
    `The intake says that it is of type \`${said}\`, and it has the members of type \`${is}\`: ${members.map((name) => `\`${name}\``).join(", ")}.`,
  help: ({ is }) => `Its type has to be \`${is}\`.`,
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
  ],
  fixes: ({ at, args }, { document }) => {
    const edits = [{ ...spanOf(document, at), newText: JSON.stringify(args.is) }];
    return [{ title: `Change to \`${args.is}\``, safe: false, edits }];
  },
});

/** Members of both types. */
const common = ["type", "name"];

const module: RuleModule = {
  rules: [wrongType],
  checks: {
    structure: {
      "wrong-variant"({ object, by, said, is, section }, report) {
        const node = object.get(by);
        if (section.declares !== "intake" || node === undefined) return;
        const own = object.members.filter(
          ({ name }) => Object.hasOwn(section.members, name) && !common.includes(name),
        );
        const related = own.map(({ key }) => ({ message: `of type \`${is}\``, at: key }));
        report(wrongType, node, { said, is, members: own.map(({ name }) => name) }, related);
      },
    },
  },
};
export default module;
