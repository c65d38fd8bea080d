import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isIdName, isShownName, nameOfValue } from "../../../flow/id-names.ts";
import { nameOf as nameOfKey } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import { isTimeName } from "../../../flow/protocol/time-names.ts";
import { spanOf } from "../../../parse/document.ts";
import { type JsonNode, type ObjectNode, objectItems, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { isKeyName } from "../value/compared-kind.ts";
import { nameBefore, optionsMadeIn } from "../value/made-options.ts";
import { exchangedIn } from "../value/name-for-id.ts";

const exchangedOption = defineRule<{ display: string; value: string }>({
  id: "setup/exchanged-option",
  severity: "warning",
  summary: "`display` and `value` of an option look swapped",
  why: "Customers see `display`; the app saves and sends `value`. The wrong way round, customers choose among numbers, and requests and comparisons get a name where the API needs the id.",
  guards: ["field.options", "field_option.display", "field_option.value"],
  message: ({ display, value }) =>
    `Customers see \`${display}\`, and the app saves \`${value}\`. That looks swapped.`,
  because: ({ display, value }) => [
    `customers see the values of \`${display}\``,
    `the request sends the value of \`${value}\``,
  ],
  help: ({ display, value }) => `Write \`{display: ${value}, value: ${display}}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "list": "${custom_data.list.value}"}}}',
      },
      bad: '"[.items[] | «{display: .id, value: .name}»]"',
      good: '"[.items[] | {display: .name, value: .id}]"',
      fixed: '"[.items[] | {display: .name, value: .id}]"',
    },
  ],
  fixes: ({ at, args: { display, value } }, { document }) => {
    const { start, end } = spanOf(document, at);
    const text = document.text.slice(start, end);
    // Only where nothing else stands in it.
    if (text.replaceAll(/\s/g, "") !== `{display:${display},value:${value}}`.replaceAll(/\s/g, "")) return [];
    const edits = [{ start, end, newText: `{display: ${value}, value: ${display}}` }];
    return [{ title: "Swap them", safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [exchangedOption],
  checks: {
    // Intakes use what is chosen in workflows.
    reach: "saved",
    field(field, report, model) {
      const { node } = field;
      const told = reversedIn(node.get("options"));
      if (told !== undefined)
        report(exchangedOption, told, { display: textOf(told, "display")!, value: textOf(told, "value")! });
      const before = (each: Expression): string | undefined =>
        nameBefore(nameOf(each), node.get("options"), model);
      for (const made of optionsMadeIn(node.get("options"), "display", "value", model)) {
        const { program, object, first: display, second: value } = made;
        const shown = before(display);
        const isExchanged =
          looksExchanged(shown, before(value)) ||
          isComposed(shown, value, program) ||
          namesTable(display, value, program);
        if (!isExchanged) continue;
        // Where it goes to a place that wants the id, it is told as that.
        if (exchangedIn(display, value, field, model) !== undefined) continue;
        report(
          exchangedOption,
          { node: program.node, from: object.start, to: object.end },
          { display: textAt(display, program), value: textAt(value, program) },
        );
      }
    },
  },
};
export default module;

/**
 * What identifies is shown, and what is kept doesn't identify: two reasons that don't depend on one another. Of the same record,
 * a code, a key or a number may be what the API takes, and still nobody chooses by an `id`.
 */
function looksExchanged(shown: string | undefined, kept: string | undefined): boolean {
  if (shown === undefined || kept === undefined) return false;
  if (isShownName(kept) && !isShownName(shown) && isKeyName(shown)) return true;
  // Nobody's id is called after what is displayed.
  if (/^display_?name$/i.test(kept) && isShownName(shown) && shown !== kept) return true;
  // Nobody chooses by an id, and a day or an hour identifies nothing.
  if (isIdName(shown) && isTimeName(kept)) return true;
  return shown === "id" && /^(?:number|email|phone|address|city|street|domain|caption)$/.test(kept);
}

/**
 * What identifies is shown, and what is kept is a text put together of members that don't identify, as for people: a name and a day with a
 * blank or a sign between them. An id in it would make it a key of two parts.
 */
function isComposed(shown: string | undefined, value: Expression, program: JqProgram): boolean {
  if (shown === undefined || !isKeyName(shown)) return false;
  const kept = bare(resolved(value, program) ?? value);
  const made = nodesIn(kept).flatMap((each) => (each.kind === "Postfix" ? (nameOfValue(each) ?? []) : []));
  if (made.some((name) => isKeyName(name) || isAddress.test(name))) return false;
  // A name with something else instead of it, or in other letters.
  if (kept.kind === "Alternative" || kept.kind === "Pipeline") {
    const names = made.filter((name) => name !== "value" && name !== "key");
    const [first] = kept.kind === "Pipeline" ? stagesOf(kept) : [];
    if (first !== undefined && isJoined(kept)) return made.length > 0;
    return names.length > 0 && names.every((name) => isShownName(name) || isTimeName(name));
  }
  if (kept.kind === "Arithmetic" && kept.rest.every(({ operator }) => operator === "+")) {
    const texts = [kept.first, ...kept.rest.map(({ operand }) => operand)].map(constantOf);
    return made.length > 0 && texts.some((text) => typeof text === "string" && isForPeople(text));
  }
  if (kept.kind !== "String" || kept.format !== undefined) return false;
  const texts = kept.parts.flatMap((part) => (part.kind === "StringText" ? [part.value] : []));
  return made.length > 0 && kept.parts.length > texts.length && texts.some(isForPeople);
}

const isAddress = /(?:^|_)(?:url|uri|href|link|path|self|ref|arn|urn|token|number|no|email|version|hash)$/i;

/** What stands between the parts of a text that people read: a blank, and not `:` or `_` alone. */
const isForPeople = (text: string): boolean => /\s/.test(text) && !/[=&{}[\]<>$]/.test(text);

/** `[.first, .last] | join(" ")` */
function isJoined(node: Expression): boolean {
  if (node.kind !== "Pipeline") return false;
  const last = stagesOf(node).at(-1);
  const by = last?.kind === "Call" && last.name.text === "join" ? constantOf(last.arguments[0]!) : undefined;
  return typeof by === "string" && isForPeople(by);
}

/** Of a text that is nothing but a member, too: `"\\(.code)"`. */
function nameOf(node: Expression): string | undefined {
  const inner = bare(node);
  const [part, ...others] = inner.kind === "String" && inner.format === undefined ? inner.parts : [];
  return part !== undefined && part.kind !== "StringText" && others.length === 0
    ? nameOfValue(part.expression)
    : nameOfValue(inner);
}

/** Whether a table of the program has words of a program on the side that is shown, and texts for people on the other. */
function namesTable(display: Expression, value: Expression, program: JqProgram): boolean {
  if (!/\bto_entries\b/.test(program.node.value)) return false;
  const sides = [nameOf(display), nameOf(value)].join(" ");
  if (sides !== "key value" && sides !== "value key") return false;
  const [table, ...others] = nodesOfKind(program, "Object").filter(
    ({ entries }) =>
      entries.length > 1 &&
      entries.every((entry) => entry.value && typeof constantOf(entry.value) === "string"),
  );
  if (table === undefined || others.length > 0) return false;
  const keys = table.entries.map(({ key }) => nameOfKey(key) ?? "");
  const values = table.entries.map((entry) => `${constantOf(entry.value!)}`);
  const [shown, kept] = sides === "key value" ? [keys, values] : [values, keys];
  return areWords(shown) && areTexts(kept);
}

/** An option that stands in the document and shows a word of a program, while its value is a text for people. */
function reversedIn(options: JsonNode | undefined): ObjectNode | undefined {
  if (options?.kind !== "array" || options.items.length < 2) return undefined;
  const known = objectItems(options).map((option) => ({
    option,
    display: textOf(option, "display"),
    value: textOf(option, "value"),
  }));
  if (known.length < 2 || known.some(({ display, value }) => display === undefined || value === undefined))
    return undefined;
  const [reversed] = known.filter(({ display, value }) => areWords([display!]) && /^[A-Z]/.test(value!));
  if (reversed === undefined) return undefined;
  const rest = known.filter((each) => each !== reversed);
  const isOdd = rest.every(({ display, value }) => areWords([value!]) && /^[A-Z]/.test(display!));
  const isAll = areWords(known.map(({ display }) => display!)) && areTexts(known.map(({ value }) => value!));
  return isOdd || isAll ? reversed.option : undefined;
}

/** Words that programs use: `in_stock`, `order.paid`. */
const areWords = (texts: readonly string[]): boolean =>
  texts.every((text) => /^[a-z\d]+(?:[_.:-][a-z\d]+)*$/.test(text));

/** Texts that people read, of which one has a blank. */
const areTexts = (texts: readonly string[]): boolean =>
  texts.every((text) => /^[A-Z]/.test(text)) && texts.some((text) => /[a-z] [A-Za-z]/.test(text));
