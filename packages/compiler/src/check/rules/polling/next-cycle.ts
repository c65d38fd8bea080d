import type { Expansion, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { Cycle } from "../../../flow/machine/cycle.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import type { Asking } from "../../../flow/machine/polling-program.ts";
import {
  areEqual,
  isKind,
  isTrue,
  memberOf,
  resolved,
  UNKNOWN,
  type Value,
} from "../../../flow/machine/value.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import {
  areAlike,
  type Cycles,
  counts,
  cyclesOf,
  follows,
  inEach,
  isBound,
  movesWithPages,
  valueIn,
} from "./cycles.ts";
import { nameOf } from "./found.ts";
import { keptId, keptInNewList, keptPosition } from "./kept-position.ts";
import { leastRecordOf } from "./least-record.ts";
import { movesEarly } from "./moving-starts.ts";
import { standsByForm } from "./standing-window.ts";

const standingWatermark = defineRule<{ name: string; value: string }>({
  id: "polling/standing-watermark",
  severity: "warning",
  summary: "The next cycle asks from the same time on, although times of records are read",
  why: "A watermark is to move to the latest time that was read. One that stays where it was, for instance because it takes the least of the times, has each cycle read everything again; at 1,000 results the cycle ends, and what is new is never reached.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ name }) =>
    `The next cycle sends the same \`${name}\` again, whatever times the records had: the watermark never moves.`,
  because: ({ name, value }) => [
    `cycle 1 asks with \`${name}\` ${value} and reads later records`,
    `cycle 2 asks with \`${name}\` ${value} again`,
  ],
  help: () => "Keep the greatest time that was read: `max`, with the old one among them.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate)}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}", "updated_since": "«${polling_state.since}»"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else ([${polling_state.since}] + [.items[].updated_at] | min) end)}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}", "updated_since": "${polling_state.since}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else ([${polling_state.since}] + [.items[].updated_at] | max) end)}}"}]',
      samples: { world: { intakes: {} } },
    },
  ],
});

