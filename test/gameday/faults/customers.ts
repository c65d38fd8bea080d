import type { Fault } from "../fault.ts";
import { places } from "./places.ts";

export const customerFaults: readonly Fault[] = [
  {
    name: "account-moved",
    broken: "A customer's account was moved, and the service refuses the old one",
    async breaks(day) {
      day.shop.mood = ({ account, path }) =>
        account === "i4" && path === "/orders" ? { status: 403, body: { error: "moved" } } : undefined;
      await day.order(1, "i4");
    },
    signal: { metric: 'sum by (app) (increase(configc_failures_total{kind="HttpError"}[15m])) > 0' },
    within: 90,
    answer: { verb: "failing", kind: "HttpError", status: 403, pointer: places.request, installations: 1 },
    mended: "The customer connects the account where it is now.",
    async mends(day) {
      day.shop.mood = undefined;
      await day.reconnect("i4");
    },
    acts: [["retry", "--customer", "cem"]],
  },
  {
    name: "customer-deleted",
    broken: "A customer asks that all data be deleted, while its items wait",
    async breaks(day) {
      day.shop.mood = ({ account, path }) =>
        account === "w1" && path.startsWith("/orders/") ? { status: 500 } : undefined;
      await day.order(2, "w1");
    },
    signal: { metric: "max by (app) (configc_items_oldest) > 60" },
    within: 30,
    answer: { verb: ["export-customer", "dee"], says: /"table":"deliveries"[\s\S]*"id":"w1"|"w1"/ },
    mended: "Nothing.",
    acts: [["delete-customer", "--customer", "dee", "--why", "asked to"]],
    lost: ["w1-1@example.com", "w1-2@example.com", "w1-3@example.com"],
    async after(day) {
      await day.restartWorkers();
      await day.until("its webhook is gone at the service", () => day.shop.hooks.size === 0);
      // The service knows of it a moment before the fleet does: called again, it deletes what is there to be deleted.
      await day.until("nothing of the customer is left", async () => {
        await day.host(["delete-customer", "--customer", "dee", "--why", "asked to"]);
        return (await day.host(["export-customer", "dee"])).trim() === "";
      });
    },
  },
];
