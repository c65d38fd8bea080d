import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesIn, partAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { onlyOutcome } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { watermarksOf } from "../../../flow/protocol/watermarks.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { isOfLastRead } from "./documented-place.ts";

const headWatermark = defineRule<{ key: string; name: string; isOfKey: boolean }>({
  id: "polling/head-watermark",
  severity: "warning",
  summary: "A poll goes on from the newest record of the whole list instead of from the last one it read",
  why: "An answer has one page of records. If the next request begins behind the newest record there is, everything between the end of the page and that record is never read.",
  guards: ["polling.polling_state", "polling.iterate", "D33"],
  message: ({ key, name, isOfKey }) =>
    isOfKey
      ? `\`${key}\` becomes \`${name}\` of the whole answer. A comment says that it is of the last record that was read: what stands behind this page is skipped.`
      : `\`${key}\` becomes \`${name}\`, which a comment says is of the whole list. What stands behind this page is skipped.`,
  because: ({ name }) => [
    "page 1 has the first records of many",
    `the next request begins behind \`${name}\`: the others are never read`,
  ],
  help: () => "Keep the place of the last record of this page.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/_comment": '"head_seq is the number of the newest entry of the whole list."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after_seq: 0}}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"after_seq": "${polling_state.after_seq}", "limit": 200}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '"{results: .items, iterate: ((.items | length) == 200), polling_state: {after_seq: («.head_seq» // ${polling_state.after_seq})}}"',
      good: '"{results: .items, iterate: ((.items | length) == 200), polling_state: {after_seq: (.items[-1].seq // ${polling_state.after_seq})}}"',
    },
    {
      title: "The newest of what is polled",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/_comment": '"head is the number of the newest entry of the site."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after_seq: 0}}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"after_seq": "${polling_state.after_seq}", "limit": 200}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '"(.items[-1].seq // ${polling_state.after_seq}) as $seq | {results: .items, iterate: ($seq < .head), polling_state: {after_seq: «.head»}}"',
      good: '"(.items[-1].seq // ${polling_state.after_seq}) as $seq | {results: .items, iterate: ($seq < .head), polling_state: {after_seq: $seq}}"',
    },
    {
      title: "Only where there are records",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/_comment": '"latest_seq is the account’s, not the page\'s."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after_seq: 0}}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"after_seq": "${polling_state.after_seq}", "limit": 200}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '"(if (.items | length) > 0 then «.latest_seq» else ${polling_state.after_seq} end) as $last | {results: .items, iterate: ((.items | length) == 200), polling_state: {after_seq: $last}}"',
      good: '"(if (.items | length) > 0 then .items[-1].seq else ${polling_state.after_seq} end) as $last | {results: .items, iterate: ((.items | length) == 200), polling_state: {after_seq: $last}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [headWatermark],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !hasComments(model) || !isReadable(intake, model)) return;
      const iterate = onlyOutcome(intake, model)?.members.get("iterate");
      if (iterate === undefined || constantOf(iterate) === false) return;
      const sent = new Set(askedBy(intake, model)?.reads.map(({ key }) => key));
      for (const { keys, program } of writesIn(intake, "request", model) ?? []) {
        // A step's own comment says what its answer has.
        const clauses = documentedClauses(program.node, []);
        for (const [key, value] of keys) {
          const read = readFor(value, program);
          const name =
            read.kind === "Postfix" && read.head.kind === "Identity" ? nameOfValue(read) : undefined;
          const isPlain = read.kind === "Postfix" && read.suffixes.every(({ kind }) => kind === "Field");
          if (name === undefined || !isPlain || !sent.has(key)) continue;
          const said = clauses.find(({ text }) =>
            text
              .split(nextFact)
              .some(
                (fact) =>
                  new RegExp(`\\b${escapedPattern(name)}\\b`).test(fact) &&
                  (ofWhole.test(fact) || (isHead.test(name) && isNewestOf(fact))),
              ),
          );
          const isNamed = clauses.some(({ text }) => namesAlone(name, text));
          const lastRead =
            said === undefined && isHead.test(name)
              ? clauses.find(({ text }) => isOfLastRead(key, text) || (!isNamed && goesOnFromLast(text)))
              : undefined;
          const clause = said ?? lastRead;
          if (clause !== undefined)
            report(headWatermark, partAt(program, read), { key, name, isOfKey: lastRead !== undefined }, [
              { message: "the comment", at: clause.comment },
            ]);
        }
      }
      tellAtEnd(intake, sent, report, model);
    },
  },
};
export default module;

/**
 * The number of the newest record there is, which the end of a cycle makes the place to go on from: a comment says what it is, and that a cycle
 * may stop before it.
 */
function tellAtEnd(intake: IntakeSymbol, sent: ReadonlySet<string>, report: Report, model: Model): void {
  for (const { keys, program } of writesIn(intake, "post_poll", model) ?? [])
    for (const [key, value] of keys) {
      const read = readFor(value, program);
      const name = read.kind === "Postfix" && read.head.kind === "Identity" ? nameOfValue(read) : undefined;
      if (name === undefined || !sent.has(key) || !isHead.test(name)) continue;
      const ways = watermarksOf(intake, key, model) ?? [];
      if (
        !ways.some(({ command, from }) => command === "request" && (from === "last" || from === "greatest"))
      )
        continue;
      const clauses = documentedClauses(program.node);
      const named = new RegExp(`(?<![\\w.])${escapedPattern(name)}(?!\\w)`);
      const clause = clauses.find(({ text }) => named.test(text) && endsBefore.test(text));
      if (clause === undefined) continue;
      report(headWatermark, partAt(program, read), { key, name, isOfKey: false }, [
        { message: "the comment", at: clause.comment },
      ]);
    }
}

