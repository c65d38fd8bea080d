import type { Expression } from "@configc/jq";
import type { Command, IntakeSymbol } from "../../bind/bound-nodes.ts";
import { passingOf } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { partOfUnit } from "../../bind/unit-part.ts";
import { flowOf } from "../flow.ts";
import { type Trail, trailsOf } from "../origin.ts";
import { type CountedPages, countedPages } from "../protocol/counted-pages.ts";
import { documentedEnd } from "../protocol/documented-end.ts";
import { membersOnLast } from "../protocol/documented-last.ts";
import { readingOutcomes, resolved as resolvedIn } from "../protocol/forms.ts";
import { requestedPageSize } from "../protocol/page-size.ts";
import { type Cycle, CycleOfPages, type Pages } from "./cycle.ts";
import { NOW, type Replaced } from "./evaluate.ts";
import { type Asking, type Iteration, PollingProgram, type Sent } from "./polling-program.ts";
import { type List, Readings, settle } from "./readings.ts";
import { type RecordOrder, Records, timeWriter } from "./records.ts";
import { isOfPages, type Page, tokenName } from "./roles.ts";
import { resultsMade } from "./unneeded.ts";
import { isKind, isTrue, resolved, type Source, UNKNOWN, type Value } from "./value.ts";

/** An intake that reads the three pages of a list. */
export interface Paging {
  /** The numbers that the first page may have; one of them where nothing asks for the number of a page. */
  readonly bases: readonly number[];
  /** What may stand for a token where there is no further page. */
  readonly ends: readonly (null | "")[];
  /** The members that only the last page has, as comments or names say. */
  readonly onLast: ReadonlySet<string>;
  /** Whether the list is a connection of GraphQL, of which each page names its last record. */
  readonly isConnection: boolean;
  /** What has the number of all pages, although the name alone doesn't say so. */
  readonly countsPages: CountedPages | undefined;
  /** What leads to the next page, although the name says otherwise. */
  readonly tokens: ReadonlySet<string>;
  /** What is sent for the first page, before any answer. */
  readonly first: Asking;
  /** The request that is answered with the list: what is sent behind it asks for something else. */
  readonly asks: Command;
  /** The iterations for the pages of a list, as far as the answers tell what is needed. */
  read(list: List, replaced?: Replaced): Pages;
  /**
   * The iterations for the pages of a list, and what is sent behind them, where what the state begins with and isn't known is still the same as
   * long as nothing changes it. @param lists keys that begin with a list
   */
  follow(list: List, lists: ReadonlySet<string>): { readonly pages: Pages; readonly behind: Asking };
  /** What is sent where reading goes on behind the last page. */
  behind(list: List): readonly Sent[];
  /** The same with the first request of the next cycle; undefined where the state behind the last page isn't known. */
  cycle(list: List, order: RecordOrder): Cycle | undefined;
}

/** How an intake reads a list by its own program; undefined where it can't be told what lists. */
export const pagingOf = passingOf(findPaging);

function findPaging(intake: IntakeSymbol, model: Model): Paging | undefined {
  const request = intake.commands.get("request");
  if (request === undefined) return undefined;
  const listed = listedBy(listTrails(intake, model));
  if (listed === undefined) return undefined;
  const { commands, path } = listed;
  const [command] = commands;
  const own = path[0] === "body" ? path.slice(1) : path;
  // Of `[.list[].record]` the list is what has the items.
  const item = own.indexOf("[]");
  const list = item < 0 ? own : own.slice(0, item);
  const { expansions } = partOfUnit(intake, model);
  const end = documentedEnd(intake, command.node, model);
  const facts: Facts = {
    bases: mayCountPages(intake, model) ? [0, 1] : [0],
    ends: end === undefined ? [null, ""] : [end],
    onLast: membersOnLast(command.node, intake.node, model),
    isConnection: asksForConnection(intake, model),
    countsPages: countedPages(intake, command, model),
  };
  const made = resultsMade(intake, model);
  const withTokens = (tokens: ReadonlySet<string>): ThreePages =>
    new ThreePages(
      new PollingProgram(intake, { request, commands, list, tokens }, expansions, made),
      facts,
      tokens,
    );
  const byNames = withTokens(new Set());
  const unsent = byNames.first.sent.filter(({ value }) => resolved(value) === null || resolved(value) === "");
  if (unsent.length === 0) return byNames;
  const size = requestedPageSize(intake, model);
  if (isReadToEnd(byNames, size)) return byNames;
  for (const tokens of [keptTokens(byNames, unsent, size), ...namesakes(unsent)]) {
    const byUse = tokens.size === 0 ? undefined : withTokens(tokens);
    if (byUse !== undefined && isReadToEnd(byUse, size)) return byUse;
  }
  return byNames;
}

