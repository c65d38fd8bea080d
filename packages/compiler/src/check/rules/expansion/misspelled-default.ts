import { escapedPattern, nearest } from "@configc/jq/internal";
import type { FieldSymbol } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { strangersIn } from "../value/other-word.ts";
import { givenDefaults, toOption } from "./given-defaults.ts";

const misspelledDefault = defineRule<{ id: string; text: string; value: string }>({
  id: "expansion/misspelled-default",
  severity: "warning",
  summary: "A default is nearly the value of an option, and no other one",
  why: "Where a customer leaves out the field, its default goes where an option's value goes. A word that is a letter off is none of them: the service refuses it, and the app's own comparisons don't know it.",
  guards: ["D12", "D13", "expansion.default", "field.options"],
  message: ({ id, text, value }) => `\`${id}\` has no option \`${text}\`. One is \`${value}\`.`,
  because: ({ text, value }) => [
    `a customer chooses an option: \`${value}\``,
    `a customer leaves it out: \`${text}\``,
  ],
  help: ({ value }) => `Write \`${value}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "paper", "label": "Statements", "type": "dropdown", "required": false, "options": [{"display": "By email", "value": "email"}, {"display": "By post, too", "value": "email_letter"}]}',
      },
      bad: '{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "statements": "${custom_data.paper.value | default:«mail»}"}}}',
      good: '{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "statements": "${custom_data.paper.value | default:email}"}}}',
      fixed:
        '{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "statements": "${custom_data.paper.value | default:email}"}}}',
    },
  ],
  fixes: toOption,
});

const module: RuleModule = {
  rules: [misspelledDefault],
  checks: {
    document(model, report) {
      const { text: document } = model.document;
      for (const { field, text, value, at, expansion } of slipsGiven(model)) {
        // A word that stands elsewhere, too, is one of the app or of the service.
        const times = document.split(new RegExp(`"${escapedPattern(text)}\\\\?"`)).length - 1;
        if (times > (expansion === undefined ? 1 : 0)) continue;
        // One that other words of the app show to be a slip is told as that.
        if (strangersIn(model, true).some(({ word }) => word.text === text)) continue;
        report(misspelledDefault, at, { id: field.id ?? "", text, value }, [
          { message: "the options", at: field.node },
        ]);
      }
    },
  },
};
export default module;

/** Defaults that are a letter or two off one option of their field. */
const slipsGiven = derivedByPart(
  (part) =>
    givenDefaults(part).flatMap((given) => {
      const { field, text } = given;
      if (text.length < 4 || ofNone.test(text) || /\d/.test(text) || !isClosed(field)) return [];
      const options = staticOptions(field);
      if (options.some(({ value, display }) => [value, display].some((each) => isSame(each, text))))
        return [];
      const values = options.map(({ value }) => value);
      const value = nearest(text, values);
      // `inactive` and `active` are two words.
      return value === undefined || isOpposite(text, value) ? [] : [{ ...given, value }];
    }),
  "linked",
);

/** Whether customers can choose the options alone that are written out. */
const isClosed = (field: FieldSymbol): boolean =>
  field.type !== "text" &&
  staticOptions(field).length > 1 &&
  staticOptions(field).length === objectItems(field.node.get("options")).length;

const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.toLowerCase();

/** What stands for no choice. */
const ofNone =
  /^(?:none|null|unset|never|any|all|both|other|others|default|auto|standard|normal|unknown|empty|open|free|skip|skipped)$/i;

const isOpposite = (a: string, b: string): boolean =>
  [
    [a, b],
    [b, a],
  ].some(
    ([long, short]) =>
      long!.endsWith(short!) &&
      /^(?:un|in|de|re|dis|no|non)[_-]?$/i.test(long!.slice(0, long!.length - short!.length)),
  );
