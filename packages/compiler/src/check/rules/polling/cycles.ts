import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import { isBackwards } from "../../../flow/machine/page-order.ts";
import { type Cycle, type Iteration, pagesToTry, pagingOf } from "../../../flow/machine/paging.ts";
import { areEqual, UNKNOWN, type Value } from "../../../flow/machine/value.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { listRequestOf } from "../../../flow/protocol/list-request.ts";
import { requestedPageSize, sizeParam } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";

/** The cycles that an intake goes through with the lists of which any may be meant. */
export interface Cycles {
  readonly all: readonly Cycle[];
  /** In which order the request asks for the records; undefined where it doesn't say. */
  readonly order: "ascending" | "descending" | undefined;
}

const known = derived((): Map<IntakeSymbol, Cycles | undefined> => new Map());

/** How an intake reads a list and begins the next cycle, read once for all rules. */
export function cyclesOf(intake: IntakeSymbol, model: Model): Cycles | undefined {
  const all = known(model);
  if (!all.has(intake)) all.set(intake, read(intake, model));
  return all.get(intake);
}

function read(intake: IntakeSymbol, model: Model): Cycles | undefined {
  if (intake.type !== "polling" || !isReadable(intake, model)) return undefined;
  const paging = pagingOf(intake, model);
  if (paging === undefined) return undefined;
  const [first] = paging.read({ size: undefined, base: undefined, end: null, isTold: false });
  const leaves = first === undefined ? [] : leavesOf(first);
  const size = requestedPageSize(intake, model)?.size ?? sizeIn(leaves) ?? USUAL_SIZE;
  const order = orderIn(leaves, intake, model);
  const all = pagesToTry(paging, size)
    .flatMap((page) => paging.cycle(page, order ?? "ascending") ?? [])
    .filter(({ pages }) => !isBackwards(pages));
  return all.length === 0 ? undefined : { all, order };
}

/** Records of a page where the request doesn't say it. */
const USUAL_SIZE = 100;

function sizeIn(leaves: readonly Leaf[]): number | undefined {
  const sizes = leaves.filter(({ names, value }) => sizeParam.test(names.at(-1) ?? "") && Number(value) > 0);
  return sizes.length === 1 ? Number(sizes[0]?.value) : undefined;
}

const orderName = /^(?:sort|order|direction)|(?:sort|order|direction)(?:s|_?by|_?dir)?$/i;

function orderIn(leaves: readonly Leaf[], intake: IntakeSymbol, model: Model): Cycles["order"] {
  const constants = (listRequestOf(intake, model)?.parameters ?? []).flatMap(({ name, constant }) =>
    constant === undefined ? [] : [{ names: name.split("."), value: constant }],
  );
  const texts = [...leaves, ...constants].flatMap(({ names, value }) =>
    typeof value === "string" && names.some((name) => orderName.test(name)) ? [value] : [],
  );
  if (texts.length === 0) return undefined;
  return texts.some((text) => /(?:^|[^a-z])desc|^-|:-/i.test(text)) ? "descending" : "ascending";
}

/** A lower bound of a time that a request sends. */
export const isBound = ({ names, value }: Leaf): boolean =>
  (typeof value === "string" ? /^\d{4}-\d\d-\d\dT/.test(value) : typeof value === "number" && value > 1e9) &&
  names.some((name) => boundName(name)?.end === "lower");

/** The same value in another iteration. */
export function valueIn(iteration: Iteration, { names, expansion }: Leaf): Value | undefined {
  return leavesOf(iteration).find(
    (leaf) => leaf.expansion === expansion && leaf.names.join("\n") === names.join("\n"),
  )?.value;
}

const counter =
  /^(?:page|p|offset|skip|start)$|(?:^|[_[$])(?:page|offset|skip)(?:_?(?:no|number|index))?\]?$|^start_?(?:at|index)$/i;

/** Whether a value is the number of a page or of a record that counts up from page to page. */
export function counts(leaf: Leaf, { pages }: Cycle): boolean {
  const [first, second, third] = pages.map((page) => valueIn(page, leaf));
  return (
    counter.test(leaf.names.at(-1) ?? "") &&
    typeof first === "number" &&
    typeof second === "number" &&
    typeof third === "number" &&
    second > first &&
    third > second
  );
}

/** Whether a value is the token that the answer before gave. */
export function follows(leaf: Leaf, { pages }: Cycle): boolean {
  const [, second, third] = pages.map((page) => valueIn(page, leaf));
  return second === "after 0" && third === "after 1";
}

/** Whether nothing that two iterations send differs, as far as they depend on the state. */
export function areAlike(one: Iteration, other: Iteration): boolean {
  const [first, second] = [leavesOf(one), leavesOf(other)];
  return (
    first.length === second.length &&
    first.every(({ value, expansion }, at) => {
      const isGiven = expansion.root !== "polling_state" && expansion.root !== "piped_content";
      return isGiven || (value !== UNKNOWN && areEqual(value, second[at]?.value ?? UNKNOWN));
    })
  );
}
