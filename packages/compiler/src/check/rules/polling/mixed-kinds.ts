import { escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import type { Value } from "../../../flow/machine/value.ts";
import { partAt, textAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, keysSent, paramOf, type RequestRead } from "../../../flow/protocol/request-reads.ts";
import {
  areUnlike,
  type KindWritten,
  kindsWritten,
  type StateKind,
} from "../../../flow/protocol/state-kinds.ts";
import { type Watermark, watermarksOf } from "../../../flow/protocol/watermarks.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { SyntaxNode } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { cyclesOf } from "./cycles.ts";
import { documentedKind } from "./documented-bound.ts";
import { nameOf } from "./found.ts";
import { takesBoth } from "./said-of-parameter.ts";
import { formOf, isDay } from "./written-form.ts";

const mixedKinds = defineRule<{
  key: string;
  first: string;
  kind: StateKind;
  command: string;
  other: StateKind;
  /** The key that it takes over, and the command that makes that. */
  source?: string;
  maker?: string;
}>({
  id: "polling/mixed-kinds",
  severity: "warning",
  summary: "A key of `polling_state` is set to values of different kinds",
  why: "The request sends the key in one parameter, and the API reads it in one way. If a date becomes a number of seconds, or seconds become milliseconds, the API refuses it or reads a different time. The first cycle works, but later ones bring nothing, or everything again.",
  guards: ["polling.polling_state", "polling.initial_setup", "D33"],
  message: ({ key, first, kind, command, other, source, maker }) =>
    source !== undefined
      ? `\`${maker}\` sets \`${source}\` to ${describe(other)}, and \`${command}\` takes it over as \`${key}\`, which \`${first}\` sets to ${describe(kind)}. The request sends both in one parameter.`
      : first === command
        ? `\`${command}\` sets \`${key}\` to ${describe(kind)} in one case and to ${describe(other)} in another. The request sends both in one parameter.`
        : `\`${command}\` sets \`${key}\` to ${describe(other)}, but \`${first}\` sets it to ${describe(kind)}. The request sends both in one parameter.`,
  because: ({ key, first, kind, command, other }) => [
    first === command
      ? `in one case, the request sends \`${key}\` as ${describe(kind)}`
      : `after \`${first}\`, the request sends \`${key}\` as ${describe(kind)}`,
    first === command
      ? `in the other, it sends ${describe(other)}`
      : `after \`${command}\`, it sends ${describe(other)}`,
  ],
  help: () => "Use the same form everywhere.",
  examples: [
    {
      title: "A date, and then seconds",
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: \\"2026-01-01T00:00:00Z\\"}}"}',
        "/data_intake/0/pre_poll": '{"!jq": "{polling_state: ${polling_state}}"}',
      },
      bad: '{"!jq": "{polling_state: {page: 1, since: «1767225600»}}"}',
      good: '{"!jq": "{polling_state: {page: 1, since: (${polling_state.since})}}"}',
    },
    {
      title: "A date in one case, and seconds in another",
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup/!jq",
      with: {
        "/data_intake/0/pre_poll": '{"!jq": "{polling_state: ${polling_state}}"}',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '"(if ${custom_data.list.value | default} == \\"\\" then (now | todate) else «(now - 86400)» end) as $from | {polling_state: {page: 1, since: $from}}"',
      good: '"(if ${custom_data.list.value | default} == \\"\\" then (now | todate) else (now - 86400 | todate) end) as $from | {polling_state: {page: 1, since: $from}}"',
    },
    {
      title: "Seconds, and then milliseconds",
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {page: 1, since: (now - 86400)}}"}',
      },
      bad: '{"!jq": "{polling_state: {page: 1, since: «((now - 60) * 1000)»}}"}',
      good: '{"!jq": "{polling_state: {page: 1, since: (now - 60)}}"}',
    },
    {
      title: "The end of a window, which begins the next one",
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | floor), until: 0}}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"page": "${polling_state.page}", "changed_since": "${polling_state.since}", "changed_until": "${polling_state.until}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
        "/data_intake/0/post_poll":
          '{"!jq": "{polling_state: {page: 1, since: ${polling_state.until}, until: 0}}"}',
      },
      bad: '{"!jq": "{polling_state: (${polling_state} + {page: 1, until: «(now - 60 | todate)»})}"}',
      good: '{"!jq": "{polling_state: (${polling_state} + {page: 1, until: (now - 60 | floor)})}"}',
    },
  ],
});

