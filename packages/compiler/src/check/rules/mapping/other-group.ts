import { defineRule } from "../../../findings/rule.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { type Option, optionsOf, textIn } from "./options.ts";

const answers = (group: string): string =>
  `[{"title": "Email", "id": "email", "group": "person", "required": true}, {"title": "Answer: company", "id": "company", "group": "answers"}, {"title": "Answer: colour", "id": "colour", "group": "answers"}, {"title": "Answer: job", "id": "job", "group": ${group}}]`;
const target = (first: string, second: string) => ({
  "/workflows/0/data_pipeline/target": `{"!jq": "{${first}: .${first}, ${second}: .${second}}"}`,
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
  rules: [otherGroup],
  checks: {
    map(map, report, model) {
      const options = optionsOf(map, "target", model)?.list ?? [];
      if (options.length < 2 || !options.every(({ group }) => textIn(group) !== undefined)) return;
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
