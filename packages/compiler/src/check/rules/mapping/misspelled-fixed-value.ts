import { escapedPattern, nearest } from "@configc/jq/internal";
import type { JqProgram, MapSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { comparedIn } from "../../../flow/compared-constants.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { objectItems, type StringNode, textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { tableOf } from "../value/unlisted-key.ts";
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

const unknownFixedValue = defineRule<{ word: string; name: string; words: readonly string[] }>({
  id: "mapping/unknown-fixed-value",
  severity: "warning",
  summary: "A fixed value of a target field isn't in the table that the others are looked up in",
  why: "A customer who picks one of `source_fields` gives the target field that value's id. Where a program looks it up in a table that has all the others, and one more that nobody can pick, this one ends where unknown values do.",
  guards: ["option.source_fields", "source_field.id", "command.!jq", "D36"],
  message: ({ word, name, words }) =>
    `A customer may pick \`${word}\` for \`${name}\`, but a table for it has ${allNames(words)}.`,
  because: ({ word, name, words }) => [
    `\`${name}\` is looked up among ${allNames(words)}`,
    `\`${word}\`, which a customer can pick, isn't there`,
  ],
  help: ({ words }) => `The table has ${allNames(words)}.`,
  examples: [
    {
      title: "D36",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!pipe": [{"!switch": {"jq": "{full: 0, part: 1, none: 2}[.consent] // 3", "cases": [{"!jq": "{email, level: 3}"}, {"!jq": "{email, level: 2}"}, {"!jq": "{email, level: 1}"}, {"!error": "Full, part or none."}]}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}',
      },
      bad: '[{"id": "email", "title": "Email", "required": true}, {"id": "consent", "title": "Consent", "source_fields": [{"id": "full", "title": "Full"}, {"id": "«mail»", "title": "Part"}, {"id": "none", "title": "None"}]}]',
      good: '[{"id": "email", "title": "Email", "required": true}, {"id": "consent", "title": "Consent", "source_fields": [{"id": "full", "title": "Full"}, {"id": "part", "title": "Part"}, {"id": "none", "title": "None"}]}]',
    },
  ],
});

const module: RuleModule = {
  rules: [misspelledFixedValue, unknownFixedValue],
  checks: {
    map(map, report, model) {
      const fixed = fixedValues(map, model);
      if (fixed.size === 0) return;
      const programs = partOfUnit(map.workflow, model).programs.filter(
        ({ command }) => command.place.name === "data_pipeline.target",
      );
      for (const program of programs) {
        compare(program, fixed, report);
        lookUp(program, fixed, programs, report);
      }
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

/** Reports the one fixed value that a table hasn't, where it has all the others, and one that nobody can pick. */
function lookUp(
  program: JqProgram,
  fixed: ReadonlyMap<string, readonly StringNode[]>,
  programs: readonly JqProgram[],
  report: Report,
): void {
  if (program.diagnostics.length > 0 || !/\}\s*\)?\s*\[|\$\w+\[/.test(program.node.value)) return;
  for (const read of nodesOfKind(program, "Postfix"))
    for (const { member, words } of tableOf(read, program)) {
      const nodes = fixed.get(member) ?? [];
      const [stranger, ...others] = nodes.filter(({ value }) => !words.includes(value));
      const missed = words.filter((word) => !nodes.some(({ value }) => value === word));
      if (stranger === undefined || others.length > 0 || missed.length !== 1 || nodes.length < 2) continue;
      const { value: word } = stranger;
      // Of two, one may be what is left.
      if (nodes.length < 3 && !titleOf(stranger).toLowerCase().includes(missed[0]!.toLowerCase())) continue;
      if (isForRest.test(word) || isForRest.test(missed[0]!)) continue;
      // What a program asks for is known to it.
      if (programs.some(({ node }) => asksFor(word).test(node.value))) continue;
      report(unknownFixedValue, { node: stranger, from: 0, to: word.length }, { word, name: member, words }, [
        { message: "the table", at: partAt(program, read) },
      ]);
    }
}

/** What stands for no word of its own. */
const isForRest = /^(?:all|any|every\w*|both|none|no|other|others|unknown|default|null|\*)?$/i;

const asksFor = (word: string): RegExp => new RegExp(`(?<![\\w-])${escapedPattern(word)}(?![\\w-])`);

function titleOf({ parent }: StringNode): string {
  const option = parent?.parent;
  return (option?.kind === "object" ? textOf(option, "title") : undefined) ?? "";
}

/** Without what parts words: `key_safe`, `key-safe` and `keySafe` are one. */
const squeezed = (text: string): string => text.toLowerCase().replace(/[\W_]/g, "");
