import { defineRule } from "../../../findings/rule.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import { objectItems, textOf } from "../../../parse/syntax-tree.ts";
import { changeToString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { removeOption } from "./remove-option.ts";

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
  fixes: ({ at }, { document }) => removeOption(document, at),
});

const importLabel = defineRule<{ label: string; type: string; other: string }>({
  id: "setup/import-label",
  severity: "warning",
  summary: "An import option does the opposite of what its label says",
  why: "Customers choose by the label. With `single` nothing comes after the first import, and with `recurring` an import that was meant once goes on for ever.",
  guards: ["schedule.import_options", "import_option.type", "import_option.label"],
  message: ({ label, type }) =>
    type === "single"
      ? `“${label}” says that it goes on, but \`single\` imports once.`
      : `“${label}” says that it happens once, but \`recurring\` goes on.`,
  because: ({ label, type }) => [
    `a customer chooses “${label}”`,
    type === "single"
      ? "after the first import nothing comes any more"
      : "every 30 minutes there is another import",
  ],
  help: ({ other }) => `Write \`"type": "${other}"\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/workflows/0/setup/schedule/import_options",
      bad: '[{"label": "Keep importing", "type": «"single"»}]',
      good: '[{"label": "Keep importing", "type": "recurring"}]',
      fixed: '[{"label": "Keep importing", "type": "recurring"}]',
    },
  ],
  fixes: ({ at, args: { other } }, { document }) => [changeToString(document, at, other, false)],
});

/** Words of a label that say how often. */
const goesOn =
  /\bkeeps? (?:\w+ )?(?:import|sync|read|updat|fetch)\w*\b|\bkeep (?:\w+ )?(?:in sync|up to date)\b|\b(?:continuous\w*|ongoing|recurring|regularly)\b/i;
const isOnce = /\b(?:once|one[- ]time|single)\b/i;

const module: RuleModule = {
  rules: [repeatedImportOption, importLabel],
  checks: {
    workflow({ node }, report) {
      const setup = node.get("setup");
      const schedule = setup?.kind === "object" ? setup.get("schedule") : undefined;
      if (schedule?.kind !== "object") return;
      const seen = new Map<string, StringNode>();
      for (const item of objectItems(schedule.get("import_options"))) {
        const type = item.get("type");
        if (type?.kind !== "string") continue;
        const label = textOf(item, "label") ?? "";
        const isOpposite = type.value === "single" ? goesOn.test(label) : isOnce.test(label);
        // “Once a day”, “Import once and keep importing”
        const isMixed =
          (goesOn.test(label) && isOnce.test(label)) ||
          /\bonce (?:an?|per|every)\b|\b(?:then|and) every\b|\bnot (?:only|just) once\b/i.test(label);
        if (isOpposite && !isMixed && (type.value === "single" || type.value === "recurring"))
          report(importLabel, type, {
            label: excerpt(label),
            type: type.value,
            other: type.value === "single" ? "recurring" : "single",
          });
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
