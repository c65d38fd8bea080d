import type { Expression } from "@configc/jq";
import type { Command, Expansion, IntakeSymbol } from "../../bind/bound-nodes.ts";
import { derived } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { partOfUnit } from "../../bind/unit-part.ts";
import { flowOf } from "../flow.ts";
import { type Trail, trailsOf } from "../origin.ts";
import { onlyOutcome, resolved as resolvedIn } from "../protocol/forms.ts";
import { NOW, type Replaced } from "./evaluate.ts";
import { type Page, pageAnswer } from "./roles.ts";
import { record, run, segmentOf, type World } from "./run.ts";
import { isKind, memberOf, type Source, UNKNOWN, type Value } from "./value.ts";

/** An expansion in a request, with its value. */
export interface Sent {
  readonly expansion: Expansion;
  readonly value: Value;
}

/** One iteration of `request`. */
export interface Iteration {
  /** What it sends that may be another one the next time, in the order of the document. */
  readonly sent: readonly Sent[];
  readonly iterate: Value;
  readonly results: Value;
  /** The state that it leaves. */
  readonly state: Value;
}

/** An intake that reads the three pages of a list. */
export interface Paging {
  /** The iterations for the pages of a list, as far as the answers tell what is needed. */
  read(page: Omit<Page, "index">, replaced?: Replaced): readonly Iteration[];
  /** The same with the first request of the next cycle; undefined where the state behind the last page isn't known. */
  cycle(page: Omit<Page, "index">, order: "ascending" | "descending"): Cycle | undefined;
}

/** A cycle that reads all three pages. */
export interface Cycle {
  readonly pages: readonly Iteration[];
  /** The first iteration of the next one. */
  readonly next: Iteration;
  /** The same after a cycle that was cut behind its first page. */
  readonly resumed: Iteration | undefined;
  /** The time of the records of the second page; undefined where it isn't known how the service writes times. */
  readonly unread: string | number | undefined;
  /** Whether times of records were read. */
  readonly readsTimes: boolean;
}

/** How an intake reads a list by its own program; undefined where it can't be told what lists. */
export function pagingOf(intake: IntakeSymbol, model: Model): Paging | undefined {
  const known = pagings(model);
  if (!known.has(intake)) known.set(intake, findPaging(intake, model));
  return known.get(intake);
}

const pagings = derived((): Map<IntakeSymbol, Paging | undefined> => new Map());

function findPaging(intake: IntakeSymbol, model: Model): Paging | undefined {
  const request = intake.commands.get("request");
  if (request === undefined) return undefined;
  const [trail, ...others] = listTrails(intake, model);
  if (trail?.origin.kind !== "response" || others.length > 0) return undefined;
  const { command: listing, path } = trail.origin;
  const own = path[0] === "body" ? path.slice(1) : path;
  const list = own.at(-1) === "[]" ? own.slice(0, -1) : own;
  const { expansions } = partOfUnit(intake, model);
  const sentBy = (command: Command): readonly Expansion[] =>
    expansions.filter((each) => each.command === command);
  const lifecycle = (names: readonly string[], before: Value, now: number): Value =>
    names.reduce<Value>((state, name) => {
      const command = intake.commands.get(name);
      if (command === undefined) return state;
      const world = worldOf(state, now, () => UNKNOWN);
      return stateAfter(run(command, world), state);
    }, before);
  const start = lifecycle(["initial_setup", "pre_poll"], record({}), NOW);
  const readings = new Map<string, readonly Iteration[]>();
  const iteration = (page: Page, before: Value, now: number, replaced?: Replaced): Iteration => {
    const answer = pageAnswer(page, list);
    const sent: Sent[] = [];
    const world: World = {
      ...worldOf(before, now, (command) => {
        if (command.key !== "!http") return UNKNOWN;
        return { kind: "part", path: [], source: command === listing ? answer : nothing() };
      }),
      onRun(command, read) {
        if (command.key === "!http")
          for (const expansion of sentBy(command)) sent.push({ expansion, value: read(expansion) });
      },
      replaced,
    };
    const output = run(request, world);
    const state = stateAfter(output, before);
    return { sent, iterate: memberOf(output, "iterate"), results: memberOf(output, "results"), state };
  };
  const readPages = (page: Omit<Page, "index">, replaced?: Replaced): readonly Iteration[] => {
    let state = start;
    return ([0, 1, 2] as const).map((index) => {
      const read = iteration({ ...page, index }, state, NOW + index + 1, replaced);
      state = read.state;
      return read;
    });
  };
  return {
    read(page, replaced) {
      if (replaced !== undefined) return readPages(page, replaced);
      // Several rules ask for the same pages.
      const key = JSON.stringify(page);
      const known = readings.get(key) ?? readPages(page);
      readings.set(key, known);
      return known;
    },
    cycle(page, order) {
      const write = timeWriter(start);
      const timeAt = (index: number): string | number | undefined =>
        write?.(NOW + 3_600 + 60 * (order === "ascending" ? index + 1 : 3 - index));
      let readsTimes = false;
      let state = start;
      const pages = ([0, 1, 2] as const).map((index) => {
        const onTime = (): void => void (readsTimes = true);
        const read = iteration({ ...page, index, time: timeAt(index), onTime }, state, NOW + index + 1);
        state = read.state;
        return read;
      });
      const begin = (behind: Value): Iteration | undefined => {
        const later = NOW + 1_800;
        const begun = lifecycle(["post_poll", "pre_poll"], behind, later);
        return isKind(begun, "record") ? iteration({ ...page, index: 0 }, begun, later) : undefined;
      };
      const next = begin(state);
      const resumed = begin(pages[0]!.state);
      return next === undefined ? undefined : { pages, next, resumed, unread: timeAt(1), readsTimes };
    },
  };
}

