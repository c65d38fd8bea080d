import { plannedFaults } from "./fault.ts";
import { type Hypotheses, kindest, LAG } from "./hypotheses.ts";
import { Chance } from "./random.ts";
import { type Extent, type Happening, happening, MOST_REQUESTS, SMALL, type World } from "./world.ts";

/** A cycle that can't read a list of a few pages. */
const FEW_REQUESTS = 2;

/** Worlds that try one hypothesis each, the usual ones first. */
export function plannedWorlds(
  extent: Extent,
  allowed: (hypotheses: Hypotheses) => Hypotheses,
): readonly World[] {
  const plan = new Plan(extent, allowed);
  const worlds = [
    ...changesBetweenCycles(plan),
    ...changesBetweenPages(plan),
    ...(extent.isOrderStated ? [] : [otherOrder(plan)]),
    ...roundedTimes(plan),
    lateList(plan),
    ...equalTimes(plan),
    ...(extent.isCut ? cutCycles(plan) : []),
    ...otherRecords(plan),
    ...extent.forms.map((form) => plan.world({ form, happenings: [quiet(2, "create", 0)] })),
    burst(plan),
    ...plannedFaults(extent.hasErrorBody).map((fault) =>
      plan.world({ cycles: 3, happenings: [quiet(2, "create", 0)], faults: [fault] }),
    ),
  ];
  const possible = worlds.filter((each) =>
    each.happenings.every(({ what }) => extent.changes.includes(what)),
  );
  return extent.days === 0 ? possible : [...possible, longWorld(plan, extent)];
}

/** Worlds of one extent; each is said by how it differs from a plain one. */
class Plan {
  readonly page: number;
  /** What happens to a record that is there, if anything does. */
  readonly change: "update" | "create";
  readonly #allowed: (hypotheses: Hypotheses) => Hypotheses;

  constructor({ page, changes }: Extent, allowed: (hypotheses: Hypotheses) => Hypotheses) {
    this.page = page;
    this.change = changes.includes("update") ? "update" : "create";
    this.#allowed = allowed;
  }

  world(change: Partial<World>, hypotheses: Partial<Hypotheses> = {}): World {
    const { page } = this;
    return {
      kind: "polling",
      seed: 0,
      hypotheses: this.#allowed({ ...kindest, ...hypotheses }),
      // A page of the app's own size takes many records: then two pages have to do.
      first: page > SMALL ? page + 1 : page * 2 + 1,
      sameTime: false,
      cycles: 2,
      page,
      requests: MOST_REQUESTS,
      happenings: [],
      faults: [],
      form: "",
      ...change,
    };
  }
}

/** Something that happens while no cycle runs. */
function quiet(cycle: number, what: Happening["what"], record: number, before = 900): Happening {
  return happening({ cycle, what, record, before });
}

function changesBetweenCycles(plan: Plan): readonly World[] {
  const { page, change } = plan;
  return [
    plan.world({ first: 1, happenings: [quiet(2, change, 0)], cycles: 3 }),
    plan.world({ first: 0, happenings: [quiet(2, "create", 0)], cycles: 3 }),
    plan.world({ happenings: [quiet(2, change, 0), quiet(2, "create", 0), quiet(3, change, 1)], cycles: 4 }),
    plan.world({ first: page }),
    plan.world({ first: page + 1, happenings: [quiet(2, "create", 0)] }),
    // A list of many pages, none of which is large: what reads all of it for each record shows.
    plan.world({ first: 2, happenings: [{ ...quiet(2, "create", 0), times: SMALL * 6 }] }),
  ];
}

function changesBetweenPages(plan: Plan): readonly World[] {
  const between = (what: Happening["what"], paging: Hypotheses["paging"]): World =>
    plan.world(
      { happenings: [happening({ cycle: 1, request: 2, what, record: 0 }), quiet(2, "create", 0)] },
      { paging },
    );
  return [
    between("update", "live"),
    between("delete", "live"),
    between("create", "live"),
    between("update", "snapshot"),
  ];
}

function otherOrder(plan: Plan): World {
  return plan.world(
    { happenings: [quiet(2, plan.change, 0), quiet(2, "create", 0)], cycles: 3 },
    { order: "reverse" },
  );
}

/** Changes that a bound leaves out which is one of the rounded times. */
function roundedTimes(plan: Plan): readonly World[] {
  return [
    plan.world(
      {
        first: 1,
        happenings: [
          quiet(2, plan.change, 0, 0.2),
          quiet(2, "create", 0, 0.1),
          happening({ cycle: 2, request: 2, what: "create", record: 0 }),
        ],
        cycles: 4,
      },
      { rounding: 1_000, boundary: "exclusive" },
    ),
    plan.world(
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
  ];
}

function lateList(plan: Plan): World {
  return plan.world(
    {
      first: 2,
      happenings: [{ ...quiet(2, plan.change, 0, 40), isLate: true }, quiet(2, "create", 0, 5)],
      cycles: 4,
    },
    { lag: LAG },
  );
}

function equalTimes(plan: Plan): readonly World[] {
  return [
    plan.world({ sameTime: true, happenings: [quiet(2, "create", 0)] }, { ties: "any", rounding: 1_000 }),
    plan.world({ sameTime: true }, { ties: "reverse", boundary: "exclusive", rounding: 1_000 }),
  ];
}

/** Cycles that end before the list is read. */
function cutCycles(plan: Plan): readonly World[] {
  const { page, change } = plan;
  return [
    plan.world(
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
    plan.world({
      requests: FEW_REQUESTS,
      first: page * 4,
      happenings: [quiet(2, change, 0), quiet(3, "create", 0)],
      cycles: 6,
    }),
  ];
}

/** Records that lack members, and texts that are unusual. */
function otherRecords(plan: Plan): readonly World[] {
  return [
    ...([true, "null", "absent"] as const).map((gaps) =>
      plan.world({ happenings: [quiet(2, "create", 0)] }, { gaps }),
    ),
    plan.world({ first: 2 }, { texts: "foreign" }),
    plan.world({ first: 2 }, { texts: "long" }),
  ];
}

/** As many records on a page as usual services give, and many more of them at one time. */
const LARGE = 100;

function burst(plan: Plan): World {
  return plan.world({
    first: 2,
    page: LARGE,
    happenings: [{ ...quiet(2, "create", 0), times: 1_500 }],
  });
}

/** Cycles of a day. */
const DAILY = 48;

/** Days on which now and then something happens: what adds up shows in it. */
function longWorld(plan: Plan, { days, changes }: Extent): World {
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
  return plan.world({ first: 3, cycles, happenings });
}
