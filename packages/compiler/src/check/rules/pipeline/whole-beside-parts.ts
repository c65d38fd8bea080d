import type { Expansion } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { wholeStep } from "./whole-step.ts";

const wholeBesideParts = defineRule<{ member: string; read: string; parts: readonly string[] }>({
  id: "pipeline/whole-beside-parts",
  severity: "warning",
  summary: "A member gets all of a step's output, every part of which is sent beside it",
  why: "A step computes a date or two for a request. If another member of the request gets that step's whole output, it is most likely meant to get another step's, such as the contact: the service gets a record without a name and an email.",
  guards: ["command.!http", "expansion.piped_content", "D8", "D14"],
  message: ({ member, read, parts }) =>
    `\`${member}\` gets all of \`${read}\`, which has only ${parts.map((part) => `\`${part}\``).join(", ")}, and that is sent beside it.`,
  because: ({ member, parts }) => [`\`${member}\` is sent as \`{"${parts.join('": …, "')}": …}\``],
  help: ({ member }) => `Read the step that has what \`${member}\` should be.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{wanted_on: (now | todate)}"}, {"!http": {"method": "POST", "path": "/releases", "body": {"wanted_on": "${piped_content.1.wanted_on}", "consignee": "${«piped_content.1»}"}}}]}',
      good: '{"!pipe": [{"!jq": "{wanted_on: (now | todate)}"}, {"!http": {"method": "POST", "path": "/releases", "body": {"wanted_on": "${piped_content.1.wanted_on}", "consignee": "${piped_content.0}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [wholeBesideParts],
  checks: {
    expansion(expansion, report) {
      const found = besideParts(expansion);
      if (found !== undefined) report(wholeBesideParts, found.at, found.args);
    },
  },
};
export default module;

/** A member that gets all of what a step makes, where each part of that is sent beside it. */
export function besideParts(expansion: Expansion) {
  const whole = wholeStep(expansion);
  const [parts, ...others] = whole?.ways.map((way) => way.map(({ name }) => name)) ?? [];
  if (whole === undefined || parts === undefined || others.length > 0) return undefined;
  const { member, object, index, at } = whole;
  const beside = new Set(object.members.flatMap(({ value }) => partRead(value, index)));
  // Who logs what was computed calls it so; a service may have all fields again under one member.
  if (parts.length === 0 || isForLog.test(member) || !parts.every((part) => beside.has(part)))
    return undefined;
  return { at, args: { member, read: `piped_content.${index}`, parts } };
}

const isForLog =
  /raw|meta|debug|extra|payload|source|context|data|field|propert|attribut|custom|snapshot|json|record|detail|params|variables|original|answers|values/i;

/** `wanted_on` of `"${piped_content.1.wanted_on}"` */
function partRead(value: JsonNode | undefined, index: string): readonly string[] {
  if (value?.kind !== "string") return [];
  const [, step, part] = /^[$][{<]\s*piped_content\.(\d+)\.([\w-]+)\s*[}>]$/.exec(value.value) ?? [];
  return step === index && part !== undefined ? [part] : [];
}
