import type { Fault } from "../fault.ts";
import { places } from "./places.ts";

export const dataFaults: readonly Fault[] = [
  {
    name: "member-gone",
    broken: "The service calls a member of its answers something else",
    async breaks(day) {
      day.shop.mood = ({ path, usual }) => {
        if (path !== "/orders") return undefined;
        const { orders, ...rest } = usual().body as { readonly orders?: unknown };
        return { body: { ...rest, items: orders } };
      };
      await day.order(2);
    },
    signal: { alert: "ConfigcRunsFail" },
    within: 90,
    answer: { verb: "failing", kind: "JqError", pointer: places.page, installations: 4, says: /null/ },
    mended: "A version of the app that takes both.",
    async mends(day) {
      day.deploy({
        page: "{results: [(.orders // .items)[] | {id}], iterate: .more, polling_state: {since: .until}}",
      });
      await day.restartWorkers();
    },
    acts: [["retry", "shop"]],
  },
  {
    name: "null-value",
    broken: "Orders come with null where a value is needed",
    async breaks(day) {
      day.shop.order("i1", null);
      day.shop.order("i1");
      day.shop.order("i3", null);
    },
    signal: { alert: "ConfigcItemsGivenUp" },
    within: 120,
    answer: {
      verb: "items",
      kind: "JqError",
      pointer: places.address,
      items: 2,
      says: /the order has no address/,
    },
    mended: "The shop fills in the addresses.",
    async mends({ shop }) {
      for (const [account, orders] of shop.orders)
        for (const order of orders) order.email ??= `late-${account}-${order.id}@example.com`;
    },
    acts: [["retry-items", "--app", "shop"]],
  },
  {
    name: "poisoned-item",
    broken: "The service answers 500 for one order again and again",
    async breaks(day) {
      await day.order(1, "i1");
      const poisoned = day.shop.orders.get("i1")?.length;
      day.shop.mood = ({ path, account }) =>
        account === "i1" && path === `/orders/${poisoned}` ? { status: 500 } : undefined;
      await day.order(3, "i1");
    },
    signal: { alert: "ConfigcItemsGivenUp" },
    within: 240,
    answer: { verb: "items", kind: "HttpError", pointer: places.order, items: 1 },
    mended: "Nothing: the operator gives the order up. Those behind it weren't kept waiting.",
    acts: [["skip-items", "--item", "ITEM", "--why", "the shop can't give it"]],
    lost: ["i1-3@example.com"],
  },
  {
    name: "item-too-large",
    broken: "An order is larger than an answer may be",
    async breaks(day) {
      await day.order(1, "i1");
      const large = day.shop.orders.get("i1")?.length;
      day.shop.mood = ({ path, account, usual }) =>
        account === "i1" && path === `/orders/${large}`
          ? { body: { ...(usual().body as object), notes: "x".repeat(11 * 2 ** 20) } }
          : undefined;
      await day.order(1, "i1");
    },
    signal: { alert: "ConfigcItemsGivenUp" },
    within: 120,
    answer: { verb: "items", kind: "LimitError", pointer: places.order, items: 1 },
    mended: "The shop gives the order without its notes.",
    async mends({ shop }) {
      shop.mood = undefined;
    },
    acts: [["retry-items", "--installation", "i1"]],
  },
];
