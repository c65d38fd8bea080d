import type { Fault } from "../fault.ts";
import { places } from "./places.ts";

export const authFaults: readonly Fault[] = [
  {
    name: "app-secret-expired",
    broken: "The app's own secret isn't known to the service any more",
    async breaks(day) {
      day.shop.appSecret = "another";
      day.shop.expire();
      await day.order(1);
    },
    signal: { alert: "ConfigcConnectionsBroken" },
    within: 90,
    answer: {
      verb: "failing",
      kind: "AuthError",
      pointer: places.auth,
      installations: 5,
      says: /invalid_client/,
    },
    mended: "A version of the app with the new secret.",
    async mends(day) {
      day.deploy({ secret: "another" });
      await day.restartWorkers();
    },
    acts: [
      ["refresh", "--app", "shop"],
      ["retry", "shop"],
    ],
  },
  {
    name: "customer-revoked",
    broken: "A customer has revoked the app's access",
    async breaks(day) {
      day.shop.revoke("i3");
      await day.order(1, "i3");
    },
    signal: { metric: "max by (app) (configc_installations_broken) > 0" },
    within: 60,
    answer: {
      verb: "failing",
      kind: "AuthError",
      pointer: places.auth,
      installations: 1,
      says: /invalid_grant/,
    },
    mended: "The customer connects again.",
    mends: async (day) => await day.reconnect("i3"),
    acts: [["retry", "--customer", "bob"]],
  },
  {
    name: "refresh-token-lost",
    broken: "The answer with a rotated refresh token gets lost",
    async breaks(day) {
      let cut = false;
      day.shop.mood = ({ path, usual }) => {
        if (path !== "/token" || cut) return undefined;
        cut = true;
        usual();
        return { cut: true };
      };
      day.shop.expire("i4");
      await day.order(1, "i4");
    },
    signal: { metric: "max by (app) (configc_installations_broken) > 0" },
    within: 60,
    answer: { verb: "failing", kind: "AuthError", pointer: places.auth, installations: 1, says: /renew/ },
    mended: "The customer connects again.",
    mends: async (day) => await day.reconnect("i4"),
    acts: [["retry", "--customer", "cem"]],
  },
  {
    name: "key-leaked",
    broken: "The key that seals tokens has leaked",
    options: { workers: 2 },
    async breaks(day) {
      const old = day.environment["CONFIGC_KEY"] ?? "";
      const CONFIGC_KEY = Buffer.alloc(32, 2).toString("base64");
      // First all know the new one, then they seal with it.
      await day.restartWorkers({ CONFIGC_OLD_KEYS: CONFIGC_KEY });
      Object.assign(day.environment, { CONFIGC_KEY, CONFIGC_OLD_KEYS: old });
    },
    signal: { verb: ["reseal"], status: 1 },
    within: 0,
    answer: { verb: ["queues"], says: /4 active installations|5 active installations/ },
    mended: "Workers are given the new key, one after the other.",
    mends: async (day) => await day.restartWorkers(),
    acts: [["reseal"]],
    async after(day) {
      delete day.environment["CONFIGC_OLD_KEYS"];
      await day.restartWorkers();
    },
  },
];
