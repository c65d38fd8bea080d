import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { derivedByPart } from "../../by-part.ts";
import { changeInString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";

const defaultDisplay = defineRule<{ id: string; text: string; value: string }>({
  id: "expansion/default-display",
  severity: "warning",
  summary: "A default is what an option shows instead of its value",
  why: "Where a customer leaves out the field, its default goes where an option's `value` goes. What the option shows is a word that the service and the app's own comparisons don't know: it is refused, or stands for nothing.",
  guards: ["D12", "D13", "expansion.default", "field.options"],
  message: ({ id, text, value }) =>
    `\`${text}\` is what an option of \`${id}\` shows. Its value is \`${value}\`.`,
  because: ({ text, value }) => [
    `a customer chooses “${text}”: \`${value}\``,
    `a customer leaves it out: \`${text}\``,
  ],
  help: ({ value }) => `Write \`| default:${value}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "language", "label": "Language", "type": "dropdown", "required": false, "options": [{"display": "German", "value": "de"}, {"display": "English", "value": "en"}]}',
      },
      bad: '{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "language": "${custom_data.language.value | default:«German»}"}}}',
      good: '{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "language": "${custom_data.language.value | default:de}"}}}',
      fixed:
        '{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "language": "${custom_data.language.value | default:de}"}}}',
    },
  ],
  fixes: ({ at, args: { value } }, { document }) =>
    "from" in at ? [changeInString(document, at, value, false)] : [],
});

const module: RuleModule = {
  rules: [defaultDisplay],
  checks: {
    document(model, report) {
      for (const { expansion, field, text, value } of displaysGiven(model)) {
        const argument = expansion.syntax.filters[0]?.argument;
        if (argument === undefined || isAskedFor(text, model.document.text)) continue;
        const from = argument.start + argument.text.indexOf(text);
        report(
          defaultDisplay,
          { node: expansion.node, from, to: from + text.length },
          { id: field.id ?? "", text, value },
          [{ message: "the option", at: field.node }],
        );
      }
    },
  },
};
export default module;

/** Defaults that are what one option of their field shows, and the value of none. */
const displaysGiven = derivedByPart(
  ({ expansions }) =>
    expansions.flatMap((expansion) => {
      const { fields, fieldExact, syntax, rootExact } = expansion;
      const text = syntax.filters[0]?.argument?.text.trim() ?? "";
      const [field, ...others] = fields ?? [];
      if (text === "" || field === undefined || others.length > 0) return [];
      if (!fieldExact || !rootExact || syntax.path[2]?.text !== "value") return [];
      const options = staticOptions(field);
      if (options.some(({ value }) => value === text)) return [];
      const shown = options.filter(({ display }) => display.trim().toLowerCase() === text.toLowerCase());
      const [option, ...more] = shown;
      return option === undefined || more.length > 0 ? [] : [{ expansion, field, text, value: option.value }];
    }),
  "linked",
);

/** Whether a program has the word as a string of its own: it may be told from what is chosen by that. */
const isAskedFor = (text: string, document: string): boolean => document.includes(`\\"${text}\\"`);