/**
 * What an answer has under the name of a parameter or a key for which nothing is sent at first: `page_token`, `after`, each by itself, and at most
 * four.
 */
function namesakes(unsent: readonly Sent[]): readonly ReadonlySet<string>[] {
  const names = unsent.flatMap(({ names, expansion: { syntax } }) => [
    names.at(-1) ?? "",
    syntax.path.at(-1)?.text ?? "",
  ]);
  const unnamed = [...new Set(names)].filter((name) => !isOfPages(name));
  return unnamed.slice(0, 4).map((name) => new Set([name]));
}

/**
 * What the answer has under the name of a number or a flag, such as `page` or `more`, and what is sent for the next page as it is, where nothing
 * is sent for the first one: if the list is read to its end by it, it is a token.
 */
function keptTokens(paging: Paging, unsent: readonly Sent[], size: number | undefined): ReadonlySet<string> {
  const [, second] = paging.read(pagesToTry(paging, size).at(-1)!);
  return new Set(
    second.sent.flatMap(({ expansion, value }) => {
      if (!isKind(value, "part") || value.source.isAnswer !== true) return [];
      const is = typeof resolved(value);
      const isOther = is === "number" || is === "boolean";
      return isOther && unsent.some((each) => each.expansion === expansion) ? [tokenName(value.path)] : [];
    }),
  );
}

/** Whether reading goes on behind the first two of three pages, and ends with the third. */
function isReadToEnd(paging: Paging, size: number | undefined): boolean {
  const iterates = paging.read(pagesToTry(paging, size)[0]!).map(({ iterate }) => isTrue(iterate));
  return iterates[0] === true && iterates[1] === true && iterates[2] === false;
}

/** Whether a command of an intake may ask an answer for the number of a page, by what is written there. */
function mayCountPages({ node }: IntakeSymbol, { document }: Model): boolean {
  return /pag|seite|\\u/i.test(document.text.slice(node.start, node.end));
}

/** Whether a query asks for both, and the end is what the flag says. */
function asksForConnection({ node }: IntakeSymbol, { document }: Model): boolean {
  const text = document.text.slice(node.start, node.end);
  const asked = text.indexOf("hasNextPage");
  return asked >= 0 && text.lastIndexOf(".hasNextPage") > asked && text.includes("endCursor");
}

/** What is known of a list before it is read. */
type Facts = Pick<Paging, "bases" | "ends" | "onLast" | "isConnection" | "countsPages">;

class ThreePages implements Paging {
  readonly bases: Paging["bases"];
  readonly ends: Paging["ends"];
  readonly onLast: Paging["onLast"];
  readonly isConnection: Paging["isConnection"];
  readonly countsPages: Paging["countsPages"];
  readonly tokens: Paging["tokens"];
  readonly first: Asking;
  readonly asks: Command;
  private readonly program: PollingProgram;
  private readonly start: Value;
  private readonly chosen: Value;
  private readonly firsts = new Readings<Step>();
  private readonly cycles = new Map<string, Ordered>();

