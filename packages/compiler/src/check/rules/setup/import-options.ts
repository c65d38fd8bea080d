import { defineRule } from "../../../findings/rule.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { removeItem } from "../../edits.ts";
import { valueAt } from "../http/at.ts";

const repeatedImportOption = defineRule<{ type: string }>({
  id: "setup/repeated-import-option",
  severity: "error",
  summary: "An import option is offered twice",
  why: "Each item of `import_options` is one way to import. Two items with the same type do the same, so the customer can't tell them apart.",
  guards: ["schedule.import_options", "import_option.type", "D43"],
  message: ({ type }) => `The type \`${type}\` is offered twice.`,
  help: ({ type }) =>
    `Remove one of them, or change it to \`${type === "single" ? "recurring" : "single"}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/workflows/0/setup/schedule/import_options",
      bad: '[{"label": "Daily", "type": "recurring"}, {"label": "Weekly", "type": «"recurring"»}]',
      good: '[{"label": "Keep importing", "type": "recurring"}, {"label": "Import once", "type": "single"}]',
      fixed: '[{"label": "Daily", "type": "recurring"}]',
    },
  ],
  fixes: ({ at }, { document }) => {
    const value = valueAt(document, at);
    const item = value?.parent?.kind === "member" ? value.parent.parent : undefined;
    if (item?.parent?.kind !== "array") return [];
    return [{ title: "Remove the option", safe: false, edits: [removeItem(document, item.parent, item)] }];
  },
});

const module: RuleModule = {
  rules: [repeatedImportOption],
  checks: {
    workflow({ node }, report) {
      const setup = node.get("setup");
      const schedule = setup?.kind === "object" ? setup.get("schedule") : undefined;
      if (schedule?.kind !== "object") return;
      const seen = new Map<string, StringNode>();
      for (const item of objectItems(schedule.get("import_options"))) {
        const type = item.get("type");
        if (type?.kind !== "string") continue;
        const first = seen.get(type.value);
        if (first === undefined) seen.set(type.value, type);
        else
          report(repeatedImportOption, type, { type: type.value }, [
            { message: "first offered here", at: first },
          ]);
      }
    },
  },
};
export default module;
