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
      const on = new Map(flagsIn(create).map((flag) => [flag.path, flag]));
      const after = flagsIn(update);
      for (const { path, name, value } of after) {
        const first = on.get(path);
        // Another request of it switches the same on: it pauses, or leaves an old one.
        if (after.some((each) => each.path === path && isTrue(each.value))) continue;
        if (value === undefined || isTrue(value) || first === undefined || !isTrue(first.value)) continue;
        report(switchedOff, value, { name }, [{ message: "switched on here", at: first.key }]);
      }
    },
  },
};
export default module;

const isTrue = (value: JsonNode | undefined): boolean => value?.kind === "boolean" && value.value;

interface Flag extends Pick<MemberNode, "name" | "key" | "value"> {
  /** The names from the body down to it: the flag of another part of it is another one. */
  readonly path: string;
}

/** Members of the bodies that a command sends that say whether something is on. */
function flagsIn(command: Command): readonly Flag[] {
  const found: Flag[] = [];
  const pending = (allIn(command) ?? []).flatMap(({ key, argument }) =>
    key === "!http" && argument?.kind === "object"
      ? [argument.member("body") ?? []].flat().map((member) => ({ member, path: "" }))
      : [],
  );
  for (const { member, path } of pending) {
    const { name, key, value } = member;
    if (value?.kind === "object")
      pending.push(...value.members.map((below) => ({ member: below, path: `${path}/${below.name}` })));
    if (value?.kind === "boolean" && /^(?:is_?)?(?:active|enabled|is_?on)$/i.test(name))
      found.push({ path, name, key, value });
  }
  return found;
}