const movingFilter = defineRule<{ name: string; position: string }>({
  id: "polling/moving-filter",
  severity: "warning",
  summary: "The lower bound moves from page to page, while the page counts on",
  why: "A cursor, a page number or an offset is a place in the list that was asked for first. With another bound it is another list: its second page leaves out as many records as a page has, or the API refuses the cursor.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ name, position }) =>
    `Page 2 is asked for with another \`${name}\` than page 1, and with \`${position}\`, which is a place in the list of page 1.`,
  because: ({ name, position }) => [
    `page 1 asks with \`${name}\` as the cycle began`,
    `page 2 asks with a later \`${name}\` and the next \`${position}\``,
  ],
  help: ({ name }) =>
    `Keep what is sent as \`${name}\` while pages are read, and move it after the last one.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {cursor: null, since: (now - 86400 | todate), newest: (now - 86400 | todate)}}"}',
        "/data_intake/0/pre_poll":
          '{"!jq": "{polling_state: {cursor: null, since: ${polling_state.newest}, newest: ${polling_state.newest}}}"}',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!jq": "{filter: {after: ${polling_state.newest}}} + (if ${polling_state.cursor} == null then {} else {cursor: ${polling_state.cursor}} end)"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/customers", "body": "«${piped_content.1}»"}}, {"!jq": "{results: .items, iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor, since: ${polling_state.since}, newest: ([${polling_state.newest}, .items[].updated_at] | max)}}"}]',
      good: '[{"!jq": "{filter: {after: ${polling_state.since}}} + (if ${polling_state.cursor} == null then {} else {cursor: ${polling_state.cursor}} end)"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/customers", "body": "${piped_content.1}"}}, {"!jq": "{results: .items, iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor, since: ${polling_state.since}, newest: ([${polling_state.newest}, .items[].updated_at] | max)}}"}]',
      samples: { world: { intakes: {} } },
    },
  ],
});

const lateStart = defineRule<{
  position: string;
  value: string;
  name: string;
  /** What moves is the id of another list. It is left out elsewhere, so that fingerprints of known findings stay. */
  isList?: true;
  /** A token of the list that was read leads the next cycle back into it. Left out elsewhere for the same reason. */
  isToken?: true;
}>({
  id: "polling/late-start",
  severity: "warning",
  summary: "The next cycle doesn't begin at the first page",
  why: "A page number or an offset counts in one list. The next cycle asks for another one, from a later time on, and where it goes on counting it leaves out that list's first pages: what is new doesn't arrive.",
  guards: ["polling.request", "polling.post_poll", "polling.polling_state", "D33"],
  message: ({ position, value, name, isList, isToken }) =>
    isToken
      ? `The list is read to its end, and \`${name}\` has moved. But the next cycle begins with that list's \`${position}\`, so no new list is asked for.`
      : isList
        ? `A new list is made (\`${name}\`), but \`${position}\` stays ${value} by the one before: the pages before it are never read.`
        : `The next cycle asks from a later \`${name}\` on and begins with \`${position}\` ${value}: the pages before it are never read.`,
  because: ({ position, value, name, isList, isToken }) => [
    "cycle 1 reads three pages",
    isToken
      ? `cycle 2 asks with \`${position}\` of page 3 again`
      : `cycle 2 asks with ${isList ? "another" : "a later"} \`${name}\` and \`${position}\` ${value}`,
  ],
  help: ({ position }) => `Set what is sent as \`${position}\` back in \`post_poll\` or \`pre_poll\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate)}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "«${polling_state.page}»", "updated_since": "${polling_state.since}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: (if .has_more then ${polling_state.since} else ([${polling_state.since}, .items[].updated_at] | max) end)}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}", "updated_since": "${polling_state.since}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else ([${polling_state.since}, .items[].updated_at] | max) end)}}"}]',
      samples: { world: { intakes: {} } },
    },
    {
      title: "An export that each cycle makes",
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {page: 1, export: null}}"}',
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/exports/${polling_state.export}/rows", "params": {"page": "${polling_state.page}"}}}, {"!jq": "{results: .rows, iterate: (${polling_state.page} < .pages), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"}]',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/exports"}}, {"!jq": "{polling_state: (${polling_state} + {export: «.id»})}"}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/exports"}}, {"!jq": "{polling_state: (${polling_state} + {export: .id, page: 1})}"}]}',
    },
  ],
});

const noAddress = defineRule<{ when: string; value: string; isUrl: boolean }>({
  id: "polling/no-address",
  severity: "warning",
  summary: "A poll's request has no address that it can be sent to",
  why: "A `url` has to be a whole URL, and a path's segment can't be null. Where the state gives none, the cycle fails there, and so does each one after it: nothing arrives any more.",
  guards: ["polling.request", "polling.polling_state", "http.url", "D17", "D18", "D33"],
  message: ({ when, value, isUrl }) =>
    `${when} would go to ${value}, which isn't a ${isUrl ? "URL" : "path"}, so the cycle fails.`,
  because: ({ when, value }) => [`${when}: ${value}`],
  help: ({ isUrl }) =>
    isUrl
      ? "Give a URL with its scheme and host in every case; after the last page, that of the first."
      : "Give the segment a value in every case.",
  examples: [
    {
      title: "After the last page",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {first: \\"https://api.example.com/customers\\", url: \\"https://api.example.com/customers\\"}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"url": "«${polling_state.url}»"}}, {"!jq": "{results: .items, iterate: (.links.next != null), polling_state: {first: ${polling_state.first}, url: .links.next}}"}]',
      good: '[{"!http": {"url": "${polling_state.url}"}}, {"!jq": "{results: .items, iterate: (.links.next != null), polling_state: {first: ${polling_state.first}, url: (.links.next // ${polling_state.first})}}"}]',
      also: ["polling/idle-key", "http/unknown-origin"],
    },
  ],
});

