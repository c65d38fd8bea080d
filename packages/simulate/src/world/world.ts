import { type Fault, randomFault } from "./fault.ts";
import { type Hypotheses, LAG } from "./hypotheses.ts";
import { Chance } from "./random.ts";

/** Something that happens at the service. */
export interface Happening {
  /** Number of the cycle, from 1. */
  readonly cycle: number;
  /** Before which request of the cycle; 0 is the time before the cycle. */
  readonly request: number;
  /** Seconds before the cycle; only where `request` is 0. */
  readonly before: number;
  readonly what: "create" | "update" | "delete";
  /** Which of the live records, counted round and round; nothing for `create`. */
  readonly record: number;
  readonly times: number;
  /** Whether lists show it late. */
  readonly isLate: boolean;
}

/** All that decides a run of a polling app but the app: a service, and what happens there. */
export interface World {
  readonly kind: "polling";
  readonly seed: number;
  readonly hypotheses: Hypotheses;
  /** Records that are there when the app is installed, and how many of them have the same time. */
  readonly first: number;
  readonly sameTime: boolean;
  readonly cycles: number;
  /** Records on a page, where the app's programs don't count on a size of their own. */
  readonly page: number;
  /** Requests that a cycle may send: 100, or fewer as a scale model of a list that doesn't fit into a cycle. */
  readonly requests: number;
  readonly happenings: readonly Happening[];
  readonly faults: readonly Fault[];
  /** How the customer's form differs from the usual one, as `formsOf` calls it; empty where it doesn't. */
  readonly form: string;
  /** Number of the one record that lists show: to tell what an app leaves out on purpose. */
  readonly only?: number;
}

/** A scale model: a loss takes few records then. */
export const SMALL = 2;
/** D33 */
export const MOST_REQUESTS = 100;
/** What is known of a protocol that decides which worlds are worth trying. */
export interface Extent {
  /** Records on a page. */
  readonly page: number;
  /** What happens to records. */
  readonly changes: readonly Happening["what"][];
  /** Of the longest world; 0: there is none. */
  readonly days: number;
  /** A cycle can be cut by its limits before the list is read: not where it is short, nor in an import, which has its limit. */
  readonly isCut: boolean;
  /** The app asks for an order. */
  readonly isOrderStated: boolean;
  /** The app's programs know of an error that comes with status 200. */
  readonly hasErrorBody: boolean;
  /** Ways to fill in the form beside the usual one. */
  readonly forms: readonly string[];
}

/** A world that a seed decides. */
export function randomWorld(
  seed: number,
  extent: Extent,
  allowed: (hypotheses: Hypotheses) => Hypotheses,
): World {
  const chance = new Chance(seed);
  const between = extent.changes.filter(() => chance.is(0.4));
  const hypotheses = allowed({
    paging: chance.pick(["live", "snapshot"]),
    boundary: chance.pick(["inclusive", "exclusive"]),
    rounding: chance.pick([1, 1_000, 60_000]),
    ties: chance.pick(["creation", "reverse", "any"]),
    order: !extent.isOrderStated && chance.is(0.3) ? "reverse" : "supposed",
    lag: chance.is(0.4) ? LAG : 0,
    gaps: chance.is(0.2),
    texts: chance.is(0.1) ? "foreign" : "plain",
  });
  const cycles = chance.between(2, 5);
  const first = chance.below(extent.page * 3 + 2);
  const happenings = Array.from({ length: chance.between(1, 12) }, (): Happening => {
    const isBetween = between.length > 0 && chance.is(0.5);
    const what = isBetween ? chance.pick(between) : chance.pick(extent.changes);
    return {
      cycle: chance.between(1, cycles),
      request: isBetween ? chance.between(2, 4) : 0,
      before: chance.is(0.5) ? chance.below(90) + chance.next() : chance.below(1_790),
      what,
      record: chance.below(1_000),
      times: chance.is(0.1) ? extent.page : 1,
      isLate: chance.is(0.5),
    };
  });
  return {
    kind: "polling",
    seed,
    hypotheses,
    first,
    sameTime: chance.is(0.3),
    cycles,
    page: extent.page,
    requests: chance.is(0.25) && extent.isCut ? chance.between(1, 3) : MOST_REQUESTS,
    happenings,
    faults: chance.is(0.3) ? [randomFault(chance, cycles)] : [],
    form: extent.forms.length > 0 && chance.is(0.2) ? chance.pick(extent.forms) : "",
  };
}

/** By default something that is seen at once, a quarter of an hour before the cycle. */
export function happening(
  given: Partial<Happening> & Pick<Happening, "cycle" | "what" | "record">,
): Happening {
  return { request: 0, before: 900, times: 1, isLate: false, ...given };
}
