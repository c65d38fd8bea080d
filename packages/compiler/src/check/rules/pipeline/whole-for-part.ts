import { types } from "@configc/jq";
import type { Expansion } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { graphqlQuery } from "../../../samples/graphql.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { useAsObject } from "../contract/object-by-use.ts";
import { contentType, FORM } from "../http/form-fields.ts";
import { wholesBesideParts } from "./whole-beside-part.ts";
import { wholeBody } from "./whole-body.ts";
import { wholeStep } from "./whole-step.ts";

const wholeForPart = defineRule<{
  member: string;
  read: string;
  /** The other members of what is sent as a body, each of which is for something else. */
  others?: readonly string[];
  /** What another case sends there: the part. */
  elsewhere?: string;
}>({
  id: "pipeline/whole-for-part",
  severity: "warning",
  summary: "A member gets a whole object that has a part of the member's name",
  why: "A step makes an object of several parts for a later request. If a member gets all of it, what was meant for that member is one level too deep, and the service finds nothing of what it asks for.",
  guards: ["command.!http", "command.!jq", "D8", "D14"],
  message: ({ member, read, others, elsewhere }) => {
    if (others !== undefined)
      return `All of \`${read}\` is sent, in which \`${member}\` is the record. The rest of it is for other steps: ${allNames(others)}.`;
    if (elsewhere !== undefined)
      return `This sends all of \`${read}\`. Another case sends \`${elsewhere}\` there, which is only \`${member}\` of it.`;
    return `\`${member}\` gets all of \`${read}\`, which has a \`${member}\` in it.`;
  },
  because: ({ member, others, elsewhere }) => {
    if (others !== undefined)
      return [`the record is sent below \`${member}\``, "the service finds nothing of it where it looks"];
    if (elsewhere !== undefined)
      return [
        `what belongs there is sent below \`${member}\``,
        "the service finds nothing of what it asks for",
      ];
    return [`\`${member}.${member}\` is sent`, `the service looks below \`${member}\``];
  },
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
      bad: '{"!pipe": [{"!jq": "{owner: {email: .email}, floor: 1}"}, {"!http": {"method": "POST", "path": "/owners", "body": "«${piped_content.1}»"}}, {"!http": {"method": "POST", "path": "/units", "body": {"floor": "${piped_content.1.floor}"}}}]}',
      good: '{"!pipe": [{"!jq": "{owner: {email: .email}, floor: 1}"}, {"!http": {"method": "POST", "path": "/owners", "body": "${piped_content.1.owner}"}}, {"!http": {"method": "POST", "path": "/units", "body": {"floor": "${piped_content.1.floor}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [wholeForPart],
  checks: {
    reach: "saved",
    part(part, report, model) {
      for (const { expansion, other, name } of wholesBesideParts(part, model)) {
        // What is known to be for other steps is told as that.
        if (wholeBody(expansion, model) !== undefined) continue;
        const { node, syntax } = expansion;
        const [read, elsewhere] = [expansion, other].map((each) =>
          each.syntax.path.map(({ text }) => text).join("."),
        ) as [string, string];
        report(wholeForPart, { node, from: syntax.start, to: syntax.end }, { member: name, read, elsewhere });
      }
    },
    expansion(expansion, report, model) {
      const body = wholeBody(expansion, model);
      if (body !== undefined) {
        const { node, syntax } = expansion;
        report(wholeForPart, { node, from: syntax.start, to: syntax.end }, { ...body });
        return;
      }
      const whole = wholeStep(expansion);
      if (whole !== undefined && whole.ways.length > 0) {
        const { member, index, ways, at } = whole;
        if (!ways.every((way) => way.length > 1 && way.some(({ name }) => name === member))) return;
        report(wholeForPart, at, { member, read: `piped_content.${index}` });
        return;
      }
      const member = memberWithin(expansion, model);
      const { syntax, node } = expansion;
      const [first, last] = [syntax.path[0], syntax.path.at(-1)];
      if (member === undefined || first === undefined || last === undefined) return;
      const at = { node, from: first.start, to: last.end };
      report(wholeForPart, at, { member, read: syntax.path.map(({ text }) => text).join(".") });
    },
  },
};
export default module;

/** The member of a body that gets all mapped fields, or all of a group, where one of these is called as it: `"mobile": "${piped_content.0}"`. */
function memberWithin(expansion: Expansion, model: Model): string | undefined {
  const { root, rootExact, syntax, node, command, position } = expansion;
  if (root !== "piped_content" || !rootExact || position !== "value" || syntax.problem !== undefined)
    return undefined;
  if (syntax.start > 0 || syntax.end < node.value.length || node.parent?.kind !== "member") return undefined;
  const { name: member, parent: object } = node.parent;
  // Groups and the like lie below the mapped output only.
  if (syntax.path[1]?.text !== "0" || syntax.path.length > 3 || syntax.path.at(-1)?.text === member)
    return undefined;
  if (command?.key !== "!http" || object?.kind !== "object" || object === command.argument) return undefined;
  // In a query's variable, or where a part of it is read elsewhere, it is told as an object.
  if (graphqlQuery(command) !== undefined || useAsObject(expansion, model) !== undefined) return undefined;
  const all = types.partsOf(flowOf(model).expansion(expansion));
  // With a default there may be a text instead.
  const parts = all.filter(({ kind }) => kind !== "string");
  // Of a form, an object is told as that.
  const { argument } = command;
  if (parts.length === all.length && argument?.kind === "object" && contentType(argument)?.startsWith(FORM))
    return undefined;
  const isWithin = parts.every(
    (part) => part.kind === "object" && part.members.size > 1 && part.members.has(member),
  );
  return parts.length > 0 && isWithin ? member : undefined;
}
