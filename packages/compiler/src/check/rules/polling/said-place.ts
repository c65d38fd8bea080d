import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type DocumentedClause, documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { NOW } from "../../../flow/machine/evaluate.ts";
import { stateAfter, worldOf } from "../../../flow/machine/intake-world.ts";
import { record, run } from "../../../flow/machine/run.ts";
import { memberOf, resolved, UNKNOWN, type Value } from "../../../flow/machine/value.ts";
import { bare, partAt, textAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { boundName, wordsOf } from "../../../flow/protocol/bound-names.ts";
import { lastName, waysOf } from "../../../flow/protocol/forms.ts";
import { mayGoOn } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { ownInputs } from "../../../flow/protocol/stage-before.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { watermarksOf } from "../../../flow/protocol/watermarks.ts";
import { isOfThePast, namesOtherRequest } from "../../../flow/said/of-others.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { sentKeys } from "./cut-places.ts";
import { goesByMember } from "./said-of-parameter.ts";

const feed = {
  in: "inbound-polling",
  at: "/data_intake/0/request/!pipe/1/!jq",
} as const;
const world = (
  comment: string,
  state: string,
  params: string,
): Readonly<Record<string, string | undefined>> => ({
  "/data_intake/0/_comment": JSON.stringify(comment),
  "/data_intake/0/initial_setup": `{"!jq": "{polling_state: ${state}}"}`,
  "/data_intake/0/pre_poll": undefined,
  "/data_intake/0/post_poll": undefined,
  "/data_intake/0/request/!pipe/0/!http/params": params,
});

const otherNumber = defineRule<{
  name: string;
  member: string;
  by: string;
  isOfEach: boolean;
  isOfParent?: true;
  isSorted?: true;
}>({
  id: "polling/other-number",
  severity: "warning",
  summary: "A place in a list is taken from another member of a record than the one that it goes by",
  why: "What comes next is told by one number or time of the records. Another one, such as the id of something that the record is about, is a place elsewhere in the list or beyond its end: records are left out or come again.",
  guards: ["polling.polling_state", "polling.request", "D3", "D33"],
  message: ({ name, member, by, isOfEach, isOfParent, isSorted }) =>
    isSorted
      ? `The list is asked for in the order of \`${by}\`, and \`${name}\` is called after it, but becomes \`${member}\` of a record.`
      : isOfParent
        ? `The list is that of one ${by}, so \`${member}\` is the same in all its records, and \`${name}\` says nothing of the last one.`
        : isOfEach
          ? `A comment says that each record has \`${by}\`, which nothing reads. \`${name}\` becomes \`${member}\` of something in the record.`
          : `A comment says that \`${name}\` goes by \`${by}\`, but it becomes \`${member}\` of a record.`,
  because: ({ name, by }) => [
    `the service compares \`${name}\` with \`${by}\``,
    "what is sent is no such place",
  ],
  help: ({ by, isOfParent }) => (isOfParent ? "Take the record's own id." : `Take \`${by}\` of the record.`),
  examples: [
    {
      ...feed,
      with: world(
        "Orders with version > after, in that order.",
        "{after: 0}",
        '{"after": "${polling_state.after}", "limit": 50}',
      ),
      bad: '"{results: .items, iterate: .more, polling_state: {after: («.items[-1].customer_id» // ${polling_state.after})}}"',
      good: '"{results: .items, iterate: .more, polling_state: {after: (.items[-1].version // ${polling_state.after})}}"',
      samples: { world: { intakes: {} } },
    },
    {
      title: "Of something in the record",
      ...feed,
      with: world(
        "Every entry has a seq; after is exclusive.",
        "{after: 0}",
        '{"after": "${polling_state.after}", "limit": 50}',
      ),
      bad: '"{results: .items, iterate: .more, polling_state: {after: ((«.items | last | .order.id») // ${polling_state.after})}}"',
      good: '"{results: .items, iterate: .more, polling_state: {after: ((.items | last | .seq) // ${polling_state.after})}}"',
      samples: { world: { intakes: {} } },
    },
    {
      title: "In the order of another member",
      ...feed,
      with: world(
        "At most 50 claims.",
        "{after_number: 0}",
        '{"after_number": "${polling_state.after_number}", "sort": "number", "limit": 50}',
      ),
      bad: '"{results: .items, iterate: (.items | length == 50), polling_state: {after_number: («.items[-1].id» // ${polling_state.after_number})}}"',
      good: '"{results: .items, iterate: (.items | length == 50), polling_state: {after_number: (.items[-1].number // ${polling_state.after_number})}}"',
      samples: { world: { intakes: {} } },
    },
  ],
});

const splitPlace = defineRule<{ key: string; from: string; other: string }>({
  id: "polling/split-place",
  severity: "warning",
  summary: "Of two keys that are one place, only one is taken from the last record",
  why: "A list that goes on behind a pair, such as a time and an id, needs both of one record. With the end of the window as the time, all that lies between the record and that end is left out.",
  guards: ["polling.polling_state", "polling.request", "D3", "D33"],
  message: ({ key, from, other }) =>
    `A comment names \`${key}\` and \`${other}\` as one place. \`${other}\` becomes that of the last record, but \`${key}\` becomes \`${from}\`.`,
  because: ({ from, other }) => [
    `page 1 ends with a record long before \`${from}\``,
    `page 2 is asked for behind \`${from}\` and \`${other}\`: what lies between is never read`,
  ],
  help: () => "Take both of the last record.",
  examples: [
    {
      ...feed,
      with: {
        ...world(
          "{at, id} is the last item that we have. until is the end of the window.",
          '{at: \\"2020-01-01T00:00:00Z\\", id: 0, until: null}',
          '{"after_time": "${polling_state.at}", "after_id": "${polling_state.id}", "before": "${polling_state.until}", "limit": 50}',
        ),
        "/data_intake/0/pre_poll":
          '{"!jq": "{polling_state: (${polling_state} + {until: (now - 300 | floor | todate)})}"}',
      },
      bad: '".items[-1] as $last | {results: .items, iterate: .more, polling_state: (${polling_state} + (if $last == null then {} else {at: «${polling_state.until}», id: $last.id} end))}"',
      good: '".items[-1] as $last | {results: .items, iterate: .more, polling_state: (${polling_state} + (if $last == null then {} else {at: $last.changed_at, id: $last.id} end))}"',
      samples: { world: { intakes: {} } },
    },
  ],
});

const skipsOldest = defineRule<{ name: string; text: string }>({
  id: "polling/skips-oldest",
  severity: "warning",
  summary: "Reading begins behind the oldest record, which is then never read",
  why: "A bound that is exclusive begins behind what it is given. Given the number of the oldest record there is, the first request has all records but that one.",
  guards: ["polling.initial_setup", "polling.polling_state", "D3", "D33"],
  message: ({ name, text }) =>
    `A comment says that \`${text}\` is a record that exists. \`${name}\` asks for what is behind it, so that one is never read.`,
  because: ({ text }) => [`\`${text}\`: 7, the oldest record`, "the first request gets 8 and on"],
  help: ({ text }) => `Begin one before it: \`${text} - 1\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup",
      with: {
        ...world(
          "oldest is the seq of the first entry that exists; after=N gives what is behind N.",
          "{}",
          '{"after": "${polling_state.after}", "limit": 50}',
        ),
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .more, polling_state: {after: (.items[-1].seq // ${polling_state.after})}}"',
      },
      bad: '{"!pipe": [{"!http": {"path": "/feed/bounds"}}, {"!jq": "{polling_state: {after: «.oldest»}}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/feed/bounds"}}, {"!jq": "{polling_state: {after: (.oldest - 1)}}"}]}',
      samples: { world: { intakes: {} } },
    },
  ],
});

const otherDay = defineRule<{ key: string; said: string; day: string }>({
  id: "polling/other-day",
  severity: "warning",
  summary: "A key of the state is another day than a comment says",
  why: "A day that isn't over yet still gets records. If it counts as read, what comes later on that day is never asked for.",
  guards: ["polling.pre_poll", "polling.polling_state", "D3", "D33"],
  message: ({ key, said, day }) => `A comment says that \`${key}\` is ${said}, but this gives ${day}.`,
  because: ({ said, day }) => [`the comment: ${said}`, `on 1 January at noon this is ${day}`],
  help: ({ said }) => `Take ${said}.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/_comment":
          '"A day is complete at midnight, so the last day that we read is yesterday."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {page: 1, last_day: null}}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"to_day": "${polling_state.last_day}", "page": "${polling_state.page}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (if .has_more then ${polling_state.page} + 1 else 1 end)})}"',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"!jq": "{polling_state: (${polling_state} + {last_day: («now | todate | .[0:10]»)})}"}',
      good: '{"!jq": "{polling_state: (${polling_state} + {last_day: (now - 86400 | todate | .[0:10])})}"}',
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [otherNumber, splitPlace, skipsOldest, otherDay],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      if (tellOtherOrder(intake, report, model) || !hasComments(model)) return;
      const request = intake.commands.get("request");
      if (request === undefined) return;
      const asked = askedBy(intake, model)?.requests[0] ?? request;
      const path = textOf(asked.argument, "path");
      const clauses = documentedClauses(asked.node).filter(
        ({ text }) => !isOfThePast(text) && !namesOtherRequest(text, path),
      );
      if (clauses.length === 0) return;
      tellOtherNumber(intake, clauses, report, model);
      tellSplitPlace(intake, clauses, report, model);
      tellSkipsOldest(intake, clauses, report, model);
      tellOtherDay(intake, clauses, report, model);
    },
  },
};
export default module;

/**
 * A place that is called after the member by which the list is asked for, `after_number` beside `sort: number`, and is taken from the id of the
 * last record.
 */
function tellOtherOrder(intake: IntakeSymbol, report: Report, model: Model): boolean {
  const sent = sentKeys(intake, model);
  if (sent.length === 0) return false;
  const [order, ...others] = ordersAsked(intake, model);
  if (order === undefined || others.length > 0) return false;
  const by = wordsOf(order).filter((word) => !/^(?:asc|ascending)$/.test(word));
  const isFalling = order.startsWith("-") || by.some((word) => /^(?:desc|descending)$/.test(word));
  if (by.length === 0 || isFalling) return false;
  for (const { key, param } of sent) {
    if (boundName(param)?.end !== "lower" || boundName(param)?.subject !== by.join(" ")) continue;
    const ways = watermarksOf(intake, key, model) ?? [];
    if (ways.some(({ member }) => member !== undefined && wordsOf(member).some((word) => by.includes(word))))
      continue;
    for (const { command, from, member, node, program } of ways) {
      // Times are told by a rule of their own, and what is called in other words may be the same.
      if (command !== "request" || from !== "last" || member === undefined || !/^(?:\w+_)?id$/.test(member))
        continue;
      const name = order.replace(/^\+/, "");
      report(otherNumber, partAt(program, node), {
        name: param,
        member,
        by: name,
        isOfEach: false,
        isSorted: true,
      });
      return true;
    }
  }
  return false;
}

/** What the one request of a page names as its order, where that stays the same. */
function ordersAsked(intake: IntakeSymbol, model: Model): readonly string[] {
  const [request, ...others] = askedBy(intake, model)?.requests ?? [];
  const params = request?.argument?.kind === "object" ? request.argument.get("params") : undefined;
  if (params?.kind !== "object" || others.length > 0) return [];
  return params.members.flatMap(({ name, value }) =>
    /^(?:sort|order|order_?by|sort_?by)$/i.test(name) && value?.kind === "string" ? [value.value] : [],
  );
}

const comment = ({ comment: at }: DocumentedClause) => ({ message: "the comment", at });

function tellOtherNumber(
  intake: IntakeSymbol,
  clauses: readonly DocumentedClause[],
  report: Report,
  model: Model,
): void {
  for (const { key, param } of sentKeys(intake, model)) {
    const ways = watermarksOf(intake, key, model) ?? [];
    for (const { command, from, member, node, program } of ways) {
      if (command !== "request" || member === undefined || (from !== "last" && from !== "greatest")) continue;
      const own = wordsOf(member).map(plainWord);
      const isOther = (by: string): boolean =>
        !wordsOf(by).some((word) => isOwn(word) && own.includes(plainWord(word)));
      const args = { name: key, member };
      // `after is the id of the last one that we have`
      if (clauses.some(({ text }) => saysOf([key, param], member, text)) || goesByMember(member, clauses))
        continue;
      for (const clause of clauses) {
        const by = [key, param].map((name) => goesBy(name, clause.text)).find((each) => each !== undefined);
        if (by === undefined || !isOther(by) || isCalled(member, clause.text)) continue;
        return report(otherNumber, partAt(program, node), { ...args, by, isOfEach: false }, [
          comment(clause),
        ]);
      }
      const parent = askedBelow(intake, model).find((each) => member === `${each}_id`);
      if (parent !== undefined && from === "last" && !isOwnId(member, clauses))
        return report(otherNumber, partAt(program, node), {
          ...args,
          by: parent,
          isOfEach: false,
          isOfParent: true,
        });
      // The number of each entry, and what is read is of something in it.
      if (!/\.[A-Za-z_]\w*\.[A-Za-z_]\w*(?:\] ?\| ?max)?$/.test(textAt(bare(node), program))) continue;
      for (const clause of clauses) {
        const by = ofEach
          .exec(clause.text)
          ?.slice(1)
          .find((each) => each !== undefined);
        if (by === undefined || !isOther(by) || isRead(by, intake, model)) continue;
        return report(otherNumber, partAt(program, node), { ...args, by, isOfEach: true }, [comment(clause)]);
      }
    }
  }
}

/** What services call one thing by. */
function plainWord(word: string): string {
  if (/^(?:changed?|updated?|modified|modification|edited|touched)$/.test(word)) return "changed";
  if (/^(?:seq|sequence|revision|rev|version|offset|position|cursor)$/.test(word)) return "sequence";
  return /^(?:no|nr|num)$/.test(word) ? "number" : word;
}

/** Whether a comment names a member beside a key or parameter as what it is: `after is the id of an entry`. */
const saysOf = (names: readonly string[], member: string, text: string): boolean =>
  names.some((name) =>
    new RegExp(
      `(?<![\\w.])${escapedPattern(name)}["\`']? (?:is|=|takes|has|holds|wants|means|becomes)[^.;,]{0,30}\\b${escapedPattern(member)}\\b`,
    ).test(text),
  );

/** `Items with change_no > after, and in an item that is its usn`: one thing with two names. */
const isCalled = (member: string, text: string): boolean =>
  new RegExp(
    `\\b(?:is its|called|named|(?:comes?|stands?|shown) as)\\b[^.;,]{0,10}\\b${escapedPattern(member)}\\b`,
  ).test(text);

/** `each of these has its own list_id` */
const isOwnId = (member: string, clauses: readonly DocumentedClause[]): boolean => {
  const own = new RegExp(`\\bown ["\`]?${escapedPattern(member)}\\b`);
  return clauses.some(({ text }) => own.test(text));
};

/** `appeal` of `/appeals/${custom_data.appeal.value}/gifts`: what the list that is read belongs to. */
function askedBelow(intake: IntakeSymbol, model: Model): readonly string[] {
  const [request, ...others] = askedBy(intake, model)?.requests ?? [];
  const path = request?.argument?.kind === "object" ? request.argument.get("path") : undefined;
  if (others.length > 0 || path?.kind !== "string") return [];
  const own = singular(path.value.split("/").at(-1)?.toLowerCase() ?? "");
  return (
    [...path.value.matchAll(/([A-Za-z]\w*)\/\$[{<]custom_data\.[^}>/]{1,60}[}>](?=\/)/g)]
      .map(([, name]) => singular(name!.toLowerCase()))
      // A list of lists has records that are called as what they are in.
      .filter((name) => name !== own)
  );
}

/** Words that say of what kind a member is, and not what it is. */
const isOwn = (word: string): boolean => !/^(?:at|on|ms|s|date|time|the|of)$/.test(word);

/** `changed_at` of `since <= changed_at < until`, `seq` of `entries with seq > after`. */
function goesBy(name: string, text: string): string | undefined {
  const said = escapedPattern(name);
  const member = "([A-Za-z_]\\w*)";
  const found = new RegExp(
    `(?<![\\w.])${said} ?<=? ?${member}(?!\\w|\\.\\w|\\()|(?<![\\w.])${member} ?>=? ?${said}(?!\\w|\\.\\w)|(?<![\\w.])${said} (?:counts|goes|moves|works) by (?:the )?${member}`,
  )
    .exec(text)
    ?.slice(1)
    .find((each) => each !== undefined);
  return found !== undefined &&
    found !== name &&
    /_|^(?:seq|sequence|revision|rev|version|id|number|no|nr)$/.test(found)
    ? found
    : undefined;
}

/** `Every entry has a seq`, `entries are numbered (seq)` */
const ofEach =
  /\b(?:[Ee]ach|[Ee]very) \w+ (?:has|carries|gets|bears) (?:an? |its )(?:own )?(?:\w+ )?(seq|sequence|revision|rev)\b|\bnumber(?:ed|s)\b[^.;()]{0,40}\((seq|sequence|revision|rev)\)/;

/** Whether a program of `request` reads a member of that name. */
const isRead = (name: string, intake: IntakeSymbol, model: Model): boolean =>
  (writesIn(intake, "request", model) ?? []).some(({ program }) =>
    new RegExp(`\\.${escapedPattern(name)}\\b`).test(program.node.value),
  );

function tellSplitPlace(
  intake: IntakeSymbol,
  clauses: readonly DocumentedClause[],
  report: Report,
  model: Model,
): void {
  const sent = sentKeys(intake, model).map(({ key }) => key);
  if (sent.length < 2) return;
  for (const write of writesIn(intake, "request", model) ?? []) {
    if (!mayGoOn(write)) continue;
    const { keys, program } = write;
    for (const [key, value] of keys) {
      const taken = sent.includes(key)
        ? (otherKey(key, value, program) ?? answerTime(value, program, clauses))
        : undefined;
      if (taken === undefined) continue;
      const other = sent.find((each) => each !== key && isOfRecord(keys.get(each), program));
      const clause = other === undefined ? undefined : clauses.find(({ text }) => isPair(key, other, text));
      if (other !== undefined && clause !== undefined)
        return report(splitPlace, partAt(program, taken.way), { key, from: taken.from, other }, [
          comment(clause),
        ]);
    }
  }
}

/** Another key of the state that a key becomes, where an answer has no part in it. */
function otherKey(key: string, value: Expression, program: JqProgram) {
  const ways = waysOf(value, program);
  if (ways.some((way) => stateDependence(program, [way]).input)) return undefined;
  return ways.flatMap((way) => {
    const from = keptKey(way, program);
    return from === undefined || from === key ? [] : [{ way, from }];
  })[0];
}

/** The time of the answer itself, by a comment or by its name. */
function answerTime(value: Expression, program: JqProgram, clauses: readonly DocumentedClause[]) {
  return waysOf(value, program).flatMap((way) => {
    const [field, ...others] =
      way.kind === "Postfix" && ownInputs(program).has(way.head) ? way.suffixes : [undefined];
    const name = field?.kind === "Field" && others.length === 0 ? lastName(way) : undefined;
    if (name === undefined) return [];
    const said = new RegExp(
      `(?<![\\w.$])${escapedPattern(name)}["\`]?(?: is|:| =| has| says| gives)[^.;]{0,20} (?:time|clock|moment|date)(?: of| at which| when| that)? (?:the |this |its |an )?(?:answer|response|reply|server|service|request)\\b`,
      "i",
    );
    const own = [...documentedClauses(program.node), ...clauses];
    const isOfAnswer = clockOfAnswer.test(name) || own.some(({ text }) => said.test(text));
    return isOfAnswer ? [{ way, from: `.${name}` }] : [];
  })[0];
}

const clockOfAnswer =
  /^(?:generated|answered|responded|served)_?(?:at|on|time)$|^(?:server|service)_?(?:time|clock|now)$|^now$/i;

const isOfRecord = (value: Expression | undefined, program: JqProgram): boolean =>
  value !== undefined &&
  waysOf(value, program).some((way) => way.kind === "Postfix" && stateDependence(program, [way]).input);

/** `{at, id} is the last lease`, `(at, id)` */
function isPair(key: string, other: string, text: string): boolean {
  const [a, b] = [escapedPattern(key), escapedPattern(other)];
  const pair = `[({](?:${a}, ${b}|${b}, ${a})[)}]`;
  const both = `(?<![\\w.$])["\`]?(?:${a}["\`]? and ["\`]?${b}|${b}["\`]? and ["\`]?${a})["\`]?(?![\\w.])`;
  return new RegExp(
    `${both} (?:are|name|give|mark|say|hold|point (?:at|to)|belong to|come from|stand for|describe|of)\\b(?! not\\b)[^.;]{0,30}\\b(?:last|latest|newest)\\b|${pair}[^.;]{0,40}\\b(?:last|latest|newest|pair|place|position)\\b|\\b(?:pair|place|position|order|sorted by|behind)\\b[^.;]{0,30}${pair}`,
  ).test(text);
}

function tellSkipsOldest(
  intake: IntakeSymbol,
  clauses: readonly DocumentedClause[],
  report: Report,
  model: Model,
): void {
  for (const { keys, program } of writesIn(intake, "initial_setup", model) ?? [])
    for (const { key, param } of sentKeys(intake, model)) {
      const value = keys.get(key);
      const words = wordsOf(param);
      if (value === undefined || !words.includes("after")) continue;
      // `not_after` is an upper end, and some bounds are inclusive whatever they are called.
      if (words.some((word) => /^(?:not|no|before|until|end|max)$/.test(word))) continue;
      if (clauses.some(({ text }) => saysInclusive(param, text))) continue;
      for (const way of waysOf(value, program)) {
        const name = way.kind === "Postfix" ? lastName(way) : undefined;
        if (name === undefined || !/^(?:oldest|earliest|lowest)(?:_|$)/.test(name)) continue;
        // `oldest_sent` needn't be the oldest that is wanted.
        if (/(?:ed|sent|read|seen|done|given|taken)$/.test(name)) continue;
        const own = documentedClauses(program.node);
        const said = new RegExp(`(?<![\\w.])${escapedPattern(name)}\\b`);
        const clause = [...own, ...clauses].find(
          ({ text }) =>
            said.test(text) &&
            /\b(?:that|which) exists?\b|\bone less\b/.test(text) &&
            !new RegExp(`${said.source}["\`]? is (?:already )?one (?:less|before)\\b`).test(text),
        );
        if (clause !== undefined)
          return report(skipsOldest, partAt(program, way), { name: param, text: textAt(way, program) }, [
            comment(clause),
          ]);
      }
    }
}

/** `after=N gives N and what is behind`, `after is inclusive` */
const saysInclusive = (param: string, text: string): boolean =>
  text.includes(param) &&
  /\binclusive\b|\bincluding\b|\binclud(?:es|ed) (?:it|N|that)\b|\bN and (?:what|all|those|the ones|on)\b|\bfrom N\b|\bat least\b|>=/.test(
    text,
  ) &&
  !/\bnot inclusive\b|\bexclusive\b/.test(text);

const days = { yesterday: -1, today: 0, tomorrow: 1 } as const;
const dayNames = ["yesterday", "today", "tomorrow"] as const;
const dayAt = (offset: number): string =>
  new Date((NOW + offset * 86_400) * 1_000).toISOString().slice(0, 10);

function tellOtherDay(
  intake: IntakeSymbol,
  clauses: readonly DocumentedClause[],
  report: Report,
  model: Model,
): void {
  const named = clauses.filter(({ text }) => /\b(?:yesterday|today|tomorrow)\b/.test(text));
  if (named.length === 0) return;
  let state: Value = record({});
  for (const name of ["initial_setup", "pre_poll"]) {
    const command = intake.commands.get(name);
    if (command === undefined) continue;
    state = stateAfter(
      run(
        command,
        worldOf(state, NOW, () => UNKNOWN),
      ),
      state,
    );
    for (const { keys, program } of writesIn(intake, name, model) ?? [])
      for (const [key, value] of keys) {
        if (!stateDependence(program, [value]).clock) continue;
        const given = resolved(memberOf(state, key));
        if (typeof given !== "string") continue;
        const day = dayNames.find((each) => given.slice(0, 10) === dayAt(days[each]));
        for (const clause of day === undefined ? [] : named) {
          const said = saidDay(key, clause.text);
          if (day !== undefined && said !== undefined && said !== day)
            return report(otherDay, partAt(program, bare(value)), { key, said, day }, [comment(clause)]);
        }
      }
  }
}

/** `so the last day that we read is yesterday` of `last_day` */
function saidDay(key: string, text: string): (typeof dayNames)[number] | undefined {
  const words = [escapedPattern(key), wordsOf(key).map(escapedPattern).join(" ")];
  const found = new RegExp(
    `(?<![\\w.]|'s )(?:${words.join("|")})["\`']?(?: (?:that )?we (?:\\w+ )?\\w+)? (?:is|means|=) (?:always )?(yesterday|today|tomorrow)(?=$|[.;,:)(]|["\`'](?:$|[,:)])| (?:and not|because|so|since|which|as)\\b)`,
  ).exec(text)?.[1];
  // `yesterday until 6, today behind that`: by the hour it is one or the other.
  if ((text.match(/\b(?:yesterday|today|tomorrow)\b/g) ?? []).length > 1 && !/\bnot\b/.test(text))
    return undefined;
  return dayNames.find((each) => each === found);
}
