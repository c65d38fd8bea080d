import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, partAt, textAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { type Asked, askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { type Watermark, watermarksOf } from "../../../flow/protocol/watermarks.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { requestText } from "../pipeline/courses.ts";
import { caseOfNull } from "./null-kept.ts";

const skippedAhead = defineRule<{ key: string; command: string; asked: string; isSaid?: true }>({
  id: "polling/skipped-ahead",
  severity: "warning",
  summary: "The place to go on from is taken from elsewhere than from what was read",
  why: "A cycle may end at 1,000 results, and records come while it runs. If the next cycle begins where the service is by then, and not where reading came to, all records between are skipped for ever.",
  guards: ["polling.request", "polling.post_poll", "polling.polling_state", "D33"],
  message: ({ key, command, asked, isSaid }) =>
    isSaid
      ? `\`${key}\` becomes \`${asked}\`, which a comment says may be ahead of what was listed. What is between is never requested.`
      : `\`request\` moves \`${key}\` to what it has read, but \`${command}\` sets it to what \`${asked}\` says. Records between the two are never requested.`,
  because: ({ key, asked }) => [
    `the pages are read up to some \`${key}\``,
    `\`${asked}\` gives a later \`${key}\``,
    "the next cycle starts there and misses what is between",
  ],
  help: ({ key }) => `Keep the \`${key}\` that \`request\` found: \`\${polling_state.${key}}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!pipe": [{"!http": {"path": "/feed/head"}}, {"!jq": "{polling_state: {seq: .seq}}"}]}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params": '{"after": "${polling_state.seq}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {seq: ([.items[].seq, ${polling_state.seq}] | max)}}"',
      },
      bad: '{"!pipe": [{"!http": {"path": "/feed/head"}}, {"!jq": "{polling_state: {seq: «.seq»}}"}]}',
      good: '{"!jq": "{polling_state: {seq: ${polling_state.seq}}}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [skippedAhead],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const asked = askedBy(intake, model);
      if (asked !== undefined && hasComments(model)) tellSaid(intake, asked, report, model);
      if (asked === undefined || !asksBeside(intake, asked.requests, model)) return;
      const keys = new Set([...asked.reads.map(({ key }) => key), ...asked.through]);
      for (const key of keys) {
        if (boundName(key)?.end === "upper") continue;
        const marks = watermarksOf(intake, key, model) ?? [];
        if (!marks.some(isOfRecords)) continue;
        for (const mark of marks) {
          const from =
            isOfRecords(mark) || isEnd(mark, intake, asked, model) || isStart(mark, key, intake, model)
              ? undefined
              : aheadOf({ ...mark, node: newestOf(mark, key) ?? mark.node }, asked.requests, intake, model);
          if (from === undefined) continue;
          const { program, node, command } = mark;
          const at = { node: program.node, from: node.start, to: node.end };
          report(skippedAhead, at, { key, command, asked: requestText(from) });
        }
      }
    },
  },
};
export default module;

/** What is one ahead is the next one to be read. */
const ahead =
  /(?<!\bone )\bahead of\b|(?<!\bone )\bbeyond\b|\bnot (?:only )?(?:that |the one )?of the (?:last|page|list)|\b(?:highest|newest|latest|greatest|last) (?:\w+ )?(?:of any|of all|there is|at all)\b|\bmay be (?:another|that of another|of another)\b/;

/** A member of the list's own answer that a comment says to be further than the list. */
function tellSaid(intake: IntakeSymbol, asked: Asked, report: Report, model: Model): void {
  const request = intake.commands.get("request");
  const clauses =
    request === undefined ? [] : documentedClauses(request.node).filter(({ text }) => ahead.test(text));
  if (clauses.length === 0) return;
  for (const key of new Set(asked.reads.map((read) => read.key)))
    for (const { node, program, command, from } of watermarksOf(intake, key, model) ?? []) {
      const name = command === "request" && from === "other" ? nameOfValue(bare(node)) : undefined;
      const said = name === undefined ? undefined : clauses.find(({ text }) => isAhead(name, text));
      if (said === undefined) continue;
      const args = { key, command, asked: textAt(node, program), isSaid: true } as const;
      report(skippedAhead, partAt(program, node), args, [{ message: "the comment", at: said.comment }]);
    }
}

/** `head is the newest number of all, which may be ahead of the list`: what is ahead is what the sentence, or its part, begins with. */
function isAhead(name: string, text: string): boolean {
  const parts = text.split(/,\s/);
  const at = parts.findIndex((part) => ahead.test(part));
  const own = parts[at];
  if (own === undefined) return false;
  const subject = /^(?:which|that|and|but|so|it)\b/.test(own) ? parts.slice(0, at + 1).join(", ") : own;
  const before = subject.slice(0, subject.search(ahead));
  return (
    new RegExp(`^(?:the )?\\W?(?:\\w+\\.)?${escapedPattern(name)}(?!\\w)`, "i").test(before) &&
    !/\b(?:never|not|no)\b/.test(before)
  );
}

/** Whether a key gets what a record has, as the pages are read. */
const isOfRecords = ({ command, from, member }: Watermark): boolean =>
  command === "request" &&
  member !== undefined &&
  (from === "last" || from === "first" || from === "greatest");

/** Whether a mark is made as the end of a window, as a request gets it: what was read to its end goes on from there. */
function isEnd(
  { node, program, command }: Watermark,
  intake: IntakeSymbol,
  { reads }: Asked,
  model: Model,
): boolean {
  const own = (writesIn(intake, command, model) ?? []).filter((write) => write.program === program);
  return reads.some((read) => {
    if (boundName(paramOf(read) ?? read.key)?.end !== "upper") return false;
    return own.some(({ keys }) => {
      const value = keys.get(read.key);
      return value !== undefined && value.start <= node.start && node.end <= value.end;
    });
  });
}

/** Whether a mark is only set where there is none, and reading never takes it away: changes are read from there on, after all records. */
function isStart({ command, program }: Watermark, key: string, intake: IntakeSymbol, model: Model): boolean {
  const start = command === "pre_poll" ? caseOfNull(intake, key) : undefined;
  if (start === undefined) return false;
  const writes = writesIn(intake, "request", model) ?? [];
  if (writes.some(({ keys }) => mayBeNull(keys.get(key)))) return false;
  for (let at: Command | undefined = program.command; at !== undefined; at = at.parent)
    if (at === start) return true;
  return false;
}

/** Whether one way through an expression ends at a written null. */
function mayBeNull(node: Expression | undefined): boolean {
  const value = node && bare(node);
  if (value?.kind !== "If") return value !== undefined && constantOf(value) === null;
  return value.branches.some(({ body }) => mayBeNull(body)) || mayBeNull(value.otherwise);
}

/** Whether an intake asks for anything beside its list while it polls. */
const asksBeside = (intake: IntakeSymbol, requests: readonly Command[], model: Model): boolean =>
  requests.length > 1 ||
  partOfUnit(intake, model).commands.some((command) => {
    const outermost = command.key === "!http" ? outermostCommand(command) : undefined;
    return (
      outermost !== undefined &&
      ["pre_poll", "post_poll"].some((name) => intake.commands.get(name) === outermost)
    );
  });

/** The request whose answer gives a mark, where that asks for nothing by the state: it doesn't know what was read. */
function aheadOf(
  { node, program, command }: Watermark,
  requests: readonly Command[],
  intake: IntakeSymbol,
  model: Model,
): Command | undefined {
  const trails = trailsOf(flowOf(model), program, node);
  const [first] = trails;
  if (first?.origin.kind !== "response") return undefined;
  const { command: asked } = first.origin;
  const isOne = trails.every(({ origin }) => origin.kind === "response" && origin.command === asked);
  if (!isOne || outermostCommand(asked) !== intake.commands.get(command)) return undefined;
  if (!onlyReads(asked)) return undefined;
  // In `request` the list itself has the first word.
  if (command === "request" && requests[0] === asked) return undefined;
  const reads = partOfUnit(intake, model).expansions.some(
    (expansion) => expansion.command === asked && expansion.root !== "custom_data",
  );
  return reads ? undefined : asked;
}

/** What a place is moved to where it is smaller, if that is the newest one by its name: `[${polling_state.after}, .latest] | max`. */
function newestOf({ node, program }: Watermark, key: string): Expression | undefined {
  const made = bare(node);
  const [list, last, ...others] = made.kind === "Pipeline" ? made.stages : [];
  if (list?.kind !== "Array" || last?.kind !== "Call" || last.name.text !== "max" || others.length > 0)
    return undefined;
  const items = list.body?.kind === "Comma" ? list.body.items : [];
  const [item, ...more] = items.filter((each) => keptKey(each, program) !== key);
  if (item === undefined || more.length > 0 || items.length !== 2) return undefined;
  const value = bare(item);
  // The oldest one that is kept is where a reader has to go on that was away for too long.
  return value.kind === "Postfix" && isNewest.test(nameOfValue(value) ?? "") ? value : undefined;
}

const isNewest =
  /^(?:latest|newest|head|current|last|end|tip|highest)(?:$|_?(?:seq|id|position|offset|cursor|number|no|revision|version|index)$)/i;

/** Whether a request changes nothing: a GET, or a query of GraphQL. */
function onlyReads({ argument }: Command): boolean {
  if (/^get$/i.test(textOf(argument, "method") ?? "get")) return true;
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  return /^\s*(?:query\b|\{)/.test((body === undefined ? undefined : textOf(body, "query")) ?? "");
}
