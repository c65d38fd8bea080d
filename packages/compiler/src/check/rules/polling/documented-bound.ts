import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { defineRule } from "../../../findings/rule.ts";
import { unitsAround } from "../../../flow/counted.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { documentedSample } from "../../../flow/documented-samples.ts";
import { anyTime } from "../../../flow/documented-units.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { nodesIn, partAt, textAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { paramOf, type RequestRead, sentByName } from "../../../flow/protocol/request-reads.ts";
import { kindsWritten } from "../../../flow/protocol/state-kinds.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { watermarksOf } from "../../../flow/protocol/watermarks.ts";
import { isOfThePast, namesOtherRequest } from "../../../flow/said/of-others.ts";
import { type StringNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { takesBoth } from "./said-of-parameter.ts";

type Kind = "seconds" | "milliseconds" | "date";

const documentedBound = defineRule<{
  param: string;
  wanted: Kind;
  key: string;
  kind: Kind | "other date";
  member?: string;
}>({
  id: "polling/documented-bound",
  severity: "warning",
  summary: "A time is asked for in another form than a comment says",
  why: "A service that counts in milliseconds takes seconds for a day in January 1970 and lists everything in each cycle. The other way round nothing is ever new.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ param, wanted, key, kind, member }) =>
    `A comment says that \`${param}\` is ${described[wanted]}, but ${member === undefined ? "" : `here it gets \`${member}\`: `}\`polling_state.${key}\` ${member === undefined ? "is" : "becomes"} ${described[kind]}.`,
  because: ({ param, wanted, key, kind, member }) => [
    `\`${param}\`: ${described[wanted]}`,
    `\`${member ?? key}\`: ${described[kind]}`,
  ],
  help: ({ wanted }) => `Keep or send it ${wanted === "date" ? "as a date" : described[wanted]}.`,
  examples: [
    {
      title: "As it is set up",
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup",
      with: {
        "/data_intake/0/_comment": '"updated_since is in milliseconds."',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"page": "${polling_state.page}", "updated_since": "${polling_state.since}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"!jq": "{polling_state: {page: 1, since: «(now - 86400 | floor)»}}"}',
      good: '{"!jq": "{polling_state: {page: 1, since: ((now - 86400) * 1000 | floor)}}"}',
    },
    {
      title: "As a record has it",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/_comment":
          '"updated_since is in Unix seconds, changed_at of an item is an ISO time."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {since: (now - 86400 | floor)}}"}',
        "/data_intake/0/request/!pipe/0/!http/params": '{"updated_since": "${polling_state.since}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '"{results: .items, iterate: .has_more, polling_state: {since: ([${polling_state.since}, «.items[].changed_at»] | max)}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {since: ([${polling_state.since}, (.items[].changed_at | fromdate)] | max)}}"',
      samples: { world: { intakes: {} } },
    },
  ],
});

const described: Readonly<Record<Kind | "other date", string>> = {
  seconds: "in seconds",
  milliseconds: "in milliseconds",
  date: "a date",
  "other date": "a date that doesn't begin with its year",
};

const module: RuleModule = {
  rules: [documentedBound],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !hasComments(model) || !isReadable(intake, model)) return;
      const told = new Set<string>();
      for (const read of sentByName(intake, model)) {
        const param = paramOf(read);
        const wanted = param === undefined ? undefined : documentedKind(param, read, model);
        if (param === undefined || wanted === undefined) continue;
        if (isSaidOfOther(param, read, wanted) || takesBoth(param, read.command.node)) continue;
        const taken = takenFrom(read, wanted.kind, intake, model);
        if (taken !== undefined) {
          const { at, member, kind, comment } = taken;
          const args = { param, wanted: wanted.kind, key: read.key, kind, member };
          report(documentedBound, at, args, [
            { message: "the comment", at: wanted.comment },
            { message: `of \`${member}\``, at: comment },
          ]);
          continue;
        }
        const written = kindsWritten(intake, model).filter(({ key }) => key === read.key);
        // Where only some are of another kind, they are told as mixed.
        const [first] = written;
        if (first === undefined || told.has(read.key)) continue;
        const { kind } = first;
        if (written.some((each) => each.kind === wanted.kind)) continue;
        if (!isKind(kind) || !written.every((each) => isKind(each.kind))) continue;
        // What is said of records, or of all times, and is converted on its way into the state needn't hold for what is asked with; nor what is said
        // of the numbers in an export for the dates by which it is ordered.
        const isOrder = kind === "date" && outermostCommand(read.command) === intake.commands.get("pre_poll");
        if (!isNamed(param, wanted.comment) && (isOrder || convertsRecords(read.key, intake, model)))
          continue;
        const at = { node: first.program.node, from: first.value.start, to: first.value.end };
        const args = { param, wanted: wanted.kind, key: read.key, kind };
        told.add(read.key);
        report(documentedBound, at, args, [{ message: "the comment", at: wanted.comment }]);
      }
    },
  },
};
export default module;

const isKind = (kind: string): kind is Kind | "other date" => kind in described;

