import { defineRule } from "../../../findings/rule.ts";
import { typedFieldTypes } from "../../../language/expansion-names.ts";
import type { RuleModule } from "../../checks.ts";
import { renameFix } from "./edits.ts";
import { legalUsesIn } from "./uses.ts";

const displayOfText = defineRule<{ id: string; type: string }>({
  id: "expansion/display-of-text",
  severity: "hint",
  summary: "`display` is read from a field that the customer types into",
  why: "`display` is the label of a chosen option, and `value` is what it stands for. A `text` or `textarea` field has no options: both give the typed text, so write `value`.",
  guards: ["D12", "expansion.custom_data", "field.type"],
  message: ({ id, type }) =>
    `\`${id}\` is a \`${type}\` field, so its \`display\` is the typed text, the same as its \`value\`.`,
  examples: [
    {
      title: "D12",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: '"${custom_data.note.«display» | default}"',
      good: '"${custom_data.note.value | default}"',
      fixed: '"${custom_data.note.value | default}"',
    },
  ],
  fixes: (finding, { document }) => renameFix(finding, document, "value"),
});

const module: RuleModule = {
  rules: [displayOfText],
  checks: {
    part(part, report, model) {
      for (const use of legalUsesIn(part, model, "custom_data")) {
        const [id, attribute] = use.names;
        if (id === undefined || attribute?.text !== "display") continue;
        const meanings = use.meanings;
        const [type, ...others] = new Set(
          meanings.map(({ field, exact }) => (exact ? field?.type : undefined)),
        );
        if (type === undefined || others.length > 0 || !(typedFieldTypes as readonly string[]).includes(type))
          continue;
        report(displayOfText, attribute, { id: id.text, type });
      }
    },
  },
};
export default module;
