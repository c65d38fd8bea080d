import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { passingOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { bare, isExpression, partAt, textAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { resolved, waysOf } from "../../../flow/protocol/forms.ts";
import { isKept, keepsKey, saidBy } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { Location } from "../../../parse/document.ts";

/*
 * What becomes of a place in a list after a cycle that was cut, by the form of the programs alone: for times and answers of which a made-up
 * service says nothing.
 */

/** A place that is lost, or whose window moves away from under it. */
export interface CutPlace {
  readonly at: Location;
  /** The names under which they are sent. */
  readonly name: string;
  readonly position: string;
}

/** A key that is sent, with the name under which it is. */
export interface Sent {
  readonly key: string;
  readonly param: string;
}

/**
 * A place that the beginning or the end of each cycle sets back, although `request` keeps it while there are more pages and clears it itself
 * behind the last one: there is no other reason to keep it. In an import whatever place is set back, because it goes on with the next cycle.
 *
 * @param isSaid a comment says that the next cycle goes on: then the number of a page or record is such a place, too
 */
export function placeSetBack(intake: IntakeSymbol, isSaid: boolean, model: Model): CutPlace | undefined {
  if (!isReadable(intake, model)) return undefined;
  const users = usersOf(intake);
  if (users.length === 0) return undefined;
  const isPolled = users.some((workflow) => workflow.intake?.target === intake);
  const sent = sentKeys(intake, model);
  for (const command of ["pre_poll", "post_poll"]) {
    const writes = writesIn(intake, command, model) ?? [];
    const [write] = writes;
    if (write === undefined) continue;
    for (const { key, param } of sent) {
      const values = writes.map(({ keys }) => keys.get(key));
      const [value] = values;
      if (value === undefined || !values.every((each) => each !== undefined && isFixed(each))) continue;
      const isLost = isPolled
        ? (isSaid || constantOf(bare(value)) === null) &&
          sent.some(
            (other) =>
              other.key !== key &&
              writes.every((each) => keepsKey(each, other.key)) &&
              closes(key, other.key, intake, model),
          )
        : writes.length === 1 && write.conditions.length === 0 && followsAnswer(key, intake, model);
      if (isLost) return { at: partAt(write.program, value), name: param, position: param };
    }
  }
  return undefined;
}

const isFixed = (value: Expression): boolean => constantOf(bare(value)) !== undefined;

/** The end of a window that each cycle moves, where a place in the window is kept over cycles. */
export function windowMovedAway(intake: IntakeSymbol, model: Model): CutPlace | undefined {
  if (!isReadable(intake, model)) return undefined;
  const sent = sentKeys(intake, model);
  const [write, ...others] = writesIn(intake, "pre_poll", model) ?? [];
  if (write === undefined || others.length > 0 || write.conditions.length > 0) return undefined;
  const after = writesIn(intake, "post_poll", model);
  const end = sent.find(
    ({ key, param }) =>
      boundName(param)?.end === "upper" &&
      write.keys.has(key) &&
      !mayStay(write.keys.get(key)!, key, write.program),
  );
  const value = end === undefined ? undefined : write.keys.get(end.key);
  if (end === undefined || value === undefined || after === undefined) return undefined;
  const place = sent.find(({ key }) => {
    if (key === end.key || !keepsKey(write, key)) return false;
    const starts = sent.filter((start) => start.key !== key && start.key !== end.key);
    return after.every((each) => keepsKey(each, key))
      ? starts.some((start) => closes(key, start.key, intake, model))
      : starts.some((start) => closesAfter(key, start.key, end.key, after));
  });
  return place && { at: partAt(write.program, value), name: end.param, position: place.param };
}

/**
 * A start that each end of a cycle moves to the end of the window, where the beginning of the next one keeps window and place as long as a key
 * that `request` sets says that there are more pages.
 */
export function windowClosedEachCycle(intake: IntakeSymbol, model: Model): CutPlace | undefined {
  if (!isReadable(intake, model)) return undefined;
  const [before, reading, after] = ["pre_poll", "request", "post_poll"].map((name) =>
    writesIn(intake, name, model),
  );
  const [closing] = after ?? [];
  if (before === undefined || reading === undefined || after === undefined || closing === undefined)
    return undefined;
  const sent = sentKeys(intake, model);
  const keptByAll = (key: string): boolean => after.every((write) => keepsKey(write, key));
  const isAsked = before.some(({ program, conditions }) => {
    const { keys, all, clock, input } = stateDependence(program, conditions);
    const asked = [...keys];
    return (
      asked.some((key) => reading.some((write) => !keepsKey(write, key))) &&
      asked.every(keptByAll) &&
      !(all || clock || input)
    );
  });
  if (!isAsked) return undefined;
  for (const start of sent.filter(({ param }) => boundName(param)?.end === "lower")) {
    const value = closing.keys.get(start.key);
    const end = value === undefined ? undefined : keptKey(value, closing.program);
    if (value === undefined || end === undefined || end === start.key) continue;
    if (!sent.some(({ key, param }) => key === end && boundName(param)?.end === "upper")) continue;
    const moves = after.every(
      ({ keys, program }) => keys.has(start.key) && keptKey(keys.get(start.key)!, program) === end,
    );
    const place = sent.find(
      ({ key }) =>
        key !== start.key &&
        key !== end &&
        keptByAll(key) &&
        reading.every((write) => !keepsKey(write, key)) &&
        (before.some(({ keys }) => keys.has(key) && constantOf(keys.get(key)!) !== undefined) ||
          reading.every((write) => startsAgain(write, key))),
    );
    const isKeptOn =
      place !== undefined &&
      before.some((write) => [start.key, end, place.key].every((key) => keepsKey(write, key)));
    if (moves && isKeptOn)
      return { at: partAt(closing.program, value), name: start.param, position: place.param };
  }
  return undefined;
}

/** `after: (if $more then $rows[-1].id else 0 end)`: behind the last page it begins again. */
function startsAgain({ keys, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  const ways = value === undefined ? [] : waysOf(value, program);
  const isFixed = ways.map((way) => constantOf(bare(way)) !== undefined);
  return isFixed.includes(true) && isFixed.includes(false);
}

/**
 * A start that each end of a cycle moves to the end of the window, where it also sets back the key in which `request` says whether there are
 * more pages: the beginning of the next cycle asks for that key to keep the window, and never finds it.
 */
export function windowClosedUnread(intake: IntakeSymbol, model: Model): CutPlace | undefined {
  if (!isReadable(intake, model)) return undefined;
  const [before, reading, after] = ["pre_poll", "request", "post_poll"].map((name) =>
    writesIn(intake, name, model),
  );
  const [closing, ...others] = after ?? [];
  if (before === undefined || reading === undefined || closing === undefined) return undefined;
  if (others.length > 0 || closing.conditions.length > 0) return undefined;
  const isSet = ({ keys }: StateWrite, key: string): boolean => {
    const value = keys.get(key);
    return value !== undefined && isFixed(value);
  };
  const isSaid = (key: string): boolean =>
    reading.some((write) => write.keys.has(key) && !keepsKey(write, key) && !isSet(write, key));
  const isUnread = before.some(({ program, conditions }) => {
    const { keys, all, clock, input } = stateDependence(program, conditions);
    return (
      keys.size > 0 &&
      !(all || clock || input) &&
      [...keys].every((key) => isSaid(key) && isSet(closing, key))
    );
  });
  if (!isUnread) return undefined;
  const sent = sentKeys(intake, model);
  for (const start of sent.filter(({ param }) => boundName(param)?.end === "lower")) {
    const value = closing.keys.get(start.key);
    const end = value === undefined ? undefined : keptKey(value, closing.program);
    const isEnd = sent.some(({ key, param }) => key === end && boundName(param)?.end === "upper");
    if (value === undefined || end === undefined || end === start.key || !isEnd) continue;
    const place = sent.find(({ key }) => key !== start.key && key !== end && isSaid(key));
    const isKeptOn =
      place !== undefined &&
      before.some((write) => [start.key, end, place.key].every((key) => keepsKey(write, key)));
    if (isKeptOn) return { at: partAt(closing.program, value), name: start.param, position: place.param };
  }
  return undefined;
}

/** Whether the end of a cycle sets a place back where the start takes over the end, and otherwise keeps both. */
function closesAfter(place: string, start: string, end: string, after: readonly StateWrite[]): boolean {
  const isClosing = ({ keys, program }: StateWrite): boolean => {
    const [set, moved] = [keys.get(place), keys.get(start)];
    return (
      set !== undefined &&
      constantOf(set) !== undefined &&
      moved !== undefined &&
      keptKey(moved, program) === end
    );
  };
  const isOpen = (write: StateWrite): boolean => keepsKey(write, place) && keepsKey(write, start);
  return (
    after.some(isClosing) && after.some(isOpen) && after.every((each) => isClosing(each) || isOpen(each))
  );
}

const mayStay = (value: Expression, key: string, program: JqProgram): boolean =>
  waysOf(value, program).some((way) => isKept(way, key, program));

/** The keys that are sent under a name of their own. Ten rules ask for them. */
export const sentKeys = passingOf((intake: IntakeSymbol, model: Model): readonly Sent[] =>
  (askedBy(intake, model)?.reads ?? []).flatMap((read) => {
    const param = paramOf(read);
    return param === undefined ? [] : [{ key: read.key, param }];
  }),
);

/** A way through `request`, with what it gives two keys; undefined where it leaves them. */
interface Way {
  readonly place: Expression | undefined;
  /** It is taken where the place is nothing. */
  readonly isNone?: boolean;
  readonly start: Expression | undefined;
  readonly program: JqProgram;
}

/** Whether `request` moves a place as long as a start stays, and sets it back where the start moves: behind the last page. */
export function closes(place: string, start: string, intake: IntakeSymbol, model: Model): boolean {
  const ways = (writesIn(intake, "request", model) ?? []).flatMap((write): readonly Way[] => {
    const both = [write.keys.get(place), write.keys.get(start)] as const;
    if (both.some((each) => each === undefined) && !write.keepsOthers) return [];
    return together(...both, write);
  });
  const kinds = ways.map((way) => kindOf(way, place, start));
  return kinds.includes("going") && kinds.includes("closing") && !kinds.includes(undefined);
}

/** `{cursor: (if .more then .next else null end), since: (if .more then $s.since else $newest end)}`: two ways of one condition. */
function together(
  place: Expression | undefined,
  start: Expression | undefined,
  { program, when }: StateWrite,
): readonly Way[] {
  const none = when.find(({ condition }) => asksForNone(condition, place, program) !== undefined);
  const isNone = none !== undefined && asksForNone(none.condition, place, program) === none.holds;
  const alone: readonly Way[] = [{ place, start, isNone, program }];
  const [one, other] = [place, start].map((each) => (each === undefined ? undefined : bare(each)));
  const [asked, ...more] = other?.kind === "If" ? other.branches : [];
  if (asked === undefined || other?.kind !== "If" || other.otherwise === undefined || more.length > 0)
    return alone;
  const starts = [asked.body, other.otherwise];
  if (one?.kind !== "If") {
    // `{cursor: .next, since: (if .next == null then $newest else $s.since end)}`: behind the last page the token is nothing by itself.
    const isAsked = asksForNone(asked.condition, place, program);
    if (isAsked === undefined) return alone;
    return starts.map((each, index) => ({ place, start: each, isNone: isAsked === (index === 0), program }));
  }
  const [first, ...others] = one.branches;
  const isSame = first === undefined ? undefined : saidBy(asked.condition, first.condition, program);
  if (first === undefined || one.otherwise === undefined || others.length > 0 || isSame === undefined)
    return alone;
  const places = isSame ? [first.body, one.otherwise] : [one.otherwise, first.body];
  return starts.map((each, index) => ({ place: places[index], start: each, program }));
}

/** Whether a condition holds where a place is nothing, or else where it is something; undefined where it asks for anything else. */
function asksForNone(
  condition: Expression,
  place: Expression | undefined,
  program: JqProgram,
): boolean | undefined {
  const own = resolved(condition, program);
  const made = place === undefined ? undefined : resolved(place, program);
  if (own === undefined || made === undefined || isFixed(made)) return undefined;
  const isPlace = (node: Expression): boolean => {
    const each = resolved(node, program) ?? node;
    return each === made || textAt(each, program) === textAt(made, program);
  };
  if (isPlace(own)) return false;
  if (own.kind === "Pipeline") {
    const [asked, last, ...others] = own.stages;
    const isNegated = last?.kind === "Call" && last.name.text === "not" && others.length === 0;
    const is = isNegated && isExpression(asked!) ? asksForNone(asked, place, program) : undefined;
    return is === undefined ? undefined : !is;
  }
  if (own.kind !== "Comparison" || constantOf(own.right) !== null || !isPlace(own.left)) return undefined;
  return own.operator === "==" ? true : own.operator === "!=" ? false : undefined;
}

function kindOf(
  { place, start, isNone, program }: Way,
  placeKey: string,
  startKey: string,
): "going" | "closing" | undefined {
  const stays = start === undefined || isKept(start, startKey, program);
  if (place === undefined) return undefined;
  if (isNone === true || isFixed(place)) return stays ? undefined : "closing";
  return stays && !isKept(place, placeKey, program) ? "going" : undefined;
}

/** Whether each page moves a key to something that the answer has, where it moves it. */
export function followsAnswer(key: string, intake: IntakeSymbol, model: Model): boolean {
  const values = (writesIn(intake, "request", model) ?? []).flatMap(({ keys, program }) => {
    const value = keys.get(key);
    return value === undefined ? [] : waysOf(value, program).map((way) => ({ way, program }));
  });
  const moved = values.filter(({ way, program }) => !isKept(way, key, program));
  return (
    moved.length > 0 &&
    moved.every(({ way, program }) => constantOf(way) === undefined && stateDependence(program, [way]).input)
  );
}