/** Whether the sentence of a parameter is of an old version, or of another request. */
function isSaidOfOther(
  param: string,
  { command }: RequestRead,
  { comment }: { comment: StringNode },
): boolean {
  const path = textOf(command.argument, "path");
  return documentedClauses(command.node).some(
    (clause) =>
      clause.comment === comment &&
      clause.text.includes(param) &&
      (isOfThePast(clause.text) || namesOtherRequest(clause.text, path)),
  );
}

const isNamed = (param: string, { value }: StringNode): boolean =>
  new RegExp(`(?<![\\w.])${escapedPattern(param)}(?!\\w)`).test(value);

/** Whether `request` makes another form of a time that records have, before it keeps it. */
const convertsRecords = (key: string, intake: IntakeSymbol, model: Model): boolean =>
  (watermarksOf(intake, key, model) ?? []).some(
    ({ node, program, command }) =>
      command === "request" && /date\b|mktime|strftime|[*/] ?1000\b/.test(textAt(node, program)),
  ) ||
  (writesIn(intake, "request", model) ?? []).some(({ keys, program }) => {
    const value = keys.get(key);
    return (
      value !== undefined && /\b(?:to|from)date\b|mktime|strftime|[*/] ?1000\b/.test(textAt(value, program))
    );
  });

/** What makes another form of a time, or may. */
const converts =
  /\b(?:from|to)date|mktime|str[fp]time|\bto(?:number|string)\b|[*/:$]|\b(?:floor|round|sub|gsub|split|map|reduce)\b/;

/** A member of a record that a key gets as it is, though comments say that it has another form than what is asked for. */
function takenFrom(read: RequestRead, wanted: Kind, intake: IntakeSymbol, model: Model) {
  for (const { member, node, program, command } of watermarksOf(intake, read.key, model) ?? []) {
    if (command !== "request" || member === undefined) continue;
    const paths = nodesIn(node).filter(
      (each): each is Extract<Expression, { kind: "Postfix" }> =>
        each.kind === "Postfix" && lastName(each) === member,
    );
    const [path, ...others] = paths;
    const text = textAt(node, program)
      .replaceAll(member, "")
      .replace(/\$[{<][^}>]*[}>]/g, "");
    if (path === undefined || others.length > 0 || converts.test(text)) continue;
    const said = documentedKind(member, read, model);
    if (said !== undefined && said.kind !== wanted) return { at: partAt(program, path), member, ...said };
  }
  return undefined;
}

/** How a parameter is written by what comments show or say of it, or of all times. */
export function documentedKind(
  param: string,
  { command }: RequestRead,
  model: Model,
): { readonly kind: Kind; readonly comment: StringNode } | undefined {
  // `updated_from` is a bound of `updated_at`, `after_settled_at` one of `settled_at`.
  const subject = boundName(param)?.subject;
  const names = subject === undefined ? [param] : [param, subject, `${subject}_at`];
  const shown = names.map((name) => documentedSample(name, command.node)).find((each) => each !== undefined);
  if (shown !== undefined) {
    const { value, comment } = shown;
    if (typeof value === "number") return { kind: value > 1e11 ? "milliseconds" : "seconds", comment };
    return /^\d{4}-\d\d-\d\d/.test(value) ? { kind: "date", comment } : undefined;
  }
  const units = unitsAround(command, model);
  const said =
    units?.(param) ??
    (subject === undefined
      ? undefined
      : (units?.(subject) ??
        units?.(`${subject}_at`) ??
        otherEnds(subject, param, command)
          .map((other) => units?.(other))
          .find((each) => each !== undefined) ??
        units?.(anyTime)));
  if (said !== undefined) return isKind(said.unit) ? { kind: said.unit, comment: said.comment } : undefined;
  const clause = documentedClauses(command.node).find(({ text }) =>
    names.some((name) => name !== "" && saysDate(name, text)),
  );
  return clause === undefined ? undefined : { kind: "date", comment: clause.comment };
}

/** The names under which the request sends the other end of the same window: both are written in one form. */
function otherEnds(subject: string, param: string, { argument }: RequestRead["command"]): readonly string[] {
  const parts = ["params", "body"].map((name) =>
    argument?.kind === "object" ? argument.get(name) : undefined,
  );
  return parts.flatMap((part) =>
    part?.kind === "object"
      ? part.members.flatMap(({ name }) =>
          name !== param && subject !== "" && boundName(name)?.subject === subject ? [name] : [],
        )
      : [],
  );
}

/** `changed_at is an ISO time in UTC`, `since takes RFC 3339` */
const saysDate = (name: string, text: string): boolean =>
  new RegExp(
    String.raw`(?<![\w.])${escapedPattern(name)}\W{0,2}(?: of (?:an?|the|each|every) \w+)? (?:is|are|comes|takes|wants|has|holds|gives)(?: (?!not\b|never\b)\w+){0,3} (?:ISO|RFC ?3339|date-times?|DateTime)\b|(?<![\w.])${escapedPattern(name)} \((?:an? )?(?:ISO|RFC ?3339)\b`,
  ).test(text);