const mixedEnds = defineRule<{ lower: string; upper: string; first: StateKind; kind: StateKind }>({
  id: "polling/mixed-ends",
  severity: "warning",
  summary: "The two ends of a window are values of different kinds",
  why: "Both ends go to the same API, which reads times in one way. If one is a date and the other a number of seconds, one is refused or read as a different time, and the window has no records, or all of them.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ lower, upper, first, kind }) =>
    `One end of the window, \`${lower}\`, is sent as ${describe(first)}, but the other, \`${upper}\`, as ${describe(kind)}.`,
  because: ({ lower, upper, first, kind }) => [
    `\`${lower}\`: ${describe(first)}`,
    `\`${upper}\`: ${describe(kind)}`,
  ],
  help: () => "Send both in the form that the API takes.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup/!jq",
      with: {
        "/data_intake/0/pre_poll":
          '{"!jq": "{polling_state: {page: 1, since: ${polling_state.since}, until: (now | todate)}}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"page": "${polling_state.page}", "from": "${polling_state.since}", "to": "${polling_state.until}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}, until: ${polling_state.until}}}"',
        "/data_intake/0/post_poll":
          '{"!jq": "{polling_state: {page: 1, since: (${polling_state.until} // null), until: null}}"}',
      },
      bad: '"{polling_state: {page: 1, since: «1767225600», until: null}}"',
      good: '"{polling_state: {page: 1, since: \\"2026-01-01T00:00:00Z\\", until: null}}"',
    },
  ],
});

const mixedForms = defineRule<{ key: string; command: string; form: string; first: string; other: string }>({
  id: "polling/mixed-forms",
  severity: "warning",
  summary: "A key of `polling_state` is written as a time in two forms",
  why: "A service reads one of the two forms, and refuses the other or takes it for something else. The first cycle works, or only the first one fails, so nobody sees it in a test.",
  guards: ["polling.polling_state", "D33"],
  message: ({ key, command, form, first, other }) =>
    `\`${command}\` writes \`${key}\` as \`${form}\`, but \`${first}\` as \`${other}\`.`,
  because: ({ form, other }) => [`here: \`${form}\``, `elsewhere: \`${other}\``],
  help: () => "Write it in one form everywhere, the one that the service reads.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | strftime(\\"%Y-%m-%d %H:%M:%S\\"))}}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"page": "${polling_state.page}", "updated_since": "${polling_state.since}"}',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"!jq": "{polling_state: (${polling_state} + {page: 1, since: «(now - 600 | todate)»})}"}',
      good: '{"!jq": "{polling_state: (${polling_state} + {page: 1, since: (now - 600 | strftime(\\"%Y-%m-%d %H:%M:%S\\"))})}"}',
      also: ["polling/early-watermark", "polling/clock-watermark"],
    },
  ],
});

const misplacedKey = defineRule<{ key: string; param: string; kind: StateKind }>({
  id: "polling/misplaced-key",
  severity: "warning",
  summary: "A parameter gets a value of a different kind than its name says",
  why: "A page number, an offset and a size are numbers. If an API gets a time or a list instead, it refuses the request, or gives the first page each time.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ key, param, kind }) => `\`${param}\` takes a count, but \`${key}\` is ${describe(kind)}.`,
  because: ({ key, param, kind }) => [`\`${key}\`: ${describe(kind)}`, `sent as \`${param}\``],
  help: () => "Send the key that counts.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/params",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate)}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      also: ["jq/crossed-members"],
      bad: '{"page": "${polling_state.«since»}", "updated_since": "${polling_state.page}"}',
      good: '{"page": "${polling_state.page}", "updated_since": "${polling_state.since}"}',
    },
  ],
});

const countParam =
  /^(?:page|p|offset|skip|limit|per_?page|page_?(?:number|no|size)|page\[(?:number|size|offset|limit)\])$/i;

