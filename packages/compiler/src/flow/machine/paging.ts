import type { Expression } from "@configc/jq";
import type { Command, Expansion, IntakeSymbol } from "../../bind/bound-nodes.ts";
import { derived } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { partOfUnit } from "../../bind/unit-part.ts";
import { flowOf } from "../flow.ts";
import { type Trail, trailsOf } from "../origin.ts";
import { onlyOutcome, resolved as resolvedIn } from "../protocol/forms.ts";
import { NOW, type Replaced } from "./evaluate.ts";
import { stateAfter, worldOf } from "./intake-world.ts";
import { type RecordOrder, Records, timeWriter } from "./records.ts";
import { type Page, pageAnswer } from "./roles.ts";
import { record, run, type World } from "./run.ts";
import { isKind, memberOf, type Origin, type Source, UNKNOWN, type Value } from "./value.ts";

/** An expansion in a request, with its value. */
export interface Sent {
  readonly expansion: Expansion;
  readonly value: Value;
}

/** One iteration of `request`. */
export interface Iteration {
  /** What it sends that may be another one the next time, in the order of the document. */
  readonly sent: readonly Sent[];
  /** What `pre_poll` sent before, where this is the first iteration of a further cycle. */
  readonly prepared: readonly Sent[];
  readonly iterate: Value;
  readonly results: Value;
  /** The state that it leaves. */
  readonly state: Value;
}

/** An intake that reads the three pages of a list. */
export interface Paging {
  /** The iterations for the pages of a list, as far as the answers tell what is needed. */
  read(page: Omit<Page, "index">, replaced?: Replaced): readonly Iteration[];
  /** What is sent where reading goes on behind the last page. */
  behind(page: Omit<Page, "index">): readonly Sent[];
  /** The same with the first request of the next cycle; undefined where the state behind the last page isn't known. */
  cycle(page: Omit<Page, "index">, order: RecordOrder): Cycle | undefined;
}

/** A cycle that reads all three pages. */
export interface Cycle {
  readonly pages: readonly Iteration[];
  /** The first iteration of the next one. */
  readonly next: Iteration;
  /** The same after a cycle that was cut behind its first page. */
  readonly resumed: Iteration | undefined;
  /** The same after a cycle whose list had one page, which was full. */
  readonly afterOne: Iteration | undefined;
  /** The first iteration of the cycle after the next, where that one found nothing. */
  readonly afterNone: Iteration | undefined;
  /** A time before which all records of the first page are, and behind which those of the second, or the other way round. */
  readonly unread: string | number | undefined;
  /** Whether times of records were read. */
  readonly readsTimes: boolean;
  /** Which member of which record a value is; undefined where it is none, or not one alone. */
  originOf(value: Value): Origin | undefined;
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
  const noting =
    (sent: Sent[]): NonNullable<World["onRun"]> =>
    (command, read) => {
      if (command.key === "!http")
        for (const expansion of sentBy(command)) sent.push({ expansion, value: read(expansion) });
    };
  const lifecycle = (
    names: readonly string[],
    before: Value,
    now: number,
    given: Partial<World> = {},
  ): Value =>
    names.reduce<Value>((state, name) => {
      const command = intake.commands.get(name);
      if (command === undefined) return state;
      const world = { ...worldOf(state, now, () => UNKNOWN), ...given };
      return stateAfter(run(command, world), state);
    }, before);
  const start = lifecycle(["initial_setup", "pre_poll"], record({}), NOW);
  /** The same for a customer who chose a number wherever one is taken, and else what comes last. */
  const choices = { root: (_: string, path: readonly string[]) => part(path, someNumber), takesLast: true };
  const chosen = lifecycle(["pre_poll"], lifecycle(["initial_setup"], record({}), NOW, choices), NOW);
  const readings = new Map<string, readonly Iteration[]>();
  const iteration = (page: Page, before: Value, now: number, replaced?: Replaced): Iteration => {
    const answer = pageAnswer(page, list);
    const sent: Sent[] = [];
    const world: World = {
      ...worldOf(before, now, (command) => {
        if (command.key !== "!http") return UNKNOWN;
        return { kind: "part", path: [], source: command === listing ? answer : nothing() };
      }),
      onRun: noting(sent),
      replaced,
    };
    const output = run(request, world);
    const state = stateAfter(output, before);
    const [iterate, results] = [memberOf(output, "iterate"), memberOf(output, "results")];
    return { sent, prepared: [], iterate, results, state };
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
    behind(page) {
      const last = this.read(page)[2]!;
      return iteration({ ...page, index: 2 }, last.state, NOW + 4).sent;
    },
    cycle(page, order) {
      const records = new Records(timeWriter(chosen), order);
      const pageAt = (index: Page["index"], alone?: Page["alone"]): Page => ({
        ...page,
        index,
        beginsList: true,
        ...(alone === undefined ? {} : { alone }),
        member: (name, place) => records.member(name, index, place),
      });
      let state = chosen;
      const pages = ([0, 1, 2] as const).map((index) => {
        const read = iteration(pageAt(index), state, NOW + index + 1);
        state = read.state;
        return read;
      });
      const begin = (behind: Value, at: Page, later = NOW + 1_800): Iteration | undefined => {
        const prepared: Sent[] = [];
        const closed = lifecycle(["post_poll"], behind, later);
        const begun = lifecycle(["pre_poll"], closed, later, { onRun: noting(prepared) });
        return isKind(begun, "record") ? { ...iteration(at, begun, later), prepared } : undefined;
      };
      const next = begin(state, pageAt(0));
      if (next === undefined) return undefined;
      const resumed = begin(pages[0]!.state, pageAt(0));
      const alone = iteration(pageAt(2, "full"), chosen, NOW + 1);
      const afterOne = begin(alone.state, pageAt(0));
      const none = begin(state, pageAt(2, "empty"));
      const afterNone = none === undefined ? undefined : begin(none.state, pageAt(0), NOW + 3_600);
      return {
        pages,
        next,
        resumed,
        afterOne,
        afterNone,
        unread: records.between(order),
        readsTimes: records.readsTimes,
        originOf: (value) => records.originOf(value),
      };
    },
  };
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

const someNumber: Source = { resolve: () => ({ kind: "unknown", number: 7 }) };

const part = (path: readonly string[], source: Source): Value => ({ kind: "part", path, source });

/** An answer that may be another one each time. */
const nothing = (): Source => ({ resolve: () => UNKNOWN });