const module: RuleModule = {
  rules: [standingWatermark, movingFilter, lateStart, noAddress],
  checks: {
    intake(intake, report, model) {
      const cycles = cyclesOf(intake, model);
      if (cycles !== undefined && tellCourse(cycles, intake, report, model)) return;
      // An import of what was before runs once.
      if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake)) return;
      const kept = keptPosition(intake, model) ?? keptId(intake, model);
      const inList = kept === undefined ? keptInNewList(intake, model) : undefined;
      if (inList !== undefined)
        report(lateStart, inList.at, {
          position: inList.position,
          value: "as it was left",
          name: inList.bound,
          isList: true,
        });
      if (kept === undefined) return;
      const { at, position, bound } = kept;
      report(lateStart, at, { position, value: "as it was left", name: bound });
    },
  },
};
export default module;

/** Tells what the course of cycles shows. @returns whether it tells how the position moves */
function tellCourse(cycles: Cycles, intake: IntakeSymbol, report: Report, model: Model): boolean {
  const cycle = cycles.first;
  const lost = addressless(cycles, intake);
  if (lost !== undefined) report(noAddress, lost.at, lost.args);
  // What was read before the change of a bound is the same in all of them.
  const left = pageTokenLeft(cycles);
  if (left !== undefined) {
    const position = nameOf(left.position);
    report(lateStart, placeOf(left.position), {
      position,
      value: "as it was left",
      name: nameOf(left.sync),
    });
    return true;
  }
  const [bound = syncTokenIn(cycle), ...others] = leavesOf(cycle.pages[0]!).filter(isBound);
  if (bound === undefined || others.length > 0) return tellKeptToken(cycles, intake, report);
  const at = placeOf(bound);
  const name = nameOf(bound);
  const moves = inEach(cycles, (each) => movesWithPages(bound, each));
  if (moves) {
    const position = positionIn(cycles);
    if (position !== undefined && !movesEarly(intake, model))
      report(movingFilter, at, { name, position: nameOf(position) });
    return true;
  }
  // An import of what was before runs once.
  if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake)) return false;
  if (
    inEach(cycles, (each) => stands(each) || movesWhenCut(each, bound)) &&
    !standsByForm(intake, model) &&
    leastRecordOf(intake, model) === undefined
  )
    report(standingWatermark, at, { name, value: `${bound.value}` });
  const mayBeLate = leavesOf(cycle.pages[1]).some(
    (leaf) => isPosition(leaf, cycle) && startsLate(leaf, bound, cycle),
  );
  const position = mayBeLate ? positionIn(cycles) : undefined;
  if (position === undefined || !inEach(cycles, (each) => startsLate(position, bound, each)))
    return tellKeptToken(cycles, intake, report);
  const begun = valueIn(cycle.next, position);
  report(lateStart, placeOf(position), {
    position: nameOf(position),
    value: typeof begun === "number" ? `${begun}` : "as it was left",
    name,
  });
  return true;
}

/**
 * Tells of a token of the list that was read to its end, with which the next cycle begins, although the end has moved the time from which a new list
 * is asked for.
 */
function tellKeptToken(cycles: Cycles, intake: IntakeSymbol, report: Report): boolean {
  if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake)) return false;
  const position = leavesOf(cycles.first.pages[1]).find((leaf) => isPosition(leaf, cycles.first));
  const bounds = leavesOf(cycles.first.pages[0]).filter(
    ({ names, expansion: { root } }) =>
      root === "polling_state" && names.some((name) => boundName(name)?.end === "lower"),
  );
  const [bound] = bounds;
  if (position === undefined || bound === undefined) return false;
  const keeps = (cycle: Cycle): boolean => {
    const { pages, next } = cycle;
    const later = valueIn(next, position);
    return (
      isPosition(position, cycle) &&
      isTrue(pages[2].iterate) === false &&
      (valueIn(pages[0], position) ?? null) === null &&
      typeof later === "string" &&
      /^after \d$/.test(later) &&
      bounds.every((each) => movesAtEnd(each, cycle))
    );
  };
  if (!inEach(cycles, keeps)) return false;
  report(lateStart, placeOf(position), {
    position: nameOf(position),
    value: "as it was left",
    name: nameOf(bound),
    isToken: true,
  });
  return true;
}