/** How the times of a state are written; undefined where it has none, or several forms. */
function timeWriter(state: Value): ((seconds: number) => string | number) | undefined {
  const forms = new Set<string>();
  for (const value of isKind(state, "record") ? state.members.values() : []) {
    if (typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)) forms.add("date");
    if (typeof value === "number" && value > 1e9 && value < 4e9) forms.add("seconds");
    if (typeof value === "number" && value > 1e12 && value < 4e12) forms.add("milliseconds");
  }
  const [form] = forms;
  if (form === undefined || forms.size > 1) return undefined;
  if (form === "date") return (seconds) => new Date(seconds * 1_000).toISOString().replace(".000Z", "Z");
  return (seconds) => (form === "seconds" ? seconds : seconds * 1_000);
}

/** A list of which no answer says anything. */
export const untold = { size: undefined, base: undefined, end: null, isTold: false } as const;

/**
 * The lists of which any may be meant, as far as that isn't known: their first page has the number that is sent first, or either of the
 * usual ones, and behind the last page a token is null or empty.
 *
 * @param size records of a full page
 */
export function pagesToTry(paging: Paging, size: number | undefined): readonly Omit<Page, "index">[] {
  return basesOf(paging).flatMap((base) =>
    ([null, ""] as const).map((end) => ({ size, base, end, isTold: true })),
  );
}

function basesOf(paging: Paging): readonly number[] {
  for (const { expansion, value } of paging.read(untold)[0]!.sent) {
    const key = expansion.syntax.path.at(-1)?.text ?? "";
    if (/page/i.test(key) && (value === 0 || value === 1)) return [value];
  }
  return [0, 1];
}

/** Where the list comes from whose records become `results`. */
function listTrails(intake: IntakeSymbol, model: Model): readonly Trail[] {
  const outcome = onlyOutcome(intake, model);
  const results = outcome?.members.get("results");
  const list = results === undefined ? undefined : listIn(resolvedIn(results, outcome!.program));
  return list === undefined ? [] : trailsOf(flowOf(model), outcome!.program, list);
}

/** `.items[]` of `[.items[] | {id}]`, `.items` of `.items | map({id})`. */
function listIn(node: Expression | undefined): Expression | undefined {
  switch (node?.kind) {
    case "Group":
      return listIn(node.body);
    case "Array":
      return listIn(node.body);
    case "Pipeline": {
      const [first] = node.stages;
      return first?.kind === "Binding" || first?.kind === "Definition" || first?.kind === "Label"
        ? undefined
        : listIn(first);
    }
    case "Alternative":
      return listIn(node.operands[0]);
    case "Postfix":
    case "Identity":
      return node;
    default:
      return undefined;
  }
}

function worldOf(state: Value, now: number, effect: World["effect"]): World {
  return {
    input: { kind: "record", members: new Map([["polling_state", state]]), open: true },
    root: (name, path) =>
      name === "polling_state"
        ? path.reduce(segmentOf, state)
        : // What a customer chose and what was saved stays what it is while pages are read.
          { kind: "part", path: [name, ...path], source: kept },
    effect,
    now,
  };
}

const kept: Source = { resolve: () => UNKNOWN };

/** An answer that may be another one each time. */
const nothing = (): Source => ({ resolve: () => UNKNOWN });

/** The state after a command; the same where it gives none. */
function stateAfter(output: Value, before: Value): Value {
  if (!isKind(output, "record") || output.open) return UNKNOWN;
  return output.members.get("polling_state") ?? before;
}
