import type { App, AppRateLimit, AppWorkflow, WorldFile } from "@configc/compiler";
import { PERIOD } from "../polling/run.ts";
import { subjectOf } from "../subject.ts";
import { MOST_REQUESTS } from "../world/world.ts";
import { measure, type PollingCost, USUAL_PAGE } from "./measure.ts";
import { none, type Requests, requestsOf, sum, times, totalOf } from "./requests.ts";

/** What is asked of an app. */
export interface CapacityOptions {
  /** Records or contacts of one customer that are moved at first. Default 10,000. */
  readonly items?: number;
  /** Records or contacts of one customer that change in a day. Default 100. */
  readonly changes?: number;
  /** Records on a page, where the app doesn't say how many it asks for. Default 100. */
  readonly page?: number;
  /** What is known of the service (D50). */
  readonly world?: WorldFile;
}

/** What an app needs of its API; plain JSON. */
export interface Capacity {
  readonly version: 1;
  /** As the app declares it. */
  readonly limit: AppRateLimit | undefined;
  readonly items: number;
  readonly changes: number;
  readonly workflows: readonly WorkflowCapacity[];
}

/** One workflow. Requests are those of one customer, and numbers that aren't measured are at most so many. */
export interface WorkflowCapacity {
  readonly workflow: string;
  readonly kind: "polling" | "history" | "webhook" | "outbound";
  /** Of each record, delivery or contact. */
  readonly perItem: Requests;
  /** Of a cycle that finds nothing new; only where something is polled. */
  readonly quietCycle: Requests | undefined;
  /** All `items`: of an import fewer, where its limits end it before. */
  readonly first: Load & {
    readonly items: number;
    readonly cycles: number;
    /** Seconds where each cycle waits for its period: `seconds` are those of a single import, whose cycles follow each other. */
    readonly recurring: number;
  };
  /** The most that one cycle does. */
  readonly fullCycle: (Load & { readonly items: number }) | undefined;
  /** A full cycle is over before the next one is due. */
  readonly fits: boolean;
  /** Seconds between the beginnings of two cycles. */
  readonly period: number | undefined;
  /** Of a day with so many changes. */
  readonly day: Load;
  /** How many such customers the app's quota is enough for; undefined where each has a quota of their own, or none is declared. */
  readonly customers: number | undefined;
  /** What was taken for granted, a sentence each. */
  readonly assumptions: readonly string[];
}

/** Requests, and the seconds that they take at least: at the declared limit, one after another. */
export interface Load {
  readonly requests: Requests;
  readonly seconds: number;
}

/** Results after which a cycle ends (D33). */
const MOST_RESULTS = 1_000;
/** Seconds that a service takes to answer. */
const ANSWER = 0.25;
const DAY = 86_400;

/**
 * Reckons what an app needs of its API: requests of a cycle and an item, the time of a first import and of a cycle at the declared
 * limits, and how many customers a quota of the whole app is enough for. What is polled is measured with the runtime itself, at a service that makes it easy.
 *
 * @param app from `compile` of `@configc/compiler`
 */
export async function capacity(app: App, options: CapacityOptions = {}): Promise<Capacity> {
  const { items = 10_000, changes = 100, page = USUAL_PAGE, world } = options;
  const workflows: WorkflowCapacity[] = [];
  for (const workflow of app.workflows) {
    const polled = app.intakes[workflow.historicalIntake ?? workflow.intake ?? -1]?.type === "polling";
    workflows.push(
      polled
        ? await ofPolling(app, workflow, { items, changes, page, world })
        : ofEvents(app, workflow, { items, changes }),
    );
  }
  return { version: 1, limit: app.api.rateLimit, items, changes, workflows };
}

/** Webhooks and contacts: each goes through the pipeline once. */
function ofEvents(
  app: App,
  workflow: AppWorkflow,
  { items, changes }: { readonly items: number; readonly changes: number },
): WorkflowCapacity {
  const perItem = sum([requestsOf(app, workflow.source), requestsOf(app, workflow.target)]);
  const day = loadOf(app, times(perItem, changes));
  const all = loadOf(app, times(perItem, items));
  return {
    workflow: workflow.name,
    kind: workflow.direction === "outbound" ? "outbound" : "webhook",
    perItem,
    quietCycle: undefined,
    first: { ...all, items, cycles: 0, recurring: all.seconds },
    fullCycle: undefined,
    fits: true,
    period: undefined,
    day,
    customers: customersOf(app, day.requests),
    assumptions: [
      "Of a `!switch`, the case that sends most is counted, and of a list that comes in pages one page.",
      ...assumptionsOf(app),
    ],
  };
}

