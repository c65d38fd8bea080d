import type { FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { countedOptions, countWords, timesSaid, unitWith } from "../../../flow/durations.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceValue } from "../../edits.ts";
import { valueAt } from "../http/at.ts";

const otherScale = defineRule<{ display: string; value: string; wanted: string; other: string; its: string }>(
  {
    id: "setup/other-scale",
    severity: "warning",
    summary: "The value of an option counts something else than those beside it",
    why: "The program takes the values of all options alike. If “30 days” has its value in seconds and “365 days” in days, who chooses the year gets six minutes, and nothing fails.",
    guards: ["field.options", "field_option.display", "field_option.value", "D12"],
    message: ({ display, value, wanted }) =>
      `“${display}” is ${value}; counted as the other options are, it would be ${wanted}.`,
    because: ({ display, value, wanted, other, its }) => [
      `“${other}” is ${its}`,
      `by that, “${display}” is ${wanted}, not ${value}`,
    ],
    help: ({ wanted }) => `Write ${wanted}.`,
    fixes: ({ at, args: { wanted } }, { document }) => {
      const value = valueAt(document, at);
      if (value === undefined) return [];
      const edit = replaceValue(value, value.kind === "number" ? Number(wanted) : wanted);
      return [{ title: `Change to ${wanted}`, safe: false, edits: [edit] }];
    },
    examples: [
      {
        title: "Days among seconds",
        in: "outbound",
        at: "/workflows/0/setup/select/form_fields/0/options",
        bad: '[{"display": "The last 30 days", "value": "2592000"}, {"display": "The last 365 days", "value": «"365"»}]',
        good: '[{"display": "The last 30 days", "value": "2592000"}, {"display": "The last 365 days", "value": "31536000"}]',
        fixed:
          '[{"display": "The last 30 days", "value": "2592000"}, {"display": "The last 365 days", "value": "31536000"}]',
      },
      {
        title: "Hours, and one in days",
        in: "outbound",
        at: "/workflows/0/setup/select/form_fields/0/options",
        bad: '[{"display": "After six hours", "value": 6}, {"display": "After a day", "value": 24}, {"display": "After three days", "value": «3»}]',
        good: '[{"display": "After six hours", "value": 6}, {"display": "After a day", "value": 24}, {"display": "After three days", "value": 72}]',
        fixed:
          '[{"display": "After six hours", "value": 6}, {"display": "After a day", "value": 24}, {"display": "After three days", "value": 72}]',
      },
      {
        title: "Other numbers",
        in: "outbound",
        at: "/workflows/0/setup/select/form_fields/0/options",
        bad: '[{"display": "From 10 euros", "value": "1000"}, {"display": "From 20 euros", "value": "2000"}, {"display": "From 50 euros", "value": «"50"»}]',
        good: '[{"display": "From 10 euros", "value": "1000"}, {"display": "From 20 euros", "value": "2000"}, {"display": "From 50 euros", "value": "5000"}]',
        fixed:
          '[{"display": "From 10 euros", "value": "1000"}, {"display": "From 20 euros", "value": "2000"}, {"display": "From 50 euros", "value": "5000"}]',
      },
    ],
  },
);

const module: RuleModule = {
  rules: [otherScale],
  checks: {
    // Intakes use what is chosen in workflows.
    reach: "linked",
    field(field, report, model) {
      if (field.node.get("options")?.kind !== "array") return;
      const times = timesSaid(field);
      const isConverted = (): boolean => model.programs.some((program) => converts(program, field));
      const odd = times.length > 1 ? oddTime(times, isConverted) : oddNumber(numbersOf(field));
      if (odd === undefined) return;
      const { option, like, wanted } = odd;
      // “More than two weeks” may be any number, and a week of work has five days.
      if (isOpen.test(option.display) || isWorkWeek(odd)) return;
      report(otherScale, option.node, {
        display: option.display,
        value: `${option.value}`,
        wanted: `${Number(wanted.toPrecision(12))}`,
        other: like.display,
        its: `${like.value}`,
      });
    },
  },
};
export default module;

const isOpen = /\b(?:more|longer|over|above|less|fewer|under|at least|at most|unlimited|no limit)\b|\+/i;

/** “1 week” is 5 where “1 day” is 1. */
const isWorkWeek = ({
  option,
  like,
  wanted,
}: {
  option: Option;
  like: Option;
  wanted: string | number;
}): boolean =>
  (/\bweek/i.test(option.display) &&
    /\bdays?\b/i.test(like.display) &&
    option.value * 7 === Number(wanted) * 5) ||
  (/\bday/i.test(option.display) &&
    /\bweeks?\b/i.test(like.display) &&
    option.value * 5 === Number(wanted) * 7);

interface Option {
  readonly display: string;
  readonly value: number;
  readonly node: JsonNode;
  /** What is shown says a number from the first to the second. */
  readonly length: readonly [number, number];
}

/** Whether a program makes another unit of what was chosen. */
function converts({ holes, node: { value } }: JqProgram, field: FieldSymbol): boolean {
  return (
    holes.some(({ fields }) => fields.includes(field)) && /[*/] *(?:60|24|7|1000|3600|86400)\b/.test(value)
  );
}

/** The one option of which the others are apart, with one of these. */
function oddOf(options: readonly Option[]) {
  const { length } = options;
  // Numbers of a list's places are no counts.
  if (length < 2 || options.every(({ value }, at) => value === at + 1)) return undefined;
  for (const option of options) {
    const others = options.filter((each) => each !== option);
    const [like] = others;
    // Two that are the same are told as that.
    if (others.some(({ value }) => value === option.value)) continue;
    if (
      like !== undefined &&
      others.every((each) => agree(each, like)) &&
      !others.some((each) => agree(each, option))
    )
      return { option, like, wanted: (like.value / like.length[0]) * option.length[0] };
  }
  return undefined;
}

/** Whether two options count the same. */
function agree(a: Option, b: Option): boolean {
  const [least, most] = [a.length[0] / a.value, a.length[1] / a.value];
  return least <= (b.length[1] / b.value) * 1.02 && most >= (b.length[0] / b.value) * 0.98;
}

function oddTime(times: readonly Option[], isConverted: () => boolean) {
  const odd = oddOf(times);
  if (odd === undefined) return undefined;
  // Months have no one length: 30 days lie between their shortest and their longest.
  const isUnit = ({ value, length: [least, most] }: Option): boolean =>
    [least, (least + most) / 2, most].some(
      (length) => unitWith(length / value) !== undefined || unitWith((length / value) * 1_000) !== undefined,
    );
  if (times.length > 2) return isUnit(odd.like) ? odd : undefined;
  // Of two, the one that has the number as it is shown is wrong, unless the program converts it.
  const [first, second] = times as [Option, Option];
  const words = ({ display }: Option): string => withoutCount(display);
  const shown = times.filter(({ display, value }) => saysCount(display, value));
  if (shown.length !== 1 || words(first) !== words(second) || !times.every(isUnit) || isConverted())
    return undefined;
  const option = shown[0]!;
  const like = option === first ? second : first;
  return { option, like, wanted: (like.value / like.length[0]) * option.length[0] };
}

const counts = new RegExp(
  String.raw`\b(?:\d+|${Object.keys(countWords)
    .filter((word) => !word.includes(" "))
    .join("|")})\b`,
  "gi",
);

/** What is shown without its number and the ending of its unit: “Two weeks” and “A week” are the same then. */
const withoutCount = (display: string): string =>
  display
    .toLowerCase()
    .replace(counts, "")
    .replace(/\b(second|minute|hour|day|week|month|year)s\b/g, "$1");

/** Whether a number is shown as it is, in digits or as a word. */
const saysCount = (display: string, value: number): boolean =>
  (display.match(counts) ?? []).some((word) => (countWords[word.toLowerCase()] ?? Number(word)) === value);

/** Options that are the same but for a number. */
function numbersOf({ node }: FieldSymbol): readonly Option[] {
  const said = countedOptions(node).flatMap((option) => {
    const [number, ...others] = option.display.match(/\d+(?:[.,]\d+)*/g) ?? [];
    const count = Number(number);
    return count > 0 && others.length === 0
      ? [{ ...option, words: option.display.replace(number!, ""), length: [count, count] as const }]
      : [];
  });
  return said.every(({ words }) => words === said[0]?.words) ? said : [];
}

function oddNumber(options: readonly Option[]) {
  const odd = options.length > 2 ? oddOf(options) : undefined;
  if (odd === undefined) return undefined;
  const { option, like, wanted } = odd;
  // Where the number is the value, another one may be a name; a factor of ten is a slip.
  const tens = Math.log10(wanted / option.value);
  return like.value !== like.length[0] || Number.isInteger(Number(tens.toFixed(9))) ? odd : undefined;
}