const module: RuleModule = {
  rules: [mixedKinds, mixedEnds, mixedForms, misplacedKey],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const found = unlikeEnds(intake, model);
      for (const [low, high, ends] of found) {
        const [at, other] = [low, high].map(({ program, value }) => ({
          node: program.node,
          from: value.start,
          to: value.end,
        })) as [StringPart, StringPart];
        report(mixedEnds, at, { ...ends, first: low.kind, kind: high.kind }, [
          { message: `as ${describe(high.kind)} here`, at: other },
        ]);
      }
      const sent = keysSent(intake, model);
      if (sent.size === 0) return found.length > 0 ? undefined : tellEndsSent(intake, report, model);
      for (const read of askedBy(intake, model)?.reads ?? []) {
        const { key, at } = read;
        const param = paramOf(read);
        const kind = kindsWritten(intake, model).find((written) => written.key === key)?.kind;
        if (param === undefined || kind === undefined || !countParam.test(param)) continue;
        if (hasComments(model) && isSaidTime(param, read.command.node)) continue;
        if (kind !== "number" && kind !== "text" && kind !== "digits")
          report(misplacedKey, at, { key, param, kind });
      }
      for (const { key, written, form, first } of unlikeForms(intake, sent, model)) {
        if (readsBoth(key, intake, model)) continue;
        const [at, other] = [written, first.written].map(({ program, value }) => partAt(program, value));
        report(
          mixedForms,
          at!,
          { key, command: written.command, form, first: first.written.command, other: first.form },
          [{ message: `as \`${first.form}\` here`, at: other! }],
        );
      }
      const firsts = new Map<string, KindWritten>();
      const told = new Set<string>();
      for (const written of kindsWritten(intake, model)) {
        const { key, kind, from } = written;
        const first = firsts.get(key);
        // A number may be of either unit: what is compared is the first that is known.
        if (first === undefined || (first.kind === "number" && isTime(kind))) firsts.set(key, written);
        if (first === undefined || told.has(key) || !sent.has(key) || !areUnlike(first.kind, kind)) continue;
        told.add(key);
        if (readsBoth(key, intake, model)) continue;
        // That is told where the value comes from.
        if (from !== undefined && told.has(from)) continue;
        // Where a comment says how it is sent, the other one is wrong.
        const isFirst = wantedKind(key, intake, model) === kind;
        const [right, wrong] = isFirst ? [written, first] : [first, written];
        // What takes a key over is right; what is wrong with it stands where that one is made.
        const made = madeAs(wrong, intake, model);
        report(
          mixedKinds,
          partAt(made.program, made.value),
          {
            key,
            first: right.command,
            kind: right.kind,
            command: wrong.command,
            other: wrong.kind,
            ...(made === wrong ? {} : { source: made.key, maker: made.command }),
          },
          [
            { message: `as ${describe(right.kind)} here`, at: partAt(right.program, right.value) },
            ...(made === wrong
              ? []
              : [{ message: "taken over here", at: partAt(wrong.program, wrong.value) }]),
          ],
        );
      }
      for (const key of sent) {
        const unlike = told.has(key) ? undefined : unlikeMember(key, intake, model);
        if (unlike === undefined || readsBoth(key, intake, model)) continue;
        const { set, kind, by } = unlike;
        told.add(key);
        report(
          mixedKinds,
          partAt(set.program, set.value),
          { key, first: by.command, kind, command: set.command, other: set.kind },
          [{ message: `as ${describe(kind)} here`, at: partAt(by.program, by.node) }],
        );
      }
      if (told.size === 0 && found.length === 0) tellEndsSent(intake, report, model);
    },
  },
};
export default module;

const isTime = (kind: StateKind): boolean => kind === "seconds" || kind === "milliseconds";

/** What the ends of a window are in the first request, where their form alone doesn't tell. */
function tellEndsSent(intake: IntakeSymbol, report: Report, model: Model): void {
  const sides = unlikeEndsSent(intake, model);
  if (sides === undefined) return;
  const { lower, upper, first, kind } = sides;
  const reads = (askedBy(intake, model)?.reads ?? []).flatMap((read) => {
    const name = paramOf(read);
    return name === undefined ? [] : [{ ...read, name }];
  });
  const [low, high] = [lower, upper].map((leaf) => reads.find(({ name }) => name === nameOf(leaf)));
  if (low !== undefined && high !== undefined && areSaidUnlike(low, high, model)) return;
  const [at, other] = [lower, upper].map(({ expansion: { node, syntax } }) => partAt({ node }, syntax));
  const args = { lower: nameOf(lower), upper: nameOf(upper), first, kind };
  report(mixedEnds, at!, args, [{ message: `as ${describe(kind)} here`, at: other! }]);
}

/**
 * The ends of a window as the first request sends them, where one is a date and the other a number: whatever steps and variables the values have gone
 * through.
 */
function unlikeEndsSent(
  intake: IntakeSymbol,
  model: Model,
):
  | {
      readonly lower: Leaf;
      readonly upper: Leaf;
      readonly first: "date" | "seconds" | "milliseconds";
      readonly kind: "date" | "seconds" | "milliseconds";
    }
  | undefined {
  const cycles = cyclesOf(intake, model);
  const leaves = (cycles === undefined ? [] : leavesOf(cycles.first.pages[0])).flatMap((leaf) => {
    const bound = boundName(nameOf(leaf));
    const kind = kindSent(leaf.value);
    return bound === undefined || kind === undefined ? [] : [{ leaf, bound, kind }];
  });
  for (const low of leaves) {
    const high =
      low.bound.end === "lower"
        ? leaves.find(({ bound }) => bound.end === "upper" && bound.subject === low.bound.subject)
        : undefined;
    if (high !== undefined && areUnlike(low.kind, high.kind))
      return { lower: low.leaf, upper: high.leaf, first: low.kind, kind: high.kind };
  }
  return undefined;
}

