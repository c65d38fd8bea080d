import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { documentedBound } from "../../../flow/protocol/documented-behaviour.ts";
import { type ListReading, listReadingOf, type Since } from "../../../flow/protocol/list-reading.ts";
import { showsPartsOfSeconds } from "../../../flow/protocol/sampled-times.ts";
import { isTimeName } from "../../../flow/protocol/time-names.ts";
import { type Location, spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

/** An intake that follows a cursor, and keeps the latest time that it read. */
const latest = {
  "/data_intake/0/initial_setup":
    '{"!jq": "{polling_state: {cursor: null, since: \\"2000-01-01T00:00:00Z\\"}}"}',
  "/data_intake/0/request/!pipe/1/!jq":
    '"{results: .items, iterate: .has_more, polling_state: {cursor: .next_cursor, since: (if .has_more then ${polling_state.since} else ([.items[].updated_at, ${polling_state.since}] | max) end)}}"',
};

const exclusiveWatermark = defineRule<{ parameter: string; member: string; operator: string }>({
  id: "polling/exclusive-watermark",
  severity: "warning",
  summary: "The next cycle excludes the latest time that was read",
  why: 'Most services round times to the second. If two records change within one second, the second may change just after the response. Its time isn\'t later than the watermark, so no request ever asks for it. Use a bound that includes the latest time; records that arrive twice are recognised by their key. If the service\'s times are exact, say so in `NAME.world.json` beside the config: `"times": "millisecond"`.',
  guards: ["polling.request", "polling.polling_state", "D33", "D50"],
  message: ({ parameter, member, operator }) =>
    `\`${parameter}\` excludes the latest \`${member}\` that was read (\`${operator}\`). A record that changes in that second, after the response, is never requested.`,
  because: ({ member }) => [
    `the response at 12:00:07.2 ends with r1, whose \`${member}\` is 12:00:07`,
    `r2 changes at 12:00:07.8: its \`${member}\` is 12:00:07, too`,
    "the next cycle asks for changes after 12:00:07: r2 never arrives",
  ],
  help: ({ operator }) =>
    inclusive[operator] === undefined
      ? "Start a few seconds before the latest time that was read."
      : `Use a bound that includes it, such as \`${inclusive[operator]}\`, or start a few seconds earlier.`,
  examples: [
    {
      title: "By an operator",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/params",
      with: latest,
      bad: '{"cursor": "${polling_state.cursor}", "updated_at[«gt»]": "${polling_state.since}", "sort": "updated_at"}',
      good: '{"cursor": "${polling_state.cursor}", "updated_at[gte]": "${polling_state.since}", "sort": "updated_at"}',
      fixed:
        '{"cursor": "${polling_state.cursor}", "updated_at[gte]": "${polling_state.since}", "sort": "updated_at"}',
      samples: { world: { intakes: {} } },
    },
    {
      title: "In the text of a filter",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/params",
      with: latest,
      bad: '{"cursor": "${polling_state.cursor}", "q": "updated_at «>» \'${polling_state.since}\'", "sort": "updated_at"}',
      good: '{"cursor": "${polling_state.cursor}", "q": "updated_at >= \'${polling_state.since}\'", "sort": "updated_at"}',
      fixed:
        '{"cursor": "${polling_state.cursor}", "q": "updated_at >= \'${polling_state.since}\'", "sort": "updated_at"}',
      samples: { world: { intakes: {} } },
    },
  ],
  fixes: ({ at, args: { operator } }, { document }) => {
    const instead = inclusive[operator];
    const { start, end } = spanOf(document, at);
    return instead === undefined || document.text.slice(start, end) !== operator
      ? []
      : [{ title: `Change to \`${instead}\``, safe: false, edits: [{ start, end, newText: instead }] }];
  },
});

const module: RuleModule = {
  rules: [exclusiveWatermark],
  checks: {
    intake(intake, report, model) {
      const found = exclusiveIn(intake, model);
      if (found === undefined) return;
      const { since, member, operator, at } = found;
      report(exclusiveWatermark, at, { parameter: since.name, member, operator });
    },
  },
};
export default module;

/** By operators that leave out what lies on the bound: those that take it in. */
const inclusive: Readonly<Record<string, string>> = { gt: "gte", ">": ">=" };

/** Comments by which two records don't share a time, or a second is shown only as a whole. */
const exact =
  /\bexact to (?:the|a) (?:milli|micro|nano)second\b|\b(?:milli|micro|nano)second (?:precision|resolution)\b|\bsecond is over\b|\bunique (?:time|timestamp)/i;

interface Exclusive {
  readonly since: Since;
  readonly member: string;
  readonly operator: string;
  readonly at: Location;
}

function exclusiveIn(intake: IntakeSymbol, model: Model): Exclusive | undefined {
  const reading = listReadingOf(intake, model);
  const { since, known } = reading ?? {};
  if (reading === undefined || since === undefined || known === undefined) return undefined;
  if (known.bounds === "inclusive" || known.times === "millisecond") return undefined;
  if (hasComments(model) && [...commentsBelow(intake.node)].some(({ value }) => exact.test(value)))
    return undefined;
  const [watermark] = since.watermarks;
  const member = watermark?.member;
  // Where it moves in several ways, or begins earlier, there may be room.
  if (watermark === undefined || since.watermarks.length > 1 || watermark.hasMargin) return undefined;
  if (watermark.from !== "last" && watermark.from !== "greatest") return undefined;
  if (member === undefined || !isTimeName(member) || goesOnBehind(reading, since)) return undefined;
  if (showsPartsOfSeconds(reading, member, model)) return undefined;
  const documented = documentedBound(since, reading, model);
  const operator = documented === "inclusive" ? undefined : operatorOf(since);
  if (operator !== undefined) return { since, member, ...operator };
  const isSaid = documented === "exclusive" || known.bounds === "exclusive";
  return isSaid && since.before === "" ? { since, member, operator: "exclusive", at: since.node } : undefined;
}

/** The id of the last record, sent beside its time, tells records of the same time apart. */
function goesOnBehind({ request: { parameters } }: ListReading, { key }: Since): boolean {
  return parameters.some(
    (other) => other.key !== undefined && other.key !== key && /(?:^|_)id$|key|after/i.test(other.name),
  );
}

/** `updated_at[gt]`, `updated__gt`, or a `>` before the value in the text of a filter. */
function operatorOf({ node, before }: Since): Pick<Exclusive, "operator" | "at"> | undefined {
  if (node.kind !== "string") return undefined;
  if (before === "") {
    const key = node.parent?.kind === "member" ? node.parent.key : undefined;
    const [, lead = "", operator = ""] = /^(.*?(?:^|[^a-zA-Z]))(gt)[^a-zA-Z]*$/.exec(key?.value ?? "") ?? [];
    return key === undefined || operator === ""
      ? undefined
      : { operator, at: { node: key, from: lead.length, to: lead.length + operator.length } };
  }
  const [found, operator = ""] = /(?<![<>=!-])(>|\bgt\b)\s*(?:[a-z]+\()?['"]?$/.exec(before) ?? [];
  if (found === undefined) return undefined;
  const from = before.length - found.length;
  return { operator, at: { node, from, to: from + operator.length } };
}
