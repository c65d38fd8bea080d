import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { passingOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import type { Cycle } from "../../../flow/machine/cycle.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import { isBackwards } from "../../../flow/machine/page-order.ts";
import { pagesToTry, pagingOf } from "../../../flow/machine/paging.ts";
import type { Asking } from "../../../flow/machine/polling-program.ts";
import type { List } from "../../../flow/machine/readings.ts";
import { areEqual, isTrue, type Value } from "../../../flow/machine/value.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { documentedDirection, documentedOrder } from "../../../flow/protocol/documented-order.ts";
import { isSizeParam, requestedPageSize } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { isTimeName } from "../../../flow/protocol/time-names.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import { parseTemplate } from "../../../parse/template.ts";

/** The cycles that an intake goes through with the lists of which any may be meant. */
export interface Cycles {
  readonly first: Cycle;
  /** The others: most rules find nothing in the first one, and these are read where one does. */
  others(): readonly Cycle[];
  /** In which order the request asks for the records, or a comment says they come; undefined where neither does. */
  readonly order: "ascending" | "descending" | undefined;
  /** The time by which it asks for it, `ended_at`. */
  readonly by: string | undefined;
  /** The same as all of them, with the newest first, where the request doesn't say the order. */
  otherwise(): readonly Cycle[];
}

/** How an intake reads a list and begins the next cycle, read once for all rules. */
export const cyclesOf = passingOf(read);

function read(intake: IntakeSymbol, model: Model): Cycles | undefined {
  if (intake.type !== "polling" || !isReadable(intake, model)) return undefined;
  const paging = pagingOf(intake, model);
  if (paging === undefined) return undefined;
  const leaves = leavesOf(paging.first);
  const size = requestedPageSize(intake, model) ?? sizeIn(leaves, model) ?? USUAL_SIZE;
  const texts = orderTexts(leaves, intake, model);
  const isDescending = texts.some((text) => /(?:^|[^a-z])desc|^-|:-|newest|latest|recent/i.test(text));
  const named = texts.flatMap((text) => text.match(/[a-z]\w*/gi) ?? []).find(isTimeName);
  // What is asked to be sorted by something else, isn't sorted as a comment says of another list.
  const by = texts.length === 0 ? saidOrder(intake, model) : named?.replace(/_(?:asc|desc)(?:ending)?$/i, "");
  const lists = pagesToTry(paging, size);
  const cycleOf = (list: List, direction: "ascending" | "descending"): Cycle | undefined => {
    const cycle = paging.cycle(list, { direction, by });
    return cycle === undefined || isBackwards(cycle.pages) ? undefined : cycle;
  };
  const cyclesIn = (direction: "ascending" | "descending"): readonly Cycle[] => {
    const found = [...new Set(lists.flatMap((list) => cycleOf(list, direction) ?? []))];
    // Where one kind of service is read to its end, that is the one that is meant.
    const ending = found.filter(isEnding);
    return ending.length > 0 ? ending : found;
  };
  const order = texts.length === 0 ? saidDirection(intake, model) : isDescending ? "descending" : "ascending";
  const likely = cycleOf(lists[0]!, order ?? "ascending");
  const [first] = likely !== undefined && isEnding(likely) ? [likely] : cyclesIn(order ?? "ascending");
  if (first === undefined) return undefined;
  return {
    first,
    others: () => cyclesIn(order ?? "ascending").slice(1),
    order,
    by,
    otherwise: () => (order === undefined ? cyclesIn("descending") : []),
  };
}

/** Whether a cycle goes on behind each page but the last one. */
const isEnding = ({ pages }: Cycle): boolean =>
  pages.every(({ iterate }, index) => isTrue(iterate) === index < pages.length - 1);

/** Whether something holds in all cycles. */
export const inEach = ({ first, others }: Cycles, holds: (cycle: Cycle) => boolean): boolean =>
  holds(first) && others().every(holds);

/** The time by which comments say that the list comes. */
function saidOrder(intake: IntakeSymbol, model: Model): string | undefined {
  const request = intake.commands.get("request");
  return request === undefined || !hasComments(model) ? undefined : documentedOrder(request.node);
}

/** The order in which comments say that the list comes. */
function saidDirection(intake: IntakeSymbol, model: Model): Cycles["order"] {
  const request = intake.commands.get("request");
  return request === undefined || !hasComments(model) ? undefined : documentedDirection(request.node);
}

/** Records of a page where the request doesn't say it. */
const USUAL_SIZE = 100;

/** The size of a page that the state holds. */
export function sizeIn(leaves: readonly Leaf[], model: Model): number | undefined {
  const sizes = leaves.filter(
    ({ names, value }) => isSizeParam(names.at(-1) ?? "", model) && Number(value) > 0,
  );
  return sizes.length === 1 ? Number(sizes[0]?.value) : undefined;
}

const orderName = /^(?:sort|order|direction)|(?:sort|order|direction)(?:s|_?by|_?dir)?$/i;

/** What the requests of a cycle say of an order, in what they send and in texts that stay the same. */
function orderTexts(leaves: readonly Leaf[], intake: IntakeSymbol, model: Model): readonly string[] {
  const roots = ["pre_poll", "request"].map((name) => intake.commands.get(name));
  const constants = partOfUnit(intake, model).commands.flatMap((command) => {
    const { key, argument } = command;
    if (key !== "!http" || argument?.kind !== "object" || !roots.includes(outermostCommand(command)))
      return [];
    return ["params", "body"].flatMap((name) => textsIn(argument.get(name), []));
  });
  return [...leaves, ...constants].flatMap(({ names, value }) => {
    if (typeof value !== "string") return [];
    if (names.some((name) => orderName.test(name))) return [value];
    return names.at(-1) === "query" ? [...value.matchAll(orderArgument)].map(([, order]) => order!) : [];
  });
}

/** `orderBy: CHANGED_AT` in a query. */
const orderArgument = /\b(?:orderBy|order_by|sort|sortBy|sort_by|sortKey)\s*:\s*([A-Za-z][\w]*)/g;

function textsIn(
  node: JsonNode | undefined,
  names: readonly string[],
): readonly Pick<Leaf, "names" | "value">[] {
  if (node?.kind === "object")
    return node.members.flatMap(({ name, value }) => textsIn(value, [...names, name]));
  if (node?.kind === "array") return node.items.flatMap((item) => textsIn(item, names));
  const isPlain = node?.kind === "string" && parseTemplate(node.value) === undefined;
  return isPlain ? [{ names, value: node.value }] : [];
}

/** A lower bound of a time that a request sends. */
export const isBound = ({ names, value }: Leaf): boolean =>
  (typeof value === "string" ? /^\d{4}-\d\d-\d\dT/.test(value) : typeof value === "number" && value > 1e9) &&
  names.some((name) => boundName(name)?.end === "lower");

/** The same value in another iteration. */
export function valueIn(iteration: Asking, leaf: Leaf): Value | undefined {
  return leafIn(iteration, leaf)?.value;
}

/** The same place in another iteration. */
export function leafIn(iteration: Asking, { names, expansion }: Leaf): Leaf | undefined {
  return leavesOf(iteration).find(
    (leaf) =>
      leaf.expansion === expansion && (leaf.names === names || leaf.names.join("\n") === names.join("\n")),
  );
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
export function areAlike(one: Asking, other: Asking): boolean {
  const [first, second] = [leavesOf(one), leavesOf(other)];
  return (
    first.length === second.length &&
    first.every(({ given, expansion }, at) => {
      const isGiven = expansion.root !== "polling_state" && expansion.root !== "piped_content";
      return isGiven || areEqual(given, second[at]!.given);
    })
  );
}

/** Whether a bound is another one with each page. */
export function movesWithPages(bound: Leaf, { pages }: Cycle): boolean {
  const [first, second, third] = pages.map((page) => valueIn(page, bound));
  if (first === undefined || second === undefined || third === undefined) return false;
  return (
    typeof first === typeof second &&
    typeof third === typeof second &&
    !(first === second && second === third)
  );
}
