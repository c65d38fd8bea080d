import type { Day } from "../day.ts";
import type { Fault } from "../fault.ts";
import { later, type Reply } from "../shop.ts";
import { places } from "./places.ts";

const well = async ({ shop }: Day): Promise<void> => {
  shop.mood = undefined;
  shop.platformMood = undefined;
};

/** All that asks for lists of orders is answered so. */
const lists =
  (reply: Reply) =>
  async (day: Day): Promise<void> => {
    day.shop.mood = ({ path }) => (path === "/orders" ? reply : undefined);
    await day.order(2);
  };

const ok = "The service is well again.";

export const serviceFaults: readonly Fault[] = [
  {
    name: "service-down",
    broken: "The service answers 503 for more than an hour",
    breaks: lists({ status: 503 }),
    signal: { alert: "ConfigcServiceDown" },
    within: 90,
    answer: { verb: "failing", kind: "HttpError", status: 503, pointer: places.request, installations: 4 },
    mended: ok,
    mends: well,
    acts: [["retry", "shop"]],
  },
  {
    name: "service-away",
    broken: "Nobody listens at the service's address",
    async breaks(day) {
      const back = await day.shop.leave();
      day.shop.back = back;
      for (const id of ["i1", "i2", "i3", "i4"]) await day.order(1, id);
    },
    signal: { alert: "ConfigcServiceDown" },
    within: 90,
    // Silence counts double: three of them are enough to leave the service alone, and then the fourth waits for its turn.
    answer: { verb: "failing", kind: "NetworkError", pointer: places.request, installations: [3, 4] },
    mended: ok,
    mends: async ({ shop }) => await shop.back?.(),
    acts: [["retry", "shop"]],
  },
  {
    name: "too-many-requests-until",
    broken: "The service answers 429 with `Retry-After: 600`, for all",
    breaks: lists({ status: 429, headers: { "retry-after": "600" } }),
    signal: { alert: "ConfigcRunsPutOff" },
    within: 120,
    answer: { verb: ["queues"], says: /[1-4] for (?:its|their) time/ },
    mended: ok,
    mends: well,
    acts: [["retry", "shop"]],
  },
  {
    name: "too-many-requests",
    broken: "The service answers 429 and doesn't say for how long",
    breaks: lists({ status: 429 }),
    signal: { alert: "ConfigcServiceDown" },
    within: 90,
    answer: { verb: "failing", kind: "HttpError", status: 429, pointer: places.request, installations: 4 },
    mended: ok,
    mends: well,
    acts: [["retry", "shop"]],
  },
  {
    name: "web-page",
    broken: "The service shows a web page of its maintenance, with 200",
    breaks: lists({ body: "<!doctype html><html><body>We'll be back soon.</body></html>" }),
    signal: { alert: "ConfigcRunsFail" },
    within: 90,
    answer: {
      verb: "failing",
      kind: "HttpError",
      status: 200,
      pointer: places.request,
      installations: 4,
      says: /web page|HTML/i,
    },
    mended: ok,
    mends: well,
    acts: [["retry", "shop"]],
  },
  {
    name: "slow-platform",
    broken: "The platform takes ten seconds for each item",
    async breaks(day) {
      day.shop.platformMood = async () => await later(day.shop.platformMood === undefined ? 0 : 10_000);
      await day.order(12, "i1");
      await day.pass(35);
    },
    signal: { alert: "ConfigcItemsWait" },
    within: 120,
    answer: { verb: ["queues"], says: /items wait, the oldest for \d/ },
    mended: "The platform is quick again.",
    mends: well,
    acts: [],
  },
  {
    name: "platform-down",
    broken: "The platform answers 503",
    async breaks(day) {
      day.shop.platformMood = async () => {
        throw new Error("down");
      };
      await day.order(2, "i1");
      await day.order(2, "i3");
      await day.pass(35);
    },
    signal: { alert: "ConfigcItemsWait" },
    within: 150,
    answer: { verb: "failing", kind: "PlatformError", pointer: places.target, installations: 2 },
    mended: "The platform is well again.",
    mends: well,
    acts: [["retry", "shop"]],
  },
  {
    name: "endless-pages",
    broken: "Each page of a list says that there is another one",
    async breaks(day) {
      // The last page comes once more, for what comes after it.
      const again = new Set<string>();
      day.shop.mood = ({ path, account = "", usual }) => {
        if (path !== "/orders" || again.has(account)) return undefined;
        const page = usual().body as { readonly orders: readonly object[] };
        if (page.orders.length > 0) return { body: { ...page, more: true } };
        again.add(account);
        return { body: { ...page, orders: [{ id: day.shop.orders.get(account)?.length }], more: true } };
      };
      for (const id of ["i1", "i2", "i3", "i4"]) await day.order(1, id);
    },
    signal: { metric: 'sum by (app) (configc_cycles_total{outcome="repeat"}) > 0' },
    within: 120,
    answer: { verb: ["why", "i1"], says: /repeat/ },
    mended: ok,
    mends: well,
    acts: [["retry", "shop"]],
    // The signal comes with the first account; those of the others have their turn later.
    nextCycle: true,
  },
  {
    name: "quota-too-low",
    broken: "The app's own rate limit is too low for its customers",
    async breaks(day) {
      day.deploy({ quota: { requests: 2, period: 600 } });
      await day.restartWorkers();
      await day.order(20, "i1");
      await day.order(20, "i2");
      await day.order(20, "i3");
    },
    signal: { alert: "ConfigcRunsPutOff" },
    within: 120,
    answer: { verb: ["queues"], says: /items? waits?, the oldest for/ },
    mended: "A version of the app with the quota that the service gives.",
    async mends(day) {
      day.deploy();
      await day.restartWorkers();
    },
    acts: [["retry", "shop"]],
  },
];
