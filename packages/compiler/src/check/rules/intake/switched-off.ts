import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { JsonNode, MemberNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const switchedOff = defineRule<{ name: string }>({
  id: "intake/switched-off",
  severity: "warning",
  summary: "`update` switches the webhook off that `create` switched on",
  why: "A change of the setup runs `update`. The registration stays and is inactive from then on: no event arrives any more, and nothing fails.",
  guards: ["webhook.update", "webhook.create", "D32"],
  message: ({ name }) => `\`create\` sends \`"${name}": true\`, and \`update\` switches it off.`,
  because: ({ name }) => [
    "the customer changes something in the setup",
    `the registration has \`"${name}": false\`: no event arrives`,
  ],
  help: () => "Write `true`.",
  examples: [
    {
      title: "D32",
      in: "inbound-webhook",
      at: "/data_intake/0/update/!http/body",
      with: {
        "/data_intake/0/create/!pipe/0/!http":
          '{"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}", "active": true}}',
      },
      bad: '{"url": "${webhook.url}", "active": «false»}',
      good: '{"url": "${webhook.url}", "active": true}',
      fixed: '{"url": "${webhook.url}", "active": true}',
    },
  ],
  fixes: ({ at }) =>
    "start" in at
      ? [
          {
            title: "Change to `true`",
            safe: false,
            edits: [{ start: at.start, end: at.end, newText: "true" }],
          },
        ]
      : [],
});

const module: RuleModule = {
  rules: [switchedOff],
  checks: {
    intake({ type, commands }, report) {
      const [create, update] = [commands.get("create"), commands.get("update")];
      if (type !== "webhook" || create === undefined || update === undefined) return;
      const on = new Map(flagsIn(create).map((member) => [member.name, member]));
      for (const { name, value } of flagsIn(update)) {
        const first = on.get(name);
        if (value === undefined || isTrue(value) || first === undefined || !isTrue(first.value)) continue;
        report(switchedOff, value, { name }, [{ message: "switched on here", at: first.key }]);
      }
    },
  },
};
export default module;

const isTrue = (value: JsonNode | undefined): boolean => value?.kind === "boolean" && value.value;

/** Members of the bodies that a command sends that say whether something is on. */
function flagsIn(command: Command): readonly MemberNode[] {
  const found: MemberNode[] = [];
  const pending = (allIn(command) ?? []).flatMap(({ key, argument }) =>
    key === "!http" && argument?.kind === "object" ? (argument.member("body") ?? []) : [],
  );
  for (const member of pending) {
    if (member.value?.kind === "object") pending.push(...member.value.members);
    if (member.value?.kind === "boolean" && /^(?:is_?)?(?:active|enabled|is_?on)$/i.test(member.name))
      found.push(member);
  }
  return found;
}