function kindSent(value: Value): "date" | "seconds" | "milliseconds" | undefined {
  if (typeof value === "string") return /^\d{4}-\d\d-\d\d(?:T|$)/.test(value) ? "date" : undefined;
  return typeof value !== "number" || value < 1e9 ? undefined : value < 1e11 ? "seconds" : "milliseconds";
}

/** Where the value is made that a key takes over from another one. */
function madeAs(written: KindWritten, intake: IntakeSymbol, model: Model): KindWritten {
  const { from, kind } = written;
  if (from === undefined) return written;
  const made = kindsWritten(intake, model).filter((each) => each.key === from && each.from === undefined);
  const odd = made.filter((each) => each.kind === kind);
  return odd.length === 1 ? odd[0]! : written;
}

/**
 * A key that begins as a time of one kind and becomes a time of a record, as it is, of which the workflows show that the service writes it in
 * another: they cut the day off it, or take it for seconds.
 */
function unlikeMember(
  key: string,
  intake: IntakeSymbol,
  model: Model,
): { readonly set: KindWritten; readonly kind: StateKind; readonly by: Watermark } | undefined {
  const written = kindsWritten(intake, model).filter((each) => each.key === key);
  const [set, ...others] = written;
  if (set === undefined || others.some(({ command }) => command !== set.command)) return undefined;
  if (set.command !== "initial_setup" || (set.kind !== "seconds" && set.kind !== "date")) return undefined;
  const watermarks = watermarksOf(intake, key, model) ?? [];
  const [by] = watermarks;
  const member = by?.member;
  if (by === undefined || member === undefined || !timeMember.test(member)) return undefined;
  const isPlain = watermarks.every(
    (each) =>
      each.member === member &&
      !each.hasMargin &&
      each.from !== "clock" &&
      !changesForm.test(textAt(each.node, each.program)),
  );
  const kind = isPlain ? kindInWorkflows(member, intake, model) : undefined;
  return kind !== undefined && others.every((each) => each.kind === set.kind) && areUnlike(set.kind, kind)
    ? { set, kind, by }
    : undefined;
}

/** `updated_at`, `changedAt`: services write all times that are called so alike. */
const timeMember = /(?:_at|[a-z]At)$/;
const changesForm =
  /\b(?:fromdate\w*|todate\w*|str[fp]time|mktime|gmtime|tonumber|tostring|dateadd|datesub)\b|[*/]|\+/;

/** The kind of a time by what workflows do with it or, if they agree, with two others that are called alike. */
function kindInWorkflows(member: string, intake: IntakeSymbol, model: Model): "date" | "seconds" | undefined {
  const kinds = new Map<string, "date" | "seconds">();
  for (const unit of [intake, ...usersOf(intake)])
    for (const { node } of partOfUnit(unit, model).programs)
      for (const [, name, date] of node.value.matchAll(formed)) {
        const kind = date === undefined ? "seconds" : "date";
        if ((kinds.get(name!) ?? kind) !== kind) return undefined;
        kinds.set(name!, kind);
      }
  const own = kinds.get(member);
  if (own !== undefined) return own;
  const [kind, ...others] = [...kinds.values()];
  return others.length > 0 && others.every((each) => each === kind) ? kind : undefined;
}

/** `.started_at[0:10]` and `.ended_at | fromdate` are of dates, `.started_at | todate` and `.ended_at / 86400` of numbers. */
const formed =
  /\.(\w{1,40}(?:_at|[a-z]At))\s*(?:(\[0?:\d+\]|\|\s*(?:fromdate|fromdateiso8601|strptime)\b)|\|\s*(?:todate|strftime|gmtime)\b|[*/-]\s*\d)/g;

/** Whether a comment says that what a key is sent as is read in more than one form. */
function readsBoth(key: string, intake: IntakeSymbol, model: Model): boolean {
  if (!hasComments(model)) return false;
  return (askedBy(intake, model)?.reads ?? []).some((read) => {
    const param = read.key === key ? paramOf(read) : undefined;
    return param !== undefined && takesBoth(param, read.command.node);
  });
}

