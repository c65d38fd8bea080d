import { calls, children, type Expression, type Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { timeUnitOf } from "../../../flow/protocol/time-unit.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import type { StringPart } from "../../../parse/document.ts";
import { changeTo } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";

const place = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

const dateFormat = defineRule<{ written: string; means: string; instead: string; wanted: string }>({
  id: "jq/date-format",
  severity: "warning",
  summary: "A date format has the wrong directive",
  why: "`%m` is the month and `%M` the minute, `%d` the day and `%D` a whole date, `%H` the hour and `%S` the second. `%y` is the year without its century. The wrong letter gives a date that looks right but isn't, for every record.",
  guards: ["D23"],
  message: ({ written, means, wanted }) => `\`${written}\` gives ${means}. Here ${wanted} is expected.`,
  because: ({ written, means }) => ["2026-03-09 at 14:05", `\`${written}\` gives ${means}`],
  help: ({ instead, wanted }) => `Write \`${instead}\` for ${wanted}.`,
  examples: [
    {
      title: "Minutes in a date",
      ...place,
      bad: '{"!jq": "{email: .email, day: (.at | strftime(\\"%Y-«%M»-%d\\"))}"}',
      good: '{"!jq": "{email: .email, day: (.at | strftime(\\"%Y-%m-%d\\"))}"}',
      fixed: '{"!jq": "{email: .email, day: (.at | strftime(\\"%Y-%m-%d\\"))}"}',
    },
    {
      title: "Months in a time",
      ...place,
      bad: '{"!jq": "{email: .email, at: (.at | strftime(\\"%Y-%m-%dT%H:«%m»:%SZ\\"))}"}',
      good: '{"!jq": "{email: .email, at: (.at | strftime(\\"%Y-%m-%dT%H:%M:%SZ\\"))}"}',
      fixed: '{"!jq": "{email: .email, at: (.at | strftime(\\"%Y-%m-%dT%H:%M:%SZ\\"))}"}',
    },
    {
      title: "The month twice",
      ...place,
      bad: '{"!jq": "{email: .email, day: (.at | strftime(\\"%Y-%m-«%m»\\"))}"}',
      good: '{"!jq": "{email: .email, day: (.at | strftime(\\"%Y-%m-%d\\"))}"}',
      fixed: '{"!jq": "{email: .email, day: (.at | strftime(\\"%Y-%m-%d\\"))}"}',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) => [changeTo(document, at, instead, false)],
});

const noDirective = defineRule<{ format: string }>({
  id: "jq/no-date-directive",
  severity: "warning",
  summary: "A date format has no directive",
  why: "jq's date formats are made of directives such as `%Y`. Letters without `%` are copied, so every date comes out as the format itself.",
  guards: ["D23"],
  message: ({ format }) => `\`${format}\` has no \`%\`, so this gives “${format}” for every date.`,
  because: ({ format }) => [`2026-03-09: “${format}”`, `2027-01-01: “${format}”`],
  help: () => "Write `%Y-%m-%dT%H:%M:%SZ`, or use `todate`.",
  examples: [
    {
      ...place,
      bad: '{"!jq": "{email: .email, day: (.at | strftime(«\\"YYYY-MM-DD\\"»))}"}',
      good: '{"!jq": "{email: .email, day: (.at | strftime(\\"%Y-%m-%d\\"))}"}',
    },
  ],
});

const millisecondsAsSeconds = defineRule<{ name: string }>({
  id: "jq/milliseconds-as-seconds",
  severity: "warning",
  summary: "A function that takes seconds gets milliseconds",
  why: "jq counts time in seconds since 1970. Read as seconds, milliseconds give a date thousands of years from now, and an API has no changes since then.",
  guards: ["D23"],
  message: ({ name }) =>
    name === "now"
      ? "This time is in seconds, and milliseconds are added to it."
      : `\`${name}\` takes seconds but gets milliseconds here.`,
  because: () => ["2026-01-01 is 1767225600000 milliseconds", "as seconds, that is the year 57970"],
  help: ({ name }) => (name === "now" ? "Count in seconds: a day has 86400." : "Divide by 1000 first."),
  examples: [
    {
      title: "Added to a time in seconds",
      ...place,
      bad: '{"!jq": "{email: .email, until: (now + «30 * 86400000» | todate)}"}',
      good: '{"!jq": "{email: .email, until: (now + 30 * 86400 | todate)}"}',
    },
    {
      ...place,
      bad: '{"!jq": "{email: .email, at: (now * 1000 | floor | «todate»)}"}',
      good: '{"!jq": "{email: .email, at: (now | floor | todate)}"}',
    },
  ],
});

const fractionalDate = defineRule<{ text: string }>({
  id: "jq/fractional-date",
  severity: "error",
  summary: "`fromdate` gets a time with fractions of a second",
  why: "`fromdate` only reads times such as `2026-01-02T03:04:05Z`. With fractions it fails, and the command fails with it.",
  guards: ["D23"],
  message: ({ text }) => `\`fromdate\` fails on fractions of a second, as in “${text}”.`,
  because: ({ text }) => [`“${text}”`, "`fromdate` fails, and the record is lost"],
  help: () => 'Remove them first: `sub("\\\\.[0-9]+"; "") | fromdate`.',
  examples: [
    {
      ...place,
      bad: '{"!jq": "{email: .email, age: (now - (\\"2026-01-02T03:04:05.678Z\\" | «fromdate»))}"}',
      good: '{"!jq": "{email: .email, age: (now - (\\"2026-01-02T03:04:05Z\\" | fromdate))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [dateFormat, noDirective, millisecondsAsSeconds, fractionalDate],
  checks: {
    program(program, report) {
      // Most programs have no date in them.
      if (!nodesOfKind(program, "Call").some(({ name }) => ofDates.test(name.text))) return;
      const at = (from: number, to: number): StringPart => ({ node: program.node, from, to });
      for (const { name, node } of calls(program.tree)) {
        const format = formatFunctions.has(name) ? node.arguments[0] : undefined;
        if (format?.kind !== "String") continue;
        const text = constantOf(format);
        if (typeof text !== "string") continue;
        if (!text.includes("%")) report(noDirective, at(format.start, format.end), { format: text });
        for (const slip of formatSlips(text)) {
          // A service may write its days so, with two digits; then it says the time nowhere.
          if (name === "strptime" && slip.written === "%y" && !text.includes("T")) continue;
          const start = startIn(program, format, slip.index);
          if (start !== undefined) report(dateFormat, at(start, start + slip.written.length), slip);
        }
      }
      for (const added of millisecondsAdded(program))
        report(millisecondsAsSeconds, at(added.start, added.end), { name: "now" });
      for (const { call, input } of pipedCalls(program)) {
        if (takesSeconds.has(call.name.text) && timeUnitOf(input, program) === "milliseconds")
          report(millisecondsAsSeconds, at(call.name.start, call.name.end), { name: call.name.text });
        const text = call.name.text.startsWith("fromdate") ? constantOf(input) : undefined;
        if (typeof text === "string" && /T\d\d:\d\d:\d\d\.\d+/.test(text))
          report(fractionalDate, at(call.name.start, call.name.end), { text });
      }
    },
  },
};
export default module;

/** What is added to `now`, which is in seconds, and is a number of days, hours or minutes in milliseconds. */
function millisecondsAdded(program: JqProgram): readonly Expression[] {
  const found: Expression[] = [];
  for (const node of nodesOfKind(program, "Arithmetic")) {
    const operands = [node.first, ...node.rest.map(({ operand }) => operand)];
    const isSum = node.rest.every(({ operator }) => operator === "+" || operator === "-");
    if (!isSum || !operands.some((each) => isNow(each, program))) continue;
    found.push(...operands.filter(isMilliseconds));
  }
  return found;
}

/** `now`, `(now | floor)`, `$now` */
function isNow(node: Expression, program: JqProgram): boolean {
  const value = valueBehind(node, program);
  // `now + $days * 86400`
  if (value.kind === "Arithmetic")
    return (
      value.rest.every(({ operator }) => operator === "+") &&
      [value.first, ...value.rest.map(({ operand }) => operand)].some((each) => isNow(each, program))
    );
  if (value.kind !== "Pipeline") return value.kind === "Call" && ofSeconds.test(value.name.text);
  const [first, ...rest] = stagesOf(value);
  const isRounded = rest.every(
    (each) => each.kind === "Call" && /^(?:floor|round|ceil)$/.test(each.name.text),
  );
  return first !== undefined && isRounded && isNow(first, program);
}

const ofSeconds = /^(?:now|mktime|fromdate(?:iso8601)?)$/;

/** `30 * 86400000`, `$minutes * 60000`, `(.days * 3600 * 1000)` */
function isMilliseconds(node: Expression): boolean {
  if (node.kind === "Group") return isMilliseconds(node.body);
  const factors =
    node.kind === "Arithmetic" ? [node.first, ...node.rest.map(({ operand }) => operand)] : [node];
  if (node.kind === "Arithmetic" && node.rest.some(({ operator }) => operator !== "*")) return false;
  const product = factors.reduce((all, factor) => {
    const value = constantOf(factor);
    return typeof value === "number" ? all * value : all;
  }, 1);
  // Nothing is counted in steps of 60,000 seconds.
  if (factors.length > 1 && factors.some((each) => constantOf(each) === 60_000)) return true;
  return product >= 3_600_000 && product % 3_600_000 === 0 && factors.some(isUnit);
}

const units: ReadonlySet<unknown> = new Set([1_000, 60_000, 3_600_000, 86_400_000, 604_800_000]);
const isUnit = (node: Expression): boolean => units.has(constantOf(node));

const ofDates = /date|time|now/;
const formatFunctions: ReadonlySet<string> = new Set(["strftime", "strflocaltime", "strptime"]);
const takesSeconds: ReadonlySet<string> = new Set([
  "todate",
  "todateiso8601",
  "gmtime",
  "localtime",
  "strftime",
  "strflocaltime",
]);

interface FormatSlip {
  readonly index: number;
  readonly written: string;
  readonly means: string;
  readonly instead: string;
  readonly wanted: string;
}

/** A directive, beside what it certainly isn't meant as it is. */
const slips: readonly { readonly pattern: RegExp; readonly slip: Omit<FormatSlip, "index"> }[] = [
  ...[/%M(?=[-/. ]?%[dY])/g, /(?<=%[Yd][-/. ]?)%M(?![:.]?%S)/g].map((pattern) => ({
    pattern,
    slip: { written: "%M", means: "the minute", instead: "%m", wanted: "the month" },
  })),
  ...[/%m(?=:%[SM])/g, /(?<=%[HI]:)%m/g, /(?<=%H)%m(?=%S)/g].map((pattern) => ({
    pattern,
    slip: { written: "%m", means: "the month", instead: "%M", wanted: "the minute" },
  })),
  {
    pattern: /(?<=%m[-/.])%D|%D(?=[-/.]%m)/g,
    slip: { written: "%D", means: "a whole date (month/day/year)", instead: "%d", wanted: "the day" },
  },
  ...["-", "/", "."].map((sign) => ({
    pattern: new RegExp(`(?<=%Y\\${sign})%d\\${sign}%m`, "g"),
    slip: {
      written: `%d${sign}%m`,
      means: "the day before the month, which no date with the year first has",
      instead: `%m${sign}%d`,
      wanted: "the month, then the day",
    },
  })),
  // A directive twice in one date or time.
  ...[/(?<=%Y(?:-%m-|\/%m\/|\.%m\.|%m))%m/g, /%m(?=([-/.])%m\1%[Yy])/g].map((pattern) => ({
    pattern,
    slip: { written: "%m", means: "the month once more", instead: "%d", wanted: "the day" },
  })),
  ...[/(?<=%Y[-/.]?)%d(?=[-/.]?%d)/g, /(?<=%d[-/.])%d(?=[-/.]%[Yy])/g].map((pattern) => ({
    pattern,
    slip: { written: "%d", means: "the day twice", instead: "%m", wanted: "the month" },
  })),
  {
    pattern: /(?<=%H:)%H/g,
    slip: { written: "%H", means: "the hour once more", instead: "%M", wanted: "the minute" },
  },
  {
    pattern: /(?<=%H:%M:)%M/g,
    slip: { written: "%M", means: "the minute once more", instead: "%S", wanted: "the second" },
  },
  // Without its century a year stands first in no form that services take: 26-03-09 is as well 26 March 2009.
  {
    pattern: /^%y(?=-%m-(?:%d|\d\d))/g,
    slip: {
      written: "%y",
      means: "the year without its century",
      instead: "%Y",
      wanted: "the year with four digits",
    },
  },
  {
    pattern: /(?<=%M:)%s/g,
    slip: { written: "%s", means: "the seconds since 1970", instead: "%S", wanted: "the second" },
  },
  {
    pattern: /(?<!%[pPr].*)%I(?!.*%[pPr])/g,
    slip: {
      written: "%I",
      means: "the hour of a twelve-hour clock without saying which half of the day",
      instead: "%H",
      wanted: "the hour of the day",
    },
  },
  {
    pattern: /%h(?=:%M)/g,
    slip: { written: "%h", means: "the name of the month", instead: "%H", wanted: "the hour" },
  },
];

/** What is wrong with a date format by itself. */
export function formatSlips(format: string): readonly FormatSlip[] {
  const found = new Map<number, FormatSlip>();
  for (const { pattern, slip } of slips)
    for (const { index } of format.matchAll(pattern))
      if (!found.has(index)) found.set(index, { ...slip, index });
  return [...found.values()];
}

/** Where a character of a string literal stands in its program; undefined where escapes stand before it. */
function startIn({ node }: JqProgram, literal: Expression, index: number): number | undefined {
  const start = literal.start + 1 + index;
  return node.value.charAt(start) === "%" ? start : undefined;
}

interface PipedCall {
  readonly call: Extract<Expression, { kind: "Call" }>;
  /** What is piped into it. */
  readonly input: Expression;
}

/** Calls with what is piped into them: the stages before them, also those before an `if` or brackets around them. */
function pipedCalls({ tree }: JqProgram): readonly PipedCall[] {
  const found: PipedCall[] = [];
  const pending: (readonly [Node, Expression | undefined])[] = [[tree, undefined]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, input] = next;
    if (node.kind === "Call" && input !== undefined) found.push({ call: node, input });
    if (node.kind === "Pipeline") pending.push(...stagesWithInput(node, input));
    else
      for (const child of children(node)) pending.push([child, sameInput.has(node.kind) ? input : undefined]);
  }
  return found;
}

/** Expressions whose parts get the input that they get themselves. */
const sameInput: ReadonlySet<Node["kind"]> = new Set([
  "Group",
  "If",
  "Branch",
  "Alternative",
  "Arithmetic",
  "Comparison",
  "Logical",
  "Object",
  "Entry",
  "Array",
]);

function stagesWithInput(
  { stages, start }: Extract<Expression, { kind: "Pipeline" }>,
  outer: Expression | undefined,
): readonly (readonly [Node, Expression | undefined])[] {
  const before: Expression[] = outer === undefined ? [] : [outer];
  return stages.map((stage) => {
    const [first, ...rest] = before;
    const input: Expression | undefined =
      first === undefined || rest.length === 0
        ? first
        : { kind: "Pipeline", stages: [first, ...rest], start, end: stage.start };
    if (stage.kind === "Definition" || stage.kind === "Binding" || stage.kind === "Label")
      return [stage, undefined] as const;
    before.push(stage);
    return [stage, input] as const;
  });
}