  constructor(
    program: PollingProgram,
    { bases, ends, onLast, isConnection, countsPages }: Facts,
    tokens: ReadonlySet<string>,
  ) {
    this.tokens = tokens;
    this.bases = bases;
    this.ends = ends;
    this.onLast = onLast;
    this.isConnection = isConnection;
    this.countsPages = countsPages;
    this.program = program;
    [this.asks] = program.listing.commands;
    this.start = program.start();
    // Where all of it is known, no choice had a part in it.
    this.chosen = isConstant(this.start) ? this.start : program.startChosen();
    this.first = program.asking({ ...untold, index: 0 }, this.start, NOW + 1);
  }

  read(list: List, replaced?: Replaced): Pages {
    if (replaced === undefined) return this.pages(list, this.start, this.firsts);
    return this.pages(list, this.start, new Readings(), plain, replaced);
  }

  follow(list: List, lists: ReadonlySet<string>): { readonly pages: Pages; readonly behind: Asking } {
    const start = named(this.start, lists);
    const pages = start === this.start ? this.read(list) : this.pages(list, start, new Readings());
    return { pages, behind: this.program.asking({ ...list, index: 2 }, pages[2].state, NOW + 4) };
  }

  behind(list: List): readonly Sent[] {
    return this.program.asking({ ...list, index: 2 }, this.read(list)[2].state, NOW + 4).sent;
  }

  cycle(list: List, order: RecordOrder): Cycle | undefined {
    const key = `${order.direction} ${order.by}`;
    let ordered = this.cycles.get(key);
    if (ordered === undefined) {
      const records = new Records(timeWriter(this.chosen), order);
      this.cycles.set(key, (ordered = { records, firsts: new Readings(), cycles: new Readings() }));
    }
    const known = ordered;
    return known.cycles.get(
      list,
      (each) => this.readCycle(each, known),
      (cycle) => cycle?.complete(),
    );
  }

  private readCycle(list: List, { records, firsts }: Ordered): CycleOfPages | undefined {
    const { program, chosen } = this;
    const pageOf = (of: List, index: Page["index"], alone?: Page["alone"]): Page => ({
      ...of,
      index,
      beginsList: true,
      ...(alone === undefined ? {} : { alone }),
      member: (name, place) => records.member(name, index, place),
    });
    const pages = this.pages(list, chosen, firsts, pageOf);
    return CycleOfPages.of(program, chosen, pages, (index, alone) => pageOf(list, index, alone), records);
  }

  /**
   * Reads page after page, each with the state that the one before it left. The same page behind the same ones is read once, for all lists that
   * differ only in what no answer said until then: nearly all of them end in another way, and begin the same.
   */
  private pages(
    list: List,
    start: Value,
    firsts: Readings<Step>,
    pageOf: (list: List, index: Page["index"]) => Page = plain,
    replaced?: Replaced,
  ): Pages {
    const step = (readings: Readings<Step>, index: Page["index"], before: Value): Step =>
      readings.get(list, (each) => {
        const read = this.program.iteration(pageOf(each, index), before, NOW + index + 1, replaced);
        settle(read);
        return { read, behind: new Readings() };
      });
    const first = step(firsts, 0, start);
    const second = step(first.behind, 1, first.read.state);
    const third = step(second.behind, 2, second.read.state);
    return [first.read, second.read, third.read];
  }
}

/** A page that was read, and what was read behind it. */
interface Step {
  readonly read: Iteration;
  readonly behind: Readings<Step>;
}

/** What was read of lists whose records are in one order. */
interface Ordered {
  readonly records: Records;
  readonly firsts: Readings<Step>;
  readonly cycles: Readings<CycleOfPages | undefined>;
}

const plain = (list: List, index: Page["index"]): Page => ({ ...list, index });

function isConstant(state: Value): boolean {
  return (
    isKind(state, "record") &&
    !state.open &&
    [...state.members.values()].every((value) => value === null || typeof value !== "object")
  );
}

