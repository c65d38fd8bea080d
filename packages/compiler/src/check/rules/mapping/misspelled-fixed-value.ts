import { nearest } from "@configc/jq/internal";
import type { JqProgram, MapSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { comparedIn } from "../../../flow/compared-constants.ts";
import { partAt } from "../../../flow/nodes.ts";
import { objectItems, type StringNode, textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { optionsOf } from "./options.ts";

const misspelledFixedValue = defineRule<{
  word: string;
  name: string;
  value: string;
  values: readonly string[];
}>({
  id: "mapping/misspelled-fixed-value",
  severity: "warning",
  summary: "A program compares a mapped field with a misspelled fixed value",
  why: "A customer who picks one of `source_fields` gives the target field that value's id, letter by letter. A condition that asks for another spelling is false for each of them, and no error says so.",
  guards: ["option.source_fields", "source_field.id", "command.!jq", "D36"],
  message: ({ word, name, value }) =>
    `\`${name}\` is never \`${word}\` by a customer's choice: the fixed value is \`${value}\`.`,
  because: ({ word, name, value }) => [
    `a customer picks \`${value}\` for \`${name}\``,
    `the program asks for \`${word}\``,
  ],
  help: ({ values }) => `The fixed values are ${allNames(values)}.`,
  examples: [
    {
      title: "D36",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"id": "email", "title": "Email", "required": true}, {"id": "access", "title": "Access", "source_fields": [{"id": "at_home", "title": "At home"}, {"id": "key_safe", "title": "Key safe"}]}]',
      },
      bad: '{"!pipe": [{"!jq": "{email, key: (.access == «\\"keysafe\\"»)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email, key: (.access == \\"key_safe\\")}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [misspelledFixedValue],
  checks: {
    map(map, report, model) {
      const fixed = fixedValues(map, model);
      if (fixed.size === 0) return;
      for (const program of partOfUnit(map.workflow, model).programs)
        if (program.command.place.name === "data_pipeline.target") compare(program, fixed, report);
    },
  },
};
export default module;

/** The fixed values that customers can choose for target fields, by the ids of the fields. */
function fixedValues(map: MapSymbol, model: Model): ReadonlyMap<string, readonly StringNode[]> {
  const found = new Map<string, readonly StringNode[]>();
  for (const { node, fixed } of optionsOf(map, "target", model)?.list ?? []) {
    const [id, values] = [textOf(node, "id"), objectItems(fixed?.value).map((each) => each.get("id"))];
    const texts = values.filter((value) => value?.kind === "string");
    if (id !== undefined && texts.length === values.length && texts.length > 0) found.set(id, texts);
  }
  return found;
}

/** Reports what is compared with a field, and is none of its values but nearly one that nothing else asks for. */
function compare(
  program: JqProgram,
  fixed: ReadonlyMap<string, readonly StringNode[]>,
  report: Report,
): void {
  const text = program.node.value;
  for (const { name, values: words, order, node } of comparedIn(program)) {
    const nodes = fixed.get(name);
    if (nodes === undefined || order !== undefined) continue;
    const values = nodes.map(({ value }) => value);
    for (const word of words) {
      if (typeof word !== "string" || values.includes(word)) continue;
      const value = values.find((each) => squeezed(each) === squeezed(word)) ?? nearest(word, values);
      if (value === undefined || text.includes(`"${value}"`)) continue;
      report(misspelledFixedValue, partAt(program, node(word)), { word, name, value, values }, [
        { message: "the fixed value", at: nodes[values.indexOf(value)]! },
      ]);
    }
  }
}

/** Without what parts words: `key_safe`, `key-safe` and `keySafe` are one. */
const squeezed = (text: string): string => text.toLowerCase().replace(/[\W_]/g, "");