/** Whether a key of the state stays until the last page was read, and is another one then. */
function movesAtEnd({ expansion: { syntax } }: Leaf, { pages }: Cycle): boolean {
  const key = syntax.path[1]?.text ?? "";
  const [first, second, last] = pages.map(({ before, state }) =>
    areEqual(memberOf(before, key), memberOf(state, key)),
  );
  return first === true && second === true && last === false;
}

/** What stands for all that was read before, as a token that the last page gives; it is the same for all pages of a list. */
const syncTokenIn = ({ pages, next }: Cycle): Leaf | undefined =>
  leavesOf(pages[0]).find((leaf) => {
    if (!isSyncToken(leaf)) return false;
    const [second, third, after] = [pages[1], pages[2], next].map((each) => valueIn(each, leaf));
    const isSame = [second, third].every((each) => each !== undefined && areEqual(each, leaf.value));
    return isSame && typeof after === "string" && !areEqual(after, leaf.value);
  });

const isSyncToken = (leaf: Leaf): boolean =>
  [nameOf(leaf), leaf.expansion.syntax.path.at(-1)?.text ?? ""].some((name) =>
    /^(?:sync|delta)_?(?:token|link|cursor)$/i.test(name),
  );

/** A token of a page that is sent again when all pages were read, beside one that stands for all that was read: that begins another list. */
function pageTokenLeft(cycles: Cycles): { readonly position: Leaf; readonly sync: Leaf } | undefined {
  const sync = leavesOf(cycles.first.pages[0]).find(isSyncToken);
  const position = sync === undefined ? undefined : positionIn(cycles);
  if (sync === undefined || position === undefined || isSyncToken(position)) return undefined;
  const isLeft = ({ pages, next }: Cycle): boolean =>
    isTrue(pages[2].iterate) === false &&
    valueIn(pages[0], position) === null &&
    sync.value === null &&
    (valueIn(next, sync) ?? null) !== null &&
    areEqual(valueIn(next, position) ?? UNKNOWN, valueIn(pages[2], position) ?? UNKNOWN);
  return inEach(cycles, isLeft) ? { position, sync } : undefined;
}

/** What says which page is asked for, in the same way in all cycles. */
const positionIn = (cycles: Cycles): Leaf | undefined =>
  leavesOf(cycles.first.pages[1]).find(
    (leaf) => inEach(cycles, (each) => counts(leaf, each)) || inEach(cycles, (each) => follows(leaf, each)),
  );

const isPosition = (leaf: Leaf, cycle: Cycle): boolean => counts(leaf, cycle) || follows(leaf, cycle);

/** Whether some request of the intake has no address, by what is known without a link's form. */
export function hasNoAddress(intake: IntakeSymbol, model: Model): boolean {
  const cycles = cyclesOf(intake, model);
  return cycles !== undefined && addressless(cycles, intake) !== undefined;
}

function placeOf({ expansion: { node, syntax } }: Leaf): StringPart {
  return { node, from: syntax.start, to: syntax.end };
}

function stands({ pages, next, readsTimes }: Cycle): boolean {
  return areAlike(pages[0], next) && readsTimes();
}

/** Whether a bound moves on after a cycle that was cut, and stays where it was after one that read all. */
function movesWhenCut(cycle: Cycle, bound: Leaf): boolean {
  const { pages, next } = cycle;
  const first = valueIn(pages[0], bound);
  const after = valueIn(next, bound);
  if (first === undefined || after === undefined || !areEqual(first, after)) return false;
  const cut = cycle.resumed === undefined ? undefined : valueIn(cycle.resumed, bound);
  if (cut === undefined || typeof cut !== typeof first || areEqual(first, cut)) return false;
  return areAlike(pages[0], next);
}