/** `offset takes the time of the last item`: a count has another name there. */
const isSaidTime = (param: string, place: SyntaxNode): boolean => {
  const said = new RegExp(
    `(?<![\\w.])${escapedPattern(param)}["\`]? (?:is|takes|wants|has|holds|means) (?:an? |the )?(?:\\w+ )?(?:time|timestamp|date|day)\\b`,
  );
  return documentedClauses(place).some(({ text }) => said.test(text));
};

/** Whether comments say of both ends of a window in which form they are sent, and these differ. */
function areSaidUnlike(
  low: RequestRead & { name: string },
  high: RequestRead & { name: string },
  model: Model,
) {
  if (!hasComments(model)) return false;
  const [one, other] = [low, high].map((read) => {
    if (isSaidTime(read.name, read.command.node)) return "date";
    return documentedKind(read.name, read, model)?.kind;
  });
  return one !== undefined && other !== undefined && one !== other;
}

/** The form in which a comment says that the parameter is sent which gets a key. */
function wantedKind(key: string, intake: IntakeSymbol, model: Model): StateKind | undefined {
  const read = hasComments(model)
    ? askedBy(intake, model)?.reads.find((each) => each.key === key)
    : undefined;
  const param = read === undefined ? undefined : paramOf(read);
  return read === undefined || param === undefined ? undefined : documentedKind(param, read, model)?.kind;
}

interface Formed {
  readonly key: string;
  readonly written: KindWritten;
  readonly form: string;
}

/** Times that are written under a key that is sent, in another form than the first one; a key may take another's value over. */
function unlikeForms(
  intake: IntakeSymbol,
  sent: ReadonlySet<string>,
  model: Model,
): readonly (Formed & { readonly first: Formed })[] {
  const all = kindsWritten(intake, model);
  const formed = all.flatMap((written): Formed[] => {
    const form = written.from === undefined ? formOf(written) : undefined;
    return form === undefined ? [] : [{ key: written.key, written, form }];
  });
  if (formed.length < 2) return [];
  const taken = all.flatMap(({ key, from }) =>
    formed.flatMap((each) => (each.key === from ? [{ ...each, key }] : [])),
  );
  const together = [...formed, ...taken].filter(({ key }) => sent.has(key));
  const told = new Set<KindWritten>();
  return together.flatMap((each) => {
    const first = together.find(({ key, form }) => key === each.key && isDay(form) === isDay(each.form))!;
    if (first.form === each.form || told.has(each.written)) return [];
    told.add(each.written);
    return [{ ...each, first }];
  });
}

/** The ends of a window that one request sends, where they are certainly of different kinds. */
function unlikeEnds(
  intake: IntakeSymbol,
  model: Model,
): readonly (readonly [KindWritten, KindWritten, { readonly lower: string; readonly upper: string }])[] {
  const reads = (askedBy(intake, model)?.reads ?? []).flatMap((read) => {
    const name = paramOf(read);
    const bound = name === undefined ? undefined : boundName(name);
    return name === undefined || bound === undefined ? [] : [{ ...read, name, bound }];
  });
  const written = reads.length < 2 ? [] : kindsWritten(intake, model);
  const isMixed = (key: string) => {
    const [first, ...others] = written.filter((each) => each.key === key);
    return first === undefined || others.some(({ kind }) => areUnlike(first.kind, kind));
  };
  return reads.flatMap((low) => {
    if (low.bound.end !== "lower") return [];
    const high = reads.find(({ bound }) => bound.end === "upper" && bound.subject === low.bound.subject);
    // One end that is mixed itself is a finding of its own.
    if (high === undefined || isMixed(low.key) || isMixed(high.key)) return [];
    const [first, second] = [low, high].map(({ key }) => written.find((each) => each.key === key));
    if (first === undefined || second === undefined || !areUnlike(first.kind, second.kind)) return [];
    if (areSaidUnlike(low, high, model)) return [];
    return [[first, second, { lower: low.name, upper: high.name }] as const];
  });
}

function describe(kind: StateKind): string {
  switch (kind) {
    case "seconds":
      return "seconds since 1970";
    case "milliseconds":
      return "milliseconds since 1970";
    case "date":
      return "a date";
    case "other time":
      return "a number that isn't a recent time";
    case "other date":
      return "a date that doesn't begin with its year";
    case "digits":
      return "a string of digits";
    case "list":
      return "a list";
    case "object":
      return "an object";
    case "number":
      return "a number";
    case "text":
      return "a string";
    case "boolean":
      return "true or false";
  }
}
