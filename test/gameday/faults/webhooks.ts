import type { Fault } from "../fault.ts";

/** Tells of orders until all of them were taken, as services do that send again. */
export const webhookFaults: readonly Fault[] = [
  {
    name: "webhook-secret-changed",
    broken: "The service signs deliveries with another secret than it told",
    async breaks(day) {
      for (const hook of day.shop.hooks.values()) hook.secret = "changed";
      for (let n = 0; n < 4; n++) {
        await day.order(1, "w1");
        await day.pass(5);
      }
    },
    signal: { alert: "ConfigcWebhooksRefused" },
    within: 40,
    answer: { verb: ["why", "w1"], says: /told-orders, active/ },
    mended:
      "The webhook is registered anew, with a secret of its own; the service sends again what was refused.",
    acts: [
      ["pause", "--installation", "w1", "--why", "its secret has changed"],
      ["activate", "--installation", "w1"],
    ],
    async between(day) {
      const under = async () => /, (?:de)?activating/.test(await day.host(["why", "w1"]));
      await day.until("workers have done it", async () => !(await under()), 150);
      if (day.shop.hooks.size === 0) return;
      for (const order of day.shop.orders.get("w1") ?? []) await day.shop.tell("w1", order);
    },
  },
  {
    name: "forged-deliveries",
    broken: "Somebody sends deliveries that the service hasn't signed",
    async breaks(day) {
      for (let n = 0; n < 6; n++) {
        await day.shop.tell("w1", { id: 1, email: "" }, { forged: true, times: 3 });
        await day.pass(5);
      }
    },
    signal: { alert: "ConfigcWebhooksRefused" },
    within: 40,
    answer: { verb: ["why", "w1"], says: /0 items wait; 0 failed/ },
    mended: "Nothing: what isn't signed isn't taken.",
    acts: [],
  },
  {
    name: "delivery-storm",
    broken: "The service sends each delivery thirty times",
    options: { workers: 2 },
    async breaks(day) {
      for (let n = 0; n < 3; n++) {
        const order = day.shop.order("w1");
        await day.shop.tell("w1", order, { times: 30 });
        await day.pass(5);
      }
    },
    signal: { metric: 'sum by (app) (increase(configc_webhooks_total{outcome="taken"}[30m])) > 50' },
    within: 10,
    answer: { verb: ["queues"], says: /shop: 5 active installations/ },
    mended: "Nothing: deliveries are known by their numbers.",
    acts: [],
  },
];