/** A state with names for what isn't known of it; a list has three items. */
function named(state: Value, lists: ReadonlySet<string>): Value {
  if (!isKind(state, "record") || ![...state.members.values()].includes(UNKNOWN)) return state;
  const item = (...path: readonly string[]): Value => ({ kind: "part", path, source: unknowable });
  const members = [...state.members].map(([key, value]): [string, Value] => {
    if (value !== UNKNOWN) return [key, value];
    return [
      key,
      lists.has(key) ? { kind: "list", items: ["a", "b", "c"].map((name) => item(key, name)) } : item(key),
    ];
  });
  return { ...state, members: new Map(members) };
}

/** An item of a list is there, whatever it is. */
const unknowable: Source = { resolve: () => UNKNOWN, isThere: ({ length }) => length > 1 };

/** A list of which no answer says anything. */
export const untold = { size: undefined, base: undefined, end: null, isTold: false } as const;

/**
 * The lists of which any may be meant, as far as that isn't known: their first page has the number that is sent first, or either of the
 * usual ones, and behind the last page a token is null or empty, unless a comment says which.
 *
 * @param size records of a full page
 */
export function pagesToTry(paging: Paging, size: number | undefined): readonly List[] {
  return basesOf(paging).flatMap((base) =>
    paging.ends.map((end) => ({
      size,
      base,
      end,
      isTold: true,
      onLast: paging.onLast,
      isConnection: paging.isConnection,
      countsPages: paging.countsPages,
    })),
  );
}

function basesOf(paging: Paging): readonly number[] {
  for (const { expansion, value } of paging.first.sent) {
    const key = expansion.syntax.path.at(-1)?.text ?? "";
    if (/pag|seite/i.test(key) && (value === 0 || value === 1)) return [value];
  }
  return paging.bases;
}

/** Where the list comes from whose records become `results`, the same one on all ways that read something. */
function listTrails(intake: IntakeSymbol, model: Model): readonly Trail[] {
  const found = readingOutcomes(intake, model).map(({ members, program }) => {
    const list = listIn(resolvedIn(members.get("results"), program));
    return list === undefined ? [] : trailsOf(flowOf(model), program, list);
  });
  const [first = [], ...others] = found;
  return others.every((each) => areSame(first, each)) ? first : [];
}

/** The requests that are answered with the list, in the same place of each answer; undefined where something else may be the list. */
function listedBy(
  trails: readonly Trail[],
): { readonly commands: readonly [Command, ...Command[]]; readonly path: readonly string[] } | undefined {
  const origins = trails.flatMap(({ origin }) => (origin.kind === "response" ? [origin] : []));
  const [first, ...others] = origins;
  if (first === undefined || origins.length < trails.length) return undefined;
  if (others.some(({ path }) => path.join("\n") !== first.path.join("\n"))) return undefined;
  return { commands: [first.command, ...others.map(({ command }) => command)], path: first.path };
}

/** Whether both lead to one list of one answer. */
function areSame([one, ...more]: readonly Trail[], [other, ...others]: readonly Trail[]): boolean {
  if (more.length > 0 || others.length > 0) return false;
  if (one?.origin.kind !== "response" || other?.origin.kind !== "response") return false;
  return (
    one.origin.command === other.origin.command && one.origin.path.join("\n") === other.origin.path.join("\n")
  );
}

/** `.items[]` of `[.items[] | {id}]`, `.items` of `.items | map({id})`. */
function listIn(node: Expression | undefined): Expression | undefined {
  switch (node?.kind) {
    case "Group":
      return listIn(node.body);
    case "Array":
      return listIn(node.body);
    case "Pipeline": {
      // `.station_id as $station | .gifts[] | {…}`: behind a name comes in what came in before it.
      const first = node.stages.find(({ kind }) => kind !== "Binding");
      return first?.kind === "Binding" || first?.kind === "Definition" || first?.kind === "Label"
        ? undefined
        : listIn(first);
    }
    case "Alternative":
      return listIn(node.operands[0]);
    case "Postfix":
    case "Identity":
    // Of a part that a pattern took, `as {nodes: $orders}`.
    case "Variable":
      return node;
    default:
      return undefined;
  }
}
