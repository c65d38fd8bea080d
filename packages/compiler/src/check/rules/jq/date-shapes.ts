import type { Expression } from "@configc/jq";
import { calls } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { boundTo, stagesOf } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const place = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

const cutDate = defineRule<{ name: string; length: number; least: number }>({
  id: "jq/cut-date",
  severity: "error",
  summary: "A date is cut shorter than the function that reads it needs",
  why: "`strptime` reads exactly what its format says, and `fromdate` a day and a time up to the second with a `Z`. A text that was cut to its day has no time, so the program fails for every record.",
  guards: ["D23"],
  message: ({ name, length, least }) =>
    `\`${name}\` needs at least ${least} characters, but the text is cut to ${length}.`,
  because: ({ name, length }) => [
    `the text has at most ${length} characters`,
    `\`${name}\` fails, and the record is lost`,
  ],
  help: () => 'Read the day with `strptime("%Y-%m-%d")`, or keep the time.',
  examples: [
    {
      ...place,
      bad: '{"!jq": "{email: .email, age: (now - (.at[0:10] | «strptime(\\"%Y-%m-%dT%H:%M:%SZ\\")» | mktime))}"}',
      good: '{"!jq": "{email: .email, age: (now - (.at[0:10] | strptime(\\"%Y-%m-%d\\") | mktime))}"}',
    },
    {
      title: "A day with a `Z`",
      ...place,
      bad: '{"!jq": "{email: .email, age: (now - (.at[0:10] + \\"Z\\" | «fromdate»))}"}',
      good: '{"!jq": "{email: .email, age: (now - (.at[0:19] + \\"Z\\" | fromdate))}"}',
    },
  ],
});

const unsortedDates = defineRule<{ format: string; text: string }>({
  id: "jq/unsorted-dates",
  severity: "warning",
  summary: "Dates are compared as texts, but their format doesn't begin with the year",
  why: "jq compares texts sign by sign. Dates come in order only if the year comes first, then the month, then the day. In any other form the 2nd of May is before the 30th of January.",
  guards: ["D23"],
  message: ({ format, text }) =>
    `\`${text}\` compares dates as texts, but \`${format}\` doesn't begin with the year.`,
  because: ({ format }) => [
    `\`${format}\` begins with ${/^%-?[de]/.test(format) ? "the day" : "something else than the year"}`,
    '"02.05.2026" < "30.01.2026" is true',
  ],
  help: () => "Write both as `%Y-%m-%d`, or compare numbers of seconds.",
  examples: [
    {
      ...place,
      bad: '{"!jq": "(now | strftime(\\"%d.%m.%Y\\")) as $today | if «.ends_on < $today» then null else {email: .email} end"}',
      good: '{"!jq": "(now | strftime(\\"%Y-%m-%d\\")) as $today | if .ends_on < $today then null else {email: .email} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [cutDate, unsortedDates],
  checks: {
    program(program, report) {
      const { node, tree, diagnostics } = program;
      if (diagnostics.length > 0 || !/fromdate|strptime|strftime/.test(node.value)) return;
      const cut = /\[[^\]]*:/.test(node.value) ? nodesOfKind(program, "Pipeline") : [];
      for (const pipeline of cut) {
        const stages = stagesOf(pipeline);
        for (const [index, stage] of stages.entries()) {
          const before = stages[index - 1];
          const least = leastLength(stage);
          const length = before === undefined || least === undefined ? undefined : greatestLength(before);
          if (length === undefined || least === undefined || length >= least) continue;
          const name = excerpt(node.value.slice(stage.start, stage.end), 40);
          report(cutDate, { node, from: stage.start, to: stage.end }, { name, length, least });
        }
      }
      if (!calls(tree).some(({ name }) => name === "strftime" || name === "strflocaltime")) return;
      for (const each of nodesOfKind(program, "Comparison")) {
        if (each.operator === "==" || each.operator === "!=") continue;
        const format = [each.left, each.right]
          .map((side) => formatOf(side, program))
          .find((side) => side !== undefined && isUnsorted(side));
        if (format === undefined) continue;
        const text = excerpt(node.value.slice(each.start, each.end), 40);
        report(unsortedDates, { node, from: each.start, to: each.end }, { format, text });
      }
    },
  },
};
export default module;

/** How long a text must be at least for what reads a date from it. */
function leastLength(stage: Expression): number | undefined {
  const call = bare(stage);
  if (call.kind !== "Call") return undefined;
  if (/^fromdate(?:iso8601)?$/.test(call.name.text)) return "1-1-1T1:1:1Z".length;
  const [format] = call.arguments;
  if (call.name.text !== "strptime" || format === undefined) return undefined;
  const text = constantOf(format);
  return typeof text === "string"
    ? text.replace(/%[-_0^#]?[FT]/g, "1-1-1").replace(/%./g, "1").length
    : undefined;
}

/** How long a text can be at most that is cut, with constants around it. */
function greatestLength(node: Expression): number | undefined {
  const made = bare(node);
  const constant = constantOf(made);
  if (typeof constant === "string") return constant.length;
  switch (made.kind) {
    case "Postfix": {
      const last = made.suffixes.at(-1);
      if (last?.kind !== "Slice" || last.to === undefined) return undefined;
      const from = last.from === undefined ? 0 : constantOf(last.from);
      const to = constantOf(last.to);
      return typeof from === "number" && typeof to === "number" && to > from && from >= 0
        ? to - from
        : undefined;
    }
    case "Arithmetic": {
      if (made.rest.some(({ operator }) => operator !== "+")) return undefined;
      const lengths = [made.first, ...made.rest.map(({ operand }) => operand)].map(greatestLength);
      return lengths.reduce((sum, length) =>
        sum === undefined || length === undefined ? undefined : sum + length,
      );
    }
    default:
      return undefined;
  }
}

/** The format of a date that a value is as a text. */
function formatOf(node: Expression, program: JqProgram): string | undefined {
  const value = bare(node);
  if (value.kind === "Variable") {
    const source = boundTo(program, value);
    return source === undefined ? undefined : formatOf(source, program);
  }
  const last = value.kind === "Pipeline" ? stagesOf(value).at(-1) : value;
  if (last?.kind !== "Call" || !/^strf(?:local)?time$/.test(last.name.text)) return undefined;
  const [format] = last.arguments;
  const text = format === undefined ? undefined : constantOf(format);
  return typeof text === "string" ? text : undefined;
}

/** Whether days and months stand before the year, so that texts aren't in the order of time. */
const isUnsorted = (format: string): boolean => /%-?[dDejm].*%[Yy]|^%-?[de]\b.*%-?[mbB]/.test(format);
