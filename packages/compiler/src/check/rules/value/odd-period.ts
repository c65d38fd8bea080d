import type { ObjectConstruction } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";

const oddPeriod = defineRule<{ key: string; number: number; wanted: number; other: string; its: number }>({
  id: "value/odd-period",
  severity: "warning",
  summary: "A table of periods has a number that doesn't fit the others",
  why: "A year has twelve months and four quarters; a quarter has three months. A table that counts one period the other way round makes every sum for it wrong, and nothing fails.",
  guards: ["command.!jq"],
  message: ({ key, number, wanted, other, its }) =>
    `\`${key}\` is ${number}; counted as \`${other}\`, which is ${its}, it would be ${wanted}.`,
  because: ({ key, number, wanted, other, its }) => [
    `\`${other}\`: ${its}`,
    `by that, \`${key}\` is ${wanted}, not ${number}`,
  ],
  help: ({ wanted }) => `Write ${wanted}.`,
  fixes: ({ at, args: { wanted } }, { document }) =>
    rewriteTo({ at, args: { instead: `${wanted}` } }, document),
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, yearly_fee: (.fee * {monthly: 12, quarterly: «3», yearly: 1}[.billed])}"}',
      good: '{"!jq": "{email: .email, yearly_fee: (.fee * {monthly: 12, quarterly: 4, yearly: 1}[.billed])}"}',
      fixed:
        '{"!jq": "{email: .email, yearly_fee: (.fee * {monthly: 12, quarterly: 4, yearly: 1}[.billed])}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [oddPeriod],
  checks: {
    program(program, report) {
      if (!/year|annual/i.test(program.node.value) || !/month|quarter|week/i.test(program.node.value)) return;
      for (const object of nodesOfKind(program, "Object")) {
        const odd = oddOf(periodsIn(object));
        if (odd === undefined) continue;
        const { period, like, wanted } = odd;
        report(oddPeriod, partAt(program, period.node), {
          key: period.key,
          number: period.number,
          wanted,
          other: like.key,
          its: like.number,
        });
      }
    },
  },
};
export default module;

/** How often each comes in a year. */
const inYear: Readonly<Record<string, number>> = {
  week: 52,
  weekly: 52,
  fortnight: 26,
  fortnightly: 26,
  month: 12,
  monthly: 12,
  quarter: 4,
  quarterly: 4,
  halfyear: 2,
  halfyearly: 2,
  semiannual: 2,
  semiannually: 2,
  year: 1,
  yearly: 1,
  annual: 1,
  annually: 1,
};

interface Period {
  readonly key: string;
  readonly times: number;
  readonly number: number;
  readonly node: NonNullable<ObjectConstruction["entries"][number]["value"]>;
}

const periodsIn = ({ entries }: ObjectConstruction): readonly Period[] =>
  entries.flatMap(({ key, value }) => {
    const name = nameOf(key) ?? "";
    const times = inYear[name.toLowerCase().replace(/[^a-z]/g, "")];
    const number = value === undefined ? undefined : constantOf(value);
    return times === undefined || value === undefined || typeof number !== "number" || number <= 0
      ? []
      : [{ key: name, times, number, node: value }];
  });

/** How a table may count periods: how many a year has, or how long each is. */
const scales: readonly ((period: Period) => number)[] = [
  ({ number, times }) => number / times,
  ({ number, times }) => number * times,
];

/** The one period of which the others are apart; undefined where the table may count in either way. */
function oddOf(periods: readonly Period[]) {
  if (periods.length < 3) return undefined;
  const found = scales.flatMap((scale) => {
    const isLike = (a: Period, b: Period): boolean => Math.abs(scale(a) / scale(b) - 1) < 0.05;
    const odd = periods.filter((each) => periods.filter((other) => isLike(each, other)).length === 1);
    const [period, ...others] = odd;
    const [like, ...more] = periods.filter((each) => each !== period);
    if (period === undefined || others.length > 0 || like === undefined) return [];
    if (!more.every((each) => isLike(each, like))) return [];
    const one = scale({ ...period, number: 1 });
    return [{ period, like, wanted: Number((scale(like) / one).toPrecision(6)) }];
  });
  const [only, ...others] = found;
  return others.length > 0 ? undefined : only;
}
