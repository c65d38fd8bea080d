import type { FieldSymbol } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { givenDefaults, toOption } from "./given-defaults.ts";

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
  help: ({ value }) => `Write \`${value}\`.`,
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
    {
      title: "In a program",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "days", "label": "Days", "type": "multiselect", "required": false, "options": [{"display": "Monday", "value": "mon"}, {"display": "Friday", "value": "fri"}]}',
      },
      bad: '{"!pipe": [{"!jq": "${custom_data.days.value | default} as $days | {email: .email, days: (if $days == \\"\\" then [«\\"monday\\"», \\"friday\\"] else $days end)}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "${custom_data.days.value | default} as $days | {email: .email, days: (if $days == \\"\\" then [\\"mon\\", \\"fri\\"] else $days end)}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
    },
  ],
  fixes: toOption,
});

const module: RuleModule = {
  rules: [defaultDisplay],
  checks: {
    document(model, report) {
      const told = new Set<FieldSymbol>();
      for (const { field, text, value, at, expansion } of displaysGiven(model)) {
        if (isAskedFor(text, model.document.text, expansion === undefined)) continue;
        // Of a list, the first one says it.
        if (expansion === undefined && told.has(field)) continue;
        told.add(field);
        report(defaultDisplay, at, { id: field.id ?? "", text, value }, [
          { message: "the option", at: field.node },
        ]);
      }
    },
  },
};
export default module;

/** Defaults that are what one option of their field shows, and the value of none. */
const displaysGiven = derivedByPart(
  (part) =>
    givenDefaults(part).flatMap((given) => {
      const { field, text } = given;
      const options = staticOptions(field);
      if (options.some(({ value }) => value === text)) return [];
      const shown = options.filter(({ display }) => display.trim().toLowerCase() === text.toLowerCase());
      const [option, ...more] = shown;
      return option === undefined || more.length > 0 ? [] : [{ ...given, value: option.value }];
    }),
  "linked",
);

/** Whether a program has the word as a string of its own, besides the default: it may be told from what is chosen by that. */
const isAskedFor = (text: string, document: string, isInProgram: boolean): boolean =>
  document.split(`\\"${text}\\"`).length > (isInProgram ? 2 : 1);
