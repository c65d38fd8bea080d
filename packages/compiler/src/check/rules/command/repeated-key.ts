import { defineRule } from "../../../findings/rule.ts";
import type { ArrayNode, StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { removeItem } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const repeatedKey = defineRule<{ name: string }>({
  id: "command/repeated-key",
  severity: "warning",
  summary: "`item_keys` names a member twice",
  why: "`!extract` gives an object, which has each member once, so a repeated name does nothing. Often another name was meant, and its data is missing for every customer.",
  guards: ["D26"],
  message: ({ name }) => `\`${excerpt(name)}\` is already in \`item_keys\`.`,
  because: ({ name }) => [
    `\`${excerpt(name)}\` is taken out twice`,
    "the object has it once, and another member not at all",
  ],
  examples: [
    {
      title: "D26",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!extract": {"item_keys": ["email", "name", «"email"»], "to_json": false}}',
      good: '{"!extract": {"item_keys": ["email", "name"], "to_json": false}}',
      fixed: '{"!extract": {"item_keys": ["email", "name"], "to_json": false}}',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    const item = at as StringNode;
    const edits = [removeItem(document, item.parent as ArrayNode, item)];
    return [{ title: `Remove the second \`${excerpt(args.name, 30)}\``, safe: true, edits }];
  },
});

const module: RuleModule = {
  rules: [repeatedKey],
  checks: {
    command: {
      "!extract"({ argument }, report) {
        const keys = argument?.kind === "object" ? argument.get("item_keys") : undefined;
        if (keys?.kind !== "array") return;
        const first = new Map<string, StringNode>();
        for (const item of keys.items) {
          if (item.kind !== "string" || item.value === "") continue;
          const earlier = first.get(item.value);
          if (earlier === undefined) first.set(item.value, item);
          else report(repeatedKey, item, { name: item.value }, [{ message: "the first one", at: earlier }]);
        }
      },
    },
  },
};
export default module;