async function ofPolling(
  app: App,
  workflow: AppWorkflow,
  {
    items,
    changes,
    page,
    world,
  }: Required<Pick<CapacityOptions, "items" | "changes" | "page">> & {
    readonly world: WorldFile | undefined;
  },
): Promise<WorkflowCapacity> {
  const isHistory = workflow.historicalIntake !== undefined;
  const subject = subjectOf(app, workflow, world);
  const measured = "reason" in subject ? undefined : await measure(subject, page);
  const cost = measured ?? estimated(app, workflow, page);
  const { base, perPage, perItem, quiet } = cost;
  const { size } = cost.page;
  const most = isHistory ? MOST_REQUESTS : Math.min(MOST_REQUESTS, Math.floor(MOST_RESULTS / size) + 1);
  const reached = isHistory ? Math.min(items, MOST_REQUESTS * size) : items;
  const pages = Math.max(1, Math.ceil(reached / size));
  const cycles = isHistory ? 1 : Math.ceil(pages / most);
  const of = (cycleCount: number, pageCount: number, itemCount: number): Requests =>
    sum([times(base, cycleCount), times(perPage, pageCount), times(perItem, itemCount)]);
  const full = Math.min(most * size, MOST_RESULTS + size);
  const period = isHistory ? undefined : (workflow.setup.schedule?.frequency ?? PERIOD);
  const first = loadOf(app, of(cycles, pages, reached));
  const fullCycle = { ...loadOf(app, of(1, most, full)), items: full };
  const daily = sum([period === undefined ? none : times(quiet, DAY / period), times(perItem, changes)]);
  return {
    workflow: workflow.name,
    kind: isHistory ? "history" : "polling",
    perItem,
    quietCycle: isHistory ? undefined : quiet,
    first: {
      ...first,
      items: reached,
      cycles,
      recurring: (cycles - 1) * Math.max(period ?? 0, fullCycle.seconds) + first.seconds / cycles,
    },
    fullCycle: isHistory ? undefined : fullCycle,
    fits: period === undefined || fullCycle.seconds <= period,
    period,
    day: loadOf(app, daily),
    customers: customersOf(app, daily),
    assumptions: [
      ...(measured === undefined
        ? ["How it polls couldn't be derived: each page is taken for one request of its list."]
        : []),
      cost.page.isTold
        ? `A page has ${size} records, as the request asks for.`
        : `A page has ${size} records: the app doesn't say how many it asks for.`,
      ...assumptionsOf(app),
    ],
  };
}

/** Where nothing could be measured: what the commands send at most. */
function estimated(app: App, workflow: AppWorkflow, size: number): PollingCost {
  const commands = app.intakes[workflow.historicalIntake ?? workflow.intake ?? -1]?.commands ?? {};
  const base = sum(["pre_poll", "post_poll"].map((name) => requestsOf(app, commands[name])));
  const perPage = requestsOf(app, commands["request"]);
  const perItem = sum([requestsOf(app, workflow.source), requestsOf(app, workflow.target)]);
  return { base, perPage, perItem, quiet: sum([base, perPage]), page: { size, isTold: false } };
}

/** The time that requests take: the slower of the two quotas, or one answer after another. */
function loadOf({ api: { rateLimit } }: App, requests: Requests): Load {
  const waits = (["read", "write"] as const).map((kind) => {
    const quota = rateLimit?.[kind];
    return quota === undefined ? 0 : (requests[kind] / quota.requests) * quota.period;
  });
  return { requests, seconds: Math.max(...waits, totalOf(requests) * ANSWER) };
}

/** How many customers a quota that all share is enough for, if their requests are spread over the day. */
function customersOf({ api: { rateLimit } }: App, daily: Requests): number | undefined {
  if (rateLimit?.scope !== "app") return undefined;
  const each = (["read", "write"] as const).flatMap((kind) => {
    const quota = rateLimit[kind];
    return quota === undefined || daily[kind] === 0
      ? []
      : [Math.floor(((quota.requests / quota.period) * DAY) / daily[kind])];
  });
  return each.length === 0 ? undefined : Math.min(...each);
}

function assumptionsOf({ api: { rateLimit } }: App): readonly string[] {
  return [
    rateLimit === undefined
      ? `No limit is declared: the service answers one request after another, in ${ANSWER} s each.`
      : `The service answers in ${ANSWER} s, and nothing has to be tried again.`,
  ];
}
