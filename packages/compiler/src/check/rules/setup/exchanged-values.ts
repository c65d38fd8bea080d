import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isCalled, mayNameIn, namingOf } from "../../../flow/named-key.ts";
import { areOpposite, poleOf } from "../../../flow/poles.ts";
import { type JsonNode, type ObjectNode, objectItems, textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";

const exchangedValues = defineRule<{
  first: string;
  its: string;
  second: string;
  other: string;
  key: string;
}>({
  id: "setup/exchanged-values",
  severity: "warning",
  summary: "Two options have each other's values",
  why: "Customers choose by what they read, and the app keeps what stands beside it. With two values exchanged, who maps the email fills in the first name, and who chooses two weeks gets six. Nothing fails.",
  guards: ["field_option.display", "field_option.value", "option.title", "option.id", "source_field.id"],
  message: ({ first, its, second, other }) =>
    `“${first}” is \`${its}\`, and “${second}” is \`${other}\`. That looks exchanged.`,
  because: ({ first, its, second, other }) => [
    `who chooses “${first}” gets \`${its}\``,
    `who chooses “${second}” gets \`${other}\``,
  ],
  help: ({ key }) => `Exchange their \`${key}\`.`,
  examples: [
    {
      title: "Fields of a mapping",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: '[{"title": "First name", "id": «"email"»}, {"title": "Email", "id": "first_name"}]',
      good: '[{"title": "First name", "id": "first_name"}, {"title": "Email", "id": "email"}]',
    },
    {
      title: "Lengths of time",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options",
      bad: '[{"display": "Two weeks", "value": «"42"»}, {"display": "Six weeks", "value": "14"}]',
      good: '[{"display": "Two weeks", "value": "14"}, {"display": "Six weeks", "value": "42"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [exchangedValues],
  checks: {
    field({ node }, report) {
      tell(node.get("options"), "display", "value", report);
    },
    map({ node }, report) {
      for (const side of ["describe_source", "describe_target"]) {
        const described = node.get(side);
        const options = described?.kind === "object" ? described.get("options") : undefined;
        tell(options, "title", "id", report);
        for (const option of objectItems(options)) tell(option.get("source_fields"), "title", "id", report);
      }
    },
  },
};
export default module;

/** Longer lists aren't looked at. */
const MOST = 200;
/** Where more options don't name their values, these are codes. */
const FEW = 30;

interface Option {
  readonly text: string;
  readonly key: string;
  readonly node: JsonNode;
}

function tell(list: JsonNode | undefined, shown: string, kept: string, report: Report): void {
  const [first, second] = exchangedIn(list, shown, kept) ?? [];
  if (first === undefined || second === undefined) return;
  report(
    exchangedValues,
    first.node,
    { first: first.text, its: first.key, second: second.text, other: second.key, key: kept },
    [{ message: "the other one", at: second.node }],
  );
}

/** The lists of form fields of which that is told: their values differ from other tables for that reason. */
export const listsTold: (model: Model) => readonly JsonNode[] = derived(({ workflows }) =>
  workflows.flatMap(({ fields }) =>
    fields.flatMap(({ node }) => {
      const options = node.get("options");
      return exchangedIn(options, "display", "value") === undefined ? [] : [options!];
    }),
  ),
);

function exchangedIn(
  list: JsonNode | undefined,
  shown: string,
  kept: string,
): readonly [Option, Option] | undefined {
  if (list?.kind !== "array" || list.items.length < 2 || list.items.length > MOST) return undefined;
  // Nearly all options name their own value, by its words or by none of those that others have.
  const all = objectItems(list).flatMap((item) => optionOf(item, shown, kept));
  const strangers = all.filter(({ text, key }) => namingOf(text, key) !== "whole");
  if (strangers.length < 2 || strangers.length > FEW) return undefined;
  // Three or more of which each has the number of its opposite are counted from the other end, and what is hidden leaves the others.
  if (isReversed(all) || all.every(({ text }) => leavesOut.test(text))) return undefined;
  const mayName = mayNameIn(strangers.map(({ text }) => text));
  const named = strangers.filter(({ key }) => mayName(key));
  for (const [index, first] of named.entries())
    for (const second of named.slice(index + 1)) if (areExchanged(first, second)) return [first, second];
  // What is the opposite is told of each field of a mapping, but not of form fields.
  const turned = kept === "value" ? strangers.filter(isOpposite) : [];
  if (turned.length === 2 && areOpposite(poleOf(turned[0]!.key), poleOf(turned[1]!.key)))
    return [turned[0]!, turned[1]!];
  if (strangers.length > 2 || all.length <= 4) return undefined;
  const [first, second] = strangers as [Option, Option];
  return isOther(first, second) || isOther(second, first) ? [first, second] : undefined;
}

function optionOf(item: ObjectNode, shown: string, kept: string): Option | readonly never[] {
  const [text, node] = [textOf(item, shown), item.get(kept)];
  const key = node?.kind === "string" ? node.value : node?.kind === "number" ? `${node.value}` : undefined;
  if (text === undefined || node === undefined || key === undefined) return [];
  return { text, key, node };
}

const leavesOut = /^(?:hide|skip|omit|exclude|ignore|without|except|leave out|no|not)\b/i;

/** “Priority 1” is 3, “Priority 2” is 2, “Priority 3” is 1. */
function isReversed(all: readonly Option[]): boolean {
  const pairs = all.map(({ text, key }) => [Number(/\d+/.exec(text)?.[0]), Number(key)] as const);
  const sum = pairs[0]![0] + pairs[0]![1];
  return pairs.length > 2 && !Number.isNaN(sum) && pairs.every(([said, kept]) => said + kept === sum);
}

/** `Outward` with `in`. Whether a stay starts with an arrival depends on what it is of, and so does what was changed last. */
function isOpposite({ text, key }: Option): boolean {
  const pole = poleOf(key);
  return pole?.kind !== "window" && pole?.kind !== "change" && areOpposite(poleOf(text), pole);
}

/** Whether each names the other's value, one of them by all of its words, and neither its own. */
function areExchanged(first: Option, second: Option): boolean {
  const its = namingOf(first.text, second.key);
  if (its === undefined) return false;
  const crossed = [its, namingOf(second.text, first.key)];
  if (crossed.includes(undefined) || crossed.every((naming) => naming === "main")) return false;
  const own = [namingOf(first.text, first.key), namingOf(second.text, second.key)];
  // “3 months” are 12 weeks, too; but beside “12 months” with 3 that isn't meant.
  if (own.some((naming, at) => naming === "length" && crossed[at] !== "whole")) return false;
  if (own.every((naming) => naming === "main")) return false;
  // What is the opposite is told of each.
  return !areOpposite(poleOf(first.text), poleOf(first.key));
}

/** Whether an option is called exactly as the other's value, while neither has anything of its own: all others in the list do. */
const isOther = (first: Option, second: Option): boolean =>
  isCalled(first.text, second.key) &&
  namingOf(first.text, first.key) === undefined &&
  namingOf(second.text, second.key) === undefined &&
  !areOpposite(poleOf(first.text), poleOf(first.key));