function startsLate(position: Leaf, bound: Leaf, { pages, next }: Cycle): boolean {
  const [first, later] = [valueIn(pages[0]!, position), valueIn(next, position)];
  const [before, after] = [valueIn(pages[0]!, bound), valueIn(next, bound)];
  // A token of the list that was read stands for no place in another one.
  const isLeft = first === null && typeof later === "string" && /^after \d$/.test(later);
  if (!isLeft && (typeof first !== "number" || typeof later !== "number" || later <= first)) return false;
  // Without a sync token everything is read.
  const isAlike = before === null ? typeof after === "string" : typeof before === typeof after;
  return before !== undefined && after !== undefined && isAlike && !areEqual(before, after);
}

/** A request of a cycle, or the first one of the next, that can't be sent. */
function addressless({ first: cycle, others }: Cycles, intake: Parameters<typeof usersOf>[0]) {
  const polls = usersOf(intake).some((workflow) => workflow.intake?.target === intake);
  const names = [
    "The first request",
    "The request for page 2",
    "The request for page 3",
    "The next cycle's first request",
  ];
  for (const [index, when] of names.entries()) {
    const wrongIn = (cycle: Cycle): ReturnType<typeof wrongAddress> => {
      const isReached =
        index === 0 || (index === 3 ? polls : isTrue(cycle.pages[index - 1]!.iterate) === true);
      const iteration = index === 3 ? cycle.next : cycle.pages[index]!;
      return isReached ? wrongAddress(iteration, cycle.pages[0]) : undefined;
    };
    const first = wrongIn(cycle);
    if (first !== undefined && others().every((each) => wrongIn(each)?.at.node === first.at.node))
      return { at: first.at, args: { when, value: first.value, isUrl: first.isUrl } };
  }
  return undefined;
}

/** @param first what is null from the beginning on is told by itself */
function wrongAddress({ sent }: Asking, first: Asking) {
  for (const { expansion, value } of sent) {
    const { node, syntax, position, root } = expansion;
    if ((position !== "url" && position !== "path") || (root !== "polling_state" && root !== "piped_content"))
      continue;
    const at: StringPart = { node, from: syntax.start, to: syntax.end };
    const known = resolved(value);
    const isWhole = syntax.start === 0 && syntax.end === node.value.length;
    if (position === "url" && isWhole) {
      if (known === null || known === "")
        return { at, value: known === null ? "null" : "an empty text", isUrl: true };
      const starts = isKind(known, "text") ? known.starts : known;
      if (typeof starts === "string" && /^\/[^/]/.test(starts))
        return { at, value: `\`${excerpt(starts, 40)}\``, isUrl: true };
    }
    if (syntax.start > 0 && begunWithScheme(known))
      return {
        at,
        value: `\`${excerpt(node.value.slice(0, syntax.start) + begunWithScheme(known)!, 60)}\``,
        isUrl: position === "url",
      };
    const isSegment =
      node.value.charAt(syntax.start - 1) === "/" && /^(?:[/?#]|$)/.test(node.value.slice(syntax.end));
    if (isSegment && known === null && !beginsNull(expansion, first))
      return { at, value: "a path with an empty segment", isUrl: false };
  }
  return undefined;
}

/** A value that is a whole URL. */
function begunWithScheme(value: Value): string | undefined {
  const starts = isKind(value, "text") ? value.starts : value;
  return typeof starts === "string" && /^https?:\/\//.test(starts) ? starts : undefined;
}

function beginsNull(expansion: Expansion, { sent }: Asking): boolean {
  const begun = sent.find((each) => each.expansion === expansion);
  return begun !== undefined && resolved(begun.value) === null;
}