/** `A cycle may stop before head`, `the limits may end a cycle short of head` */
const endsBefore =
  /\b(?:stops?|ends?|ended|stopped|finish(?:es)?|cut|breaks? off)\b[^.;]{0,30}\b(?:before|short of|ahead of)\b/i;

const DEEPEST = 5;

/** What a key becomes where there are records: of `if (.rows | length) > 0 then .head else ${polling_state.after} end` the first. */
function readFor(value: Expression, program: JqProgram, depth = 0): Expression {
  const node = bare(value);
  if (depth > DEEPEST) return node;
  const within = (each: Expression): Expression => readFor(each, program, depth + 1);
  switch (node.kind) {
    case "Alternative":
      return within(node.operands[0]!);
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? node : within(source);
    }
    case "If": {
      const [branch, ...others] = node.branches;
      if (branch === undefined || others.length > 0 || node.otherwise === undefined) return node;
      const asked = askedForRecords(branch.condition);
      const [taken, other] = asked === true ? [branch.body, node.otherwise] : [node.otherwise, branch.body];
      return asked === undefined || stateDependence(program, [other]).input ? node : within(taken);
    }
    default:
      return node;
  }
}

/** Whether a condition holds where there are records, `(.rows | length) > 0`, or where there are none; undefined if it asks for something else. */
function askedForRecords(condition: Expression): boolean | undefined {
  const node = bare(condition);
  if (node.kind !== "Comparison") return undefined;
  const counted = nodesIn(node.left).some((each) => each.kind === "Call" && each.name.text === "length");
  const right = constantOf(node.right);
  const isNothing = counted ? right === 0 : Array.isArray(right) && right.length === 0;
  if (!isNothing) return undefined;
  return node.operator === "==" ? false : node.operator === ">" || node.operator === "!=" ? true : undefined;
}

const ofWhole =
  /\b(?:newest|latest|last|highest)\b.{0,40}\b(?:whole|entire|all|overall)\b|\b(?:newest|latest|last|head|highest)[ _A-Z].{0,40}\bnot (?:of )?(?:the|this) page(?:'s)?(?=[.;,)]|$)/i;

/** `head is the number of the newest entry of the site`: of what is polled, and not of a page of it. */
const isNewestOf = (fact: string): boolean =>
  newestOf.test(fact) && !ofPage.test(fact.replace(whetherRead, ""));
const whetherRead = /,? (?:whether )?(?:it was )?(?:read|seen|here|given|sent) (?:yet )?or not\b/i;
const newestOf =
  /\b(?:newest|latest|highest|last|most recent) (?:\w+ )?(?:record|entry|item|event|change|row|one|number|seq|sequence|id)\b (?:there is\b|(?:that )?exists?\b|(?:of|in|at) (?:the|an?|its|this|that) \w+|of all\b|(?:that )?(?:the|an?|its|this|that|our|your) \w+ (?:has|holds|knows)\b)/i;
const ofPage =
  /\b(?:page|answer|response|batch|result|reply|list|array|request|call|read|sent|given|returned|here|so far|at most)s?\b/i;

/** `Go on with next_token, head_seq is the newest …` says two things. */
const nextFact = /,\s+(?=(?:and |but |while )?["'`]?[A-Za-z]\w{0,60}["'`]?(?: is\b| are\b| has\b|:| =))/;

/** A member of the whole answer that is of the newest record there is. */
const isHead = /^(?:newest|latest|head|highest|top|tip)(?:$|_|[A-Z])/;

const record = "(?:record|entry|item|event|change|row|job|order|message|update|one|element|object|result)";
/** Where it is said to go on: after the last record that was read, of the page, or with the token of the last page. */
const lastRead = new RegExp(
  String.raw`\blast (?:\w+ )?${record}(?:'s \w+)?\b(?: (?:that )?(?:we |was |were )?(?:read|seen|handed|processed|received|got|have|passed)\b| (?:of|on|in) (?:the|this|each|a) (?:page|answer|batch|response)\b|'s\b|(?=[.;,]|$))|\b(?:\w{0,30}(?:token|cursor)|bookmark|one|link) (?:of|from|that came with|on|in|that) the last (?:page|answer|response)\b|\blast (?:page|answer|response)'s (?:\w+ )?(?:token|cursor)\b`,
  "i",
);
/** What goes on: a verb of going on, or what a parameter takes. */
const goesOn =
  /\b(?:go(?:es)? on|continues?|resumes?|carr(?:y|ies) on|picks? up|next (?:poll|call|request|cycle|page)|polling|starts? (?:from|after|behind|at|with)|pass|send|use|takes?|wants?|the one|position|since|place|watermark)\b/i;
/** Of something else, or of nothing. */
const ofOther =
  /\b(?:not|never|no|isn't|doesn't|don't|may|can)\b(?! the newest| from the newest| the latest| from the latest)|\b(?:time|clock|date) of the last\b|\b(?:feed|list|stream|log|history) of [a-z]+s\b/i;

/** `The next poll goes on after the last record read`, `Use the cursor of the last page in the next call` */
const goesOnFromLast = (text: string): boolean =>
  lastRead.test(text) && goesOn.test(text) && !ofOther.test(text);

/** Whether a clause says something of a member, whatever it is: `latest_id is the last id of this page`. Where it is shown in a record, nothing is. */
const namesAlone = (name: string, text: string): boolean =>
  new RegExp(`(?<![\\w$])${escapedPattern(name)}(?![\\w$])`).test(text.replace(/\{[^{}]*\}/g, ""));
