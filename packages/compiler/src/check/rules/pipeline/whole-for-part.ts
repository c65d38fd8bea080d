import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { wholeBody } from "./whole-body.ts";
import { wholeStep } from "./whole-step.ts";

const wholeForPart = defineRule<{
  member: string;
  read: string;
  /** The other members of what is sent as a body, each of which is for something else. */
  others?: readonly string[];
}>({
  id: "pipeline/whole-for-part",
  severity: "warning",
  summary: "A member gets a whole object that has a part of the member's name",
  why: "A step makes an object of several parts for a later request. If a member gets all of it, what was meant for that member is one level too deep, and the service finds nothing of what it asks for.",
  guards: ["command.!http", "command.!jq", "D8", "D14"],
  message: ({ member, read, others }) =>
    others === undefined
      ? `\`${member}\` gets all of \`${read}\`, which has a \`${member}\` in it.`
      : `All of \`${read}\` is sent, in which \`${member}\` is the record. The rest of it is for other steps: ${allNames(others)}.`,
  because: ({ member, others }) =>
    others === undefined
      ? [`\`${member}.${member}\` is sent`, `the service looks below \`${member}\``]
      : [`the record is sent below \`${member}\``, "the service finds nothing of it where it looks"],
  help: ({ member, read }) => `Write \`\${${read}.${member}}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{owner: {email: .email}, unit: {floor: 1}}"}, {"!http": {"method": "POST", "path": "/leases", "body": {"owner": "${«piped_content.1»}", "unit": "${piped_content.1.unit}"}}}]}',
      good: '{"!pipe": [{"!jq": "{owner: {email: .email}, unit: {floor: 1}}"}, {"!http": {"method": "POST", "path": "/leases", "body": {"owner": "${piped_content.1.owner}", "unit": "${piped_content.1.unit}"}}}]}',
    },
    {
      title: "All of a body",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{owner: {email: .email}, floor: 1}"}, {"!http": {"method": "POST", "path": "/owners", "body": "${«piped_content.1»}"}}, {"!http": {"method": "POST", "path": "/units", "body": {"floor": "${piped_content.1.floor}"}}}]}',
      good: '{"!pipe": [{"!jq": "{owner: {email: .email}, floor: 1}"}, {"!http": {"method": "POST", "path": "/owners", "body": "${piped_content.1.owner}"}}, {"!http": {"method": "POST", "path": "/units", "body": {"floor": "${piped_content.1.floor}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [wholeForPart],
  checks: {
    expansion(expansion, report, model) {
      const body = wholeBody(expansion, model);
      if (body !== undefined) {
        const { node, syntax } = expansion;
        report(wholeForPart, { node, from: syntax.path[0]!.start, to: syntax.path[1]!.end }, { ...body });
        return;
      }
      const whole = wholeStep(expansion);
      if (whole === undefined || whole.ways.length === 0) return;
      const { member, index, ways, at } = whole;
      if (!ways.every((way) => way.length > 1 && way.some(({ name }) => name === member))) return;
      report(wholeForPart, at, { member, read: `piped_content.${index}` });
    },
  },
};
export default module;
