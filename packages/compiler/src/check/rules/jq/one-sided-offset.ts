import type { Expression, Node, Pipeline } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const oneSidedOffset = defineRule<{ time: string; offset: string }>({
  id: "jq/one-sided-offset",
  severity: "warning",
  summary: "A time is written with its offset from UTC in one place, and without it in another",
  why: "A day in local time beside an hour in UTC is no moment at all: everybody comes some hours too early or too late, and nothing fails.",
  guards: ["D3", "D23"],
  message: ({ time, offset }) =>
    `\`${time}\` is written in UTC here, and elsewhere with \`${offset}\` added.`,
  because: ({ time, offset }) => [`here: \`${time}\``, `elsewhere: \`${time} + ${offset}\``],
  help: ({ offset }) => `Add \`${offset}\` here too.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, day: (.starts + .utc_offset * 60 | strftime(\\"%Y-%m-%d\\")), hour: («.starts» | strftime(\\"%H:%M\\"))}"}',
      good: '{"!jq": "{email: .email, day: (.starts + .utc_offset * 60 | strftime(\\"%Y-%m-%d\\")), hour: (.starts + .utc_offset * 60 | strftime(\\"%H:%M\\"))}"}',
    },
  ],
});

const offsetInUtc = defineRule<{ text: string; offset: string; writer: string }>({
  id: "jq/offset-in-utc",
  severity: "warning",
  summary: "An offset from UTC is added to a time that is then written as UTC",
  why: "Local time is UTC and the offset. To get UTC from it, the offset is taken away. With the offset added, what is written with a Z is local time, or wrong by twice the offset, and nothing fails.",
  guards: ["D23"],
  message: ({ text, offset, writer }) =>
    `\`${text}\` adds \`${offset}\`, and \`${writer}\` writes it as UTC.`,
  because: ({ offset, writer }) => [
    "17:00+01:00 is 16:00 UTC",
    `with \`${offset}\` added, \`${writer}\` writes 18:00 UTC`,
  ],
  help: ({ offset }) => `Take it away: \`- ${offset}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, due: («(.due_local + \\"Z\\" | fromdate) + .utc_offset * 60» | todate)}"}',
      good: '{"!jq": "{email: .email, due: ((.due_local + \\"Z\\" | fromdate) - .utc_offset * 60 | todate)}"}',
    },
  ],
});

/** A time that is written, and what is added to it first. */
interface Written {
  readonly node: Expression;
  readonly time: string;
  readonly offset: string | undefined;
}

const module: RuleModule = {
  rules: [oneSidedOffset, offsetInUtc],
  checks: {
    program(program, report, model) {
      if (!/strftime|todate/.test(program.node.value) || !named.test(program.node.value)) return;
      for (const node of nodesOfKind(program, "Pipeline")) tellUtc(node, program, report, model);
      const written = nodesOfKind(program, "Pipeline").flatMap((node) => writtenBy(node, program));
      for (const { node, time, offset } of written) {
        const other = written.find((each) => each.time === time && each.offset !== undefined);
        if (offset !== undefined || other?.offset === undefined) continue;
        if (saysItsZone(node, program)) continue;
        report(oneSidedOffset, partAt(program, node), { time, offset: other.offset });
      }
    },
  },
};
export default module;

const named = /offset|tz|zone/i;
/** A form that says that it is UTC. */
const ofUtc = /Z|UTC|GMT/;

/** `.starts + $offset | todate`, where nothing says that local time is meant. */
function tellUtc({ stages }: Pipeline, program: JqProgram, report: Report, model: Model): void {
  const at = stages.findIndex((stage) => isExpression(stage) && writesUtc(stage));
  const [sum, writer] = [stages[at - 1], stages[at]];
  if (sum === undefined || writer === undefined || !isExpression(sum)) return;
  const node = bare(sum);
  const [step, ...others] = node.kind === "Arithmetic" ? node.rest : [];
  if (step?.operator !== "+" || others.length > 0) return;
  const offset = textAt(step.operand, program);
  if (!named.test(offset) || !isAhead(step.operand, program) || isLocal(writer, program, model)) return;
  // `todate | .[:10]`: without its Z it is a local day.
  if (
    stages.slice(at + 1).some((stage) => /\[:1\d\]|\[0:1\d\]|"Z"|\bsplit\("T"\)/.test(textAt(stage, program)))
  )
    return;
  if (commentsAround(program.node, []).some(({ value }) => toUtc.test(value))) return;
  const text = excerpt(textAt(node, program));
  report(offsetInUtc, partAt(program, node), { text, offset, writer: textAt(writer, program) });
}

/** `todate`, `strftime("%H:%MZ")` */
function writesUtc(stage: Expression): boolean {
  if (stage.kind !== "Call") return false;
  const form = stage.name.text === "strftime" ? constantOf(stage.arguments[0]!) : undefined;
  return (
    /^todate/.test(stage.name.text) || (typeof form === "string" && ofUtc.test(form.replaceAll(/%./g, "")))
  );
}

/** Whether an offset says how far local time is ahead of UTC: nothing turns its sign round. */
function isAhead(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  const source = node.kind === "Variable" ? boundTo(program, node) : node;
  // `$day_offset` is no zone's; one that is read from a text has its sign.
  const isOfZone = /utc|gmt|tz|zone|[-+]"|\[[-+]{2}\]/i.test(
    `${textAt(node, program)} ${source === undefined ? "" : textAt(source, program)}`,
  );
  if (source === undefined || !isOfZone) return false;
  const signs = nodesIn(source).flatMap((each) => (each.kind === "If" ? [each] : []));
  const isTurned = (text: string): boolean => /\bnot\b|(?:^|[^\w"')\].]\s*)-(?!["'])|\b0\s*-/.test(text);
  if (signs.length === 0) return !isTurned(textAt(source, program));
  // `if .sign == "-" then -1 else 1 end`
  return signs.every(({ branches: [first] }) => {
    const asksMinus =
      first !== undefined && /==\s*"-"|startswith\("-"\)/.test(textAt(first.condition, program));
    return asksMinus && /^\(?-/.test(textAt(first.body, program));
  });
}

/** An offset that is added to local time: JavaScript has it so. */
const toUtc = /\b(?:from local(?: time)? to|behind|to get) (?:utc|gmt)\b|\bJavaScript\b/i;

/** Whether the member that gets a time says that it is in UTC. */
const saysItsZone = ({ start, end }: Node, program: JqProgram): boolean =>
  nodesOfKind(program, "Entry").some(
    ({ key, value }) =>
      value !== undefined && value.start <= start && end <= value.end && /utc|gmt/i.test(nameOf(key) ?? ""),
  );

/** Whether the member that is written says that it is local time, or its title does. */
function isLocal({ start, end }: Node, program: JqProgram, model: Model): boolean {
  const [entry] = nodesOfKind(program, "Entry")
    .filter(({ value }) => value !== undefined && value.start <= start && end <= value.end)
    .sort((a, b) => b.start - a.start);
  const name = entry === undefined ? undefined : nameOf(entry.key);
  const { unit } = program.command;
  const title =
    name === undefined || unit?.kind !== "workflow" ? undefined : offeredTitles(unit, model).get(name);
  return /local|zone/i.test(`${name} ${title}`);
}

/** `.starts + .utc_offset * 60 | strftime("%H:%M")` */
function writtenBy({ stages }: Pipeline, program: JqProgram): readonly Written[] {
  const [first, ...rest] = stages;
  const at = rest.findIndex((stage) => stage.kind === "Call" && stage.name.text === "strftime");
  const writer = rest[at];
  if (first === undefined || writer?.kind !== "Call") return [];
  const rounds = rest
    .slice(0, at)
    .every((stage) => stage.kind === "Call" && /^(?:floor|round|ceil)$/.test(stage.name.text));
  const form = constantOf(writer.arguments[0]!);
  if (!rounds || typeof form !== "string" || ofUtc.test(form.replaceAll(/%./g, ""))) return [];
  const node = bare(first as Expression);
  if (node.kind === "Postfix") return [{ node, time: textAt(node, program), offset: undefined }];
  if (node.kind !== "Arithmetic" || node.rest.length !== 1) return [];
  const [{ operator, operand }] = node.rest as [(typeof node.rest)[0]];
  const offset = textAt(operand, program);
  const isOffset = (operator === "+" || operator === "-") && named.test(offset);
  return isOffset ? [{ node, time: textAt(node.first, program), offset }] : [];
}
