import type { Expression, ObjectEntry } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { unitOf } from "../../../flow/counted.ts";
import { clausesOf } from "../../../flow/documented-clauses.ts";
import { commentsAround, commentsAt, hasComments } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { durationsIn } from "../../../flow/said-durations.ts";
import { unitOfName } from "../../../flow/unit.ts";
import { spanOf } from "../../../parse/document.ts";
import type { SyntaxNode } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";

const documentedSpan = defineRule<{ text: string; seconds: number; said: string; instead: string }>({
  id: "value/documented-span",
  severity: "warning",
  summary: "A length of time has another unit than a comment says",
  why: "A comment says that an offer is held for three days. With the seconds of an hour instead of those of a day it is over in three hours, and nothing fails.",
  guards: ["command.!jq", "D3"],
  message: ({ text, seconds, said }) => `\`${text}\` is ${shown(seconds)}, but the config says “${said}”.`,
  because: ({ text, seconds, said }) => [`\`${text}\`: ${shown(seconds)}`, `said: “${said}”`],
  help: ({ instead }) => `Write \`${instead}\`.`,
  fixes: ({ at, args: { instead } }, { document }) => [
    {
      title: `Write \`${instead}\``,
      safe: false,
      edits: [{ ...spanOf(document, at), newText: instead }],
    },
  ],
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: { "/workflows/0/data_pipeline/_comment": '"The offer is held for three days."' },
      bad: '{"!pipe": [{"!jq": "{email: .email, hold_until: (now + «3 * 3600» | todate)}"}, {"!http": {"method": "POST", "path": "/offers", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, hold_until: (now + 3 * 86400 | todate)}"}, {"!http": {"method": "POST", "path": "/offers", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: .email, hold_until: (now + 3 * 86400 | todate)}"}, {"!http": {"method": "POST", "path": "/offers", "body": "${piped_content.1}"}}]}',
    },
    {
      title: "How many",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"_comment": "An invitation stands for seven days.", "!jq": "{email: .email, expires_at: (now + «86400» | floor)}"}, {"!http": {"method": "POST", "path": "/invitations", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"_comment": "An invitation stands for seven days.", "!jq": "{email: .email, expires_at: (now + 7 * 86400 | floor)}"}, {"!http": {"method": "POST", "path": "/invitations", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"_comment": "An invitation stands for seven days.", "!jq": "{email: .email, expires_at: (now + 7 * 86400 | floor)}"}, {"!http": {"method": "POST", "path": "/invitations", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [documentedSpan],
  checks: {
    // What a time counts may come from another part.
    reach: "saved",
    program(program, report, model) {
      const { node, command, diagnostics } = program;
      if (diagnostics.length > 0 || !command.place.name.startsWith("data_pipeline.")) return;
      tellNamed(program, report, model);
      if (!ofClock.test(node.value)) return;
      for (const { first, rest } of nodesOfKind(program, "Arithmetic"))
        for (const { operator, operand } of rest) {
          const span = operator === "+" || operator === "-" ? spanWritten(operand) : undefined;
          if (span === undefined) continue;
          const said =
            otherUnit(span, operand, program, model) ?? withoutCount(span, operand, program, model);
          if (said === undefined || unitOf(first, program)?.unit !== "seconds") continue;
          const text = textAt(bare(operand), program);
          report(documentedSpan, partAt(program, bare(operand)), { text, seconds: span.seconds, ...said });
        }
    },
  },
};
export default module;

/** `{lifetime_seconds: 2880}`, where a comment says two days: as many minutes. */
function tellNamed(program: JqProgram, report: Report, model: Model): void {
  if (!hasComments(model) || !/(?:seconds|secs|minutes|mins|hours|days)"?\s*:\s*\d/i.test(program.node.value))
    return;
  for (const { key, value } of nodesOfKind(program, "Entry")) {
    const name = nameOf(key);
    const count = value === undefined ? undefined : numberOf(value);
    const unit = name === undefined ? undefined : unitOfName(name);
    const own = unit === undefined ? undefined : inSeconds[unit];
    if (own === undefined || count === undefined || value === undefined || count < 2) continue;
    const texts = textsAround(program, model, false);
    if (texts.some((text) => durationsIn(text).includes(count * own))) continue;
    const others = [1, ...units].filter((each) => each !== own);
    const said = texts.find((text) => others.some((each) => durationsIn(text).includes(count * each)));
    const length = said === undefined ? undefined : durationsIn(said)[0];
    if (said === undefined || length === undefined) continue;
    const text = textAt(value, program);
    const args = { text, seconds: count * own, said: plain(said), instead: `${length / own}` };
    report(documentedSpan, partAt(program, value), args);
  }
}

const inSeconds: Readonly<Record<string, number>> = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };

/** The seconds of a minute, an hour, a day and a week. */
const units = [60, 3_600, 86_400, 604_800] as const;
const names: Readonly<Record<number, string>> = { 60: "minute", 3600: "hour", 86400: "day", 604800: "week" };
const ofClock = /[+-]\s*\(?[\d\s*]*(?:60|3600|86400|604800)\b/;

/** As people say it. */
function shown(seconds: number): string {
  const unit = units.findLast((each) => seconds % each === 0) ?? 1;
  const count = seconds / unit;
  return `${count} ${names[unit] ?? "second"}${count === 1 ? "" : "s"}`;
}

/** `28 * 86400`, and `86400` alone. */
interface Span {
  readonly seconds: number;
  readonly count: number;
  readonly unit: number;
}

function spanWritten(operand: Expression): Span | undefined {
  const node = bare(operand);
  const factors =
    node.kind === "Arithmetic" && node.rest.every(({ operator }) => operator === "*")
      ? [node.first, ...node.rest.map((each) => each.operand)].map(numberOf)
      : [numberOf(node)];
  const unit = factors.findLast((each) => each !== undefined && names[each] !== undefined);
  const seconds = factors.reduce<number>((all, each) => all * (each ?? Number.NaN), 1);
  if (unit === undefined || !Number.isInteger(seconds)) return undefined;
  return { seconds, unit, count: seconds / unit };
}

/** What is said that is as many of another unit. */
function otherUnit(
  { seconds, count, unit }: Span,
  operand: Expression,
  program: JqProgram,
  model: Model,
): { said: string; instead: string } | undefined {
  if (count < 2) return undefined;
  // So many hours may be how far a place's clock is from UTC, whatever customers choose.
  const isOffset = unit === 3_600 && count <= 14 && !isEnd(operand, program);
  const texts = textsAround(program, model, !isOffset);
  if (texts.some((text) => durationsIn(text).includes(seconds))) return undefined;
  const others = units.filter((each) => each !== unit);
  for (const text of texts) {
    const lengths = durationsIn(text);
    const other = others.find((each) => lengths.includes(count * each));
    if (other !== undefined) return { said: plain(text), instead: `${count} * ${other}` };
  }
  return undefined;
}

/** The clauses of the comments around a program, and, where they are wanted, what customers choose by a word. */
function textsAround(
  { node, command: { unit } }: JqProgram,
  model: Model,
  withOptions: boolean,
): readonly string[] {
  const said = hasComments(model) ? commentsAround(node, []).flatMap(({ value }) => clausesOf(value)) : [];
  const fields = withOptions && unit?.kind === "workflow" ? unit.fields : [];
  const options = fields.flatMap((field) =>
    staticOptions(field).flatMap(({ value, display }) => (Number.isNaN(Number(value)) ? [display] : [])),
  );
  return [...said, ...options].filter((text) => ofLength.test(text));
}

const plain = (clause: string): string => clause.trim().replace(/[.;]+$/, "");

const ofLength = /\b(?:minute|hour|day|week)s?\b/i;

/** What the comment of the step says that has several of the unit that stands alone: `now + 86400`, where it stands for seven days. */
function withoutCount(
  { seconds, count, unit }: Span,
  operand: Expression,
  program: JqProgram,
  model: Model,
): { said: string; instead: string } | undefined {
  if (count !== 1 || unit < 3_600 || !hasComments(model) || !isEnd(operand, program)) return undefined;
  const own = ownComments(program.node).flatMap((text) => clausesOf(text));
  const clauses = own.filter((text) => ofLength.test(text));
  const [clause, ...others] = clauses;
  const [length, ...more] = clause === undefined ? [] : durationsIn(clause);
  if (clause === undefined || length === undefined || others.length + more.length > 0) return undefined;
  const times = length / seconds;
  if (!Number.isInteger(times) || times < 2 || !ofEnd.test(clause)) return undefined;
  // “At least” and “within” leave the length to the config.
  return loosely.test(clause) ? undefined : { said: plain(clause), instead: `${times} * ${unit}` };
}

/** The comments of the command itself. */
function ownComments(node: SyntaxNode): readonly string[] {
  const holder = node.parent?.parent;
  return holder?.kind === "object" ? commentsAt(holder).map(({ value }) => value) : [];
}

const ofEnd =
  /\b(?:stands?|valid|held|holds?|kept|keeps?|lives?|lasts?|open|good|runs?|ends?|expires?|due)\b/i;
const loosely =
  /\b(?:at (?:least|most|the latest)|within|up to|no (?:more|less|later)|longest|maximum|minimum|before|after)\b/i;

/** Whether a value goes under the name of an end: `expires_at`, `valid_until`. */
function isEnd({ start, end }: Expression, program: JqProgram): boolean {
  const isAround = ({ value }: ObjectEntry): boolean =>
    value !== undefined && value.start <= start && end <= value.end;
  const entry = nodesOfKind(program, "Entry").findLast(isAround);
  const words = wordsOf((entry === undefined ? undefined : nameOf(entry.key)) ?? "");
  return words.some((word) =>
    /^(?:expir\w+|valid|until|till|end|ends|due|deadline|closes?|hold)$/.test(word),
  );
}
