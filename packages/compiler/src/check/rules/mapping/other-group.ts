import { defaultGroupNode } from "../../../bind/default-group.ts";
import { defineRule } from "../../../findings/rule.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { type Option, optionsOf, textIn } from "./options.ts";

const source = '{"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}';
const optional = (group: string): string =>
  `{"label": "Map", "default_group": ${group}, "describe_source": ${source}, "describe_target": {"label": "Stay", "options": [{"title": "Email", "id": "email", "group": "guest", "required": true}, {"title": "Name", "id": "name", "group": "guest"}, {"title": "Plate", "id": "plate", "group": "car"}]}}`;
const answers = (group: string): string =>
  `[{"title": "Email", "id": "email", "group": "person", "required": true}, {"title": "Answer: company", "id": "company", "group": "answers"}, {"title": "Answer: colour", "id": "colour", "group": "answers"}, {"title": "Answer: job", "id": "job", "group": ${group}}]`;
const target = (first: string, second: string) => ({
  "/workflows/0/data_pipeline/target": `{"!jq": "{${first}: .${first}, ${second}: .${second}}"}`,
});

const optionalDefaultGroup = defineRule<{ group: string; other: string; field: string }>({
  id: "mapping/optional-default-group",
  severity: "warning",
  summary: "`default_group` has no required field, and another group has",
  why: "A mapping that was saved before there were groups is read as `default_group`. What is required had to be mapped then, too, and now stands in another group: the pipeline of those customers finds it missing.",
  guards: ["map.default_group", "option.required", "events.6", "D36"],
  message: ({ group, other, field }) =>
    `Nothing in the group \`${group}\` is required, but \`${field}\` of \`${other}\` is. Old mappings have it, and would be read as \`${group}\`.`,
  because: ({ group, field }) => [
    `a flat mapping has \`${field}\`, which is required`,
    `it is read as \`{${group}: {${field}: …}}\``,
  ],
  help: ({ other }) => `Write \`"default_group": "${other}"\`.`,
  examples: [
    {
      title: "D36",
      in: "outbound",
      at: "/workflows/0/setup/map",
      with: target("guest", "car"),
      bad: optional('«"car"»'),
      good: optional('"guest"'),
    },
  ],
});

const otherGroup = defineRule<{ title: string; prefix: string; group: string; other: string }>({
  id: "mapping/other-group",
  severity: "warning",
  summary: "A target field is in another group than all others whose titles begin as its own",
  why: "Each group is an object of its own for the pipeline. A field in the wrong one is read as something else, or dropped: what customers map to it doesn't arrive where its title says.",
  guards: ["option.group", "option.title", "events.5", "D37"],
  message: ({ title, prefix, group, other }) =>
    `“${title}” is in the group \`${group}\`. All other titles with “${prefix}:” are in \`${other}\`.`,
  because: ({ group, other }) => [`the others are sent as \`${other}\``, `this one is sent as \`${group}\``],
  help: ({ other }) => `Write \`"group": "${other}"\`.`,
  examples: [
    {
      title: "D37",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      with: target("person", "answers"),
      bad: answers('«"person"»'),
      good: answers('"answers"'),
    },
  ],
});

const module: RuleModule = {
  rules: [optionalDefaultGroup, otherGroup],
  checks: {
    map(map, report, model) {
      const options = optionsOf(map, "target", model)?.list ?? [];
      if (options.length < 2 || !options.every(({ group }) => textIn(group) !== undefined)) return;
      const given = defaultGroupNode(map.node);
      const required = options.filter(
        ({ required: { value } = {} }) => value?.kind === "boolean" && value.value,
      );
      const [other, ...groups] = new Set(required.map(({ group }) => textIn(group)!));
      const isGroup = given?.kind === "string" && options.some(({ group }) => textIn(group) === given.value);
      if (isGroup && other !== undefined && groups.length === 0 && other !== given.value) {
        const field = textIn(required[0]!.id) ?? "";
        const related = [{ message: "required here", at: required[0]!.node }];
        report(optionalDefaultGroup, given, { group: given.value, other, field }, related);
      }
      for (const { option, ...args } of strangers(options))
        if (option.group?.value !== undefined) report(otherGroup, option.group.value, args);
    },
  },
};
export default module;

/** Fields whose titles begin as those of another group, and as no other of their own. */
function strangers(options: readonly Option[]) {
  const titled = options.flatMap((option) => {
    const title = textOf(option.node, "title") ?? "";
    const prefix = /^([^:]{3,40}): \S/.exec(title)?.[1];
    return prefix === undefined ? [] : [{ option, title, prefix, group: textIn(option.group)! }];
  });
  return titled.flatMap(({ option, title, prefix, group }) => {
    const others = titled.filter((each) => each.prefix === prefix && each.option !== option);
    const [other] = others;
    const isAlone = others.length > 1 && others.every((each) => each.group === other?.group);
    return other !== undefined && isAlone && other.group !== group
      ? [{ option, title, prefix, group, other: other.group }]
      : [];
  });
}
