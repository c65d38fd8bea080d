import { type Fault, plannedFaults, randomFault } from "./fault.ts";
import { type Hypotheses, kindest, LAG } from "./hypotheses.ts";
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
/** A cycle that can't read a list of a few pages. */
const FEW_REQUESTS = 2;
/** As many as usual services give. */
const LARGE = 100;

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

/** Worlds that try one hypothesis each, the usual ones first. */
export function plannedWorlds(
  extent: Extent,
  allowed: (hypotheses: Hypotheses) => Hypotheses,
): readonly World[] {
  const { page } = extent;
  // A page of the app's own size takes many records: then two pages have to do.
  const pages = page > SMALL ? page + 1 : page * 2 + 1;
  const change = extent.changes.includes("update") ? "update" : "create";
  const quiet = (cycle: number, what: Happening["what"], record: number, before = 900): Happening =>
    happening({ cycle, what, record, before });
  const world = (change: Partial<World>, hypotheses: Partial<Hypotheses> = {}): World => ({
    kind: "polling",
    seed: 0,
    hypotheses: allowed({ ...kindest, ...hypotheses }),
    first: pages,
    sameTime: false,
    cycles: 2,
    page,
    requests: MOST_REQUESTS,
    happenings: [],
    faults: [],
    form: "",
    ...change,
  });
  const between = (what: Happening["what"], paging: Hypotheses["paging"]): World =>
    world(
      { happenings: [happening({ cycle: 1, request: 2, what, record: 0 }), quiet(2, "create", 0)] },
      { paging },
    );
  const worlds = [
    world({ first: 1, happenings: [quiet(2, change, 0)], cycles: 3 }),
    world({ first: 0, happenings: [quiet(2, "create", 0)], cycles: 3 }),
    world({ happenings: [quiet(2, change, 0), quiet(2, "create", 0), quiet(3, change, 1)], cycles: 4 }),
    world({ first: page }),
    world({ first: page + 1, happenings: [quiet(2, "create", 0)] }),
    // A list of many pages, none of which is large: what reads all of it for each record shows.
    world({ first: 2, happenings: [{ ...quiet(2, "create", 0), times: SMALL * 6 }] }),
    between("update", "live"),
    between("delete", "live"),
    between("create", "live"),
    between("update", "snapshot"),
    ...(extent.isOrderStated
      ? []
      : [
          world(
            { happenings: [quiet(2, change, 0), quiet(2, "create", 0)], cycles: 3 },
            { order: "reverse" },
          ),
        ]),
    world(
      {
        first: 1,
        happenings: [
          quiet(2, change, 0, 0.2),
          quiet(2, "create", 0, 0.1),
          happening({ cycle: 2, request: 2, what: "create", record: 0 }),
        ],
        cycles: 4,
      },
      { rounding: 1_000, boundary: "exclusive" },
    ),
    world(
      {
        first: 2,
        happenings: [
          quiet(2, "create", 0, 20),
          happening({ cycle: 2, request: 1, what: "create", record: 0 }),
          happening({ cycle: 2, request: 2, what: "create", record: 0 }),
        ],
        cycles: 4,
      },
      { rounding: 60_000, boundary: "exclusive" },
    ),
    world(
      {
        first: 2,
        happenings: [{ ...quiet(2, change, 0, 40), isLate: true }, quiet(2, "create", 0, 5)],
        cycles: 4,
      },
      { lag: LAG },
    ),
    world({ sameTime: true, happenings: [quiet(2, "create", 0)] }, { ties: "any", rounding: 1_000 }),
    world({ sameTime: true }, { ties: "reverse", boundary: "exclusive", rounding: 1_000 }),
    ...(extent.isCut
      ? [
          world(
            {
              requests: FEW_REQUESTS,
              happenings: [
                quiet(1, "create", 0, 30),
                { ...quiet(1, change, 0, 20), isLate: true },
                quiet(2, "create", 0),
              ],
              cycles: 4,
            },
            { lag: LAG },
          ),
          world({
            requests: FEW_REQUESTS,
            first: page * 4,
            happenings: [quiet(2, change, 0), quiet(3, "create", 0)],
            cycles: 6,
          }),
        ]
      : []),
    ...([true, "null", "absent"] as const).map((gaps) =>
      world({ happenings: [quiet(2, "create", 0)] }, { gaps }),
    ),
    world({ first: 2 }, { texts: "foreign" }),
    world({ first: 2 }, { texts: "long" }),
    ...extent.forms.map((form) => world({ form, happenings: [quiet(2, "create", 0)] })),
    world({ first: 2, page: LARGE, happenings: [{ ...quiet(2, "create", 0), times: 1_500 }] }),
  ];
  worlds.push(
    ...plannedFaults(extent.hasErrorBody).map((fault) =>
      world({ cycles: 3, happenings: [quiet(2, "create", 0)], faults: [fault] }),
    ),
  );
  const possible = worlds.filter((each) =>
    each.happenings.every(({ what }) => extent.changes.includes(what)),
  );
  return extent.days === 0 ? possible : [...possible, longWorld(extent, allowed(kindest))];
}

/** Cycles of a day. */
const DAILY = 48;

/** Days on which now and then something happens: what adds up shows in it. */
function longWorld({ days, changes, page }: Extent, hypotheses: Hypotheses): World {
  const chance = new Chance(days);
  const cycles = Math.max(1, Math.round(days * DAILY));
  const happenings = Array.from(
    { length: Math.ceil(days * 6) },
    (): Happening =>
      happening({
        cycle: chance.between(1, cycles),
        what: chance.is(0.5) ? "create" : chance.pick(changes),
        record: chance.below(1_000),
        before: chance.below(1_700) + 60,
      }),
  );
  return {
    kind: "polling",
    seed: 0,
    hypotheses,
    first: 3,
    sameTime: false,
    cycles,
    page,
    requests: MOST_REQUESTS,
    happenings,
    faults: [],
    form: "",
  };
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

function happening(given: Partial<Happening> & Pick<Happening, "cycle" | "what" | "record">): Happening {
  return { request: 0, before: 900, times: 1, isLate: false, ...given };
}
