import type { Fault } from "../fault.ts";
import type { ShopVersion } from "../shop-config.ts";
import { places } from "./places.ts";

const DEFAULT_STATE = "${polling_state.since}";

const OTHER_STATE: ShopVersion = {
  query: { since: "${polling_state.since | default}${polling_state.last | default}" },
  page: "{results: [.orders[] | {id}], iterate: .more, polling_state: {last: .until}}",
};

export const deployFaults: readonly Fault[] = [
  {
    name: "bad-deploy",
    broken: "A new version of the app has a mistake",
    options: { workers: 2 },
    async breaks(day) {
      day.deploy({
        page: '{results: [.orders[] | {id: (.id | ltrimstr("#") | tonumber | . / (. - .))}], iterate: .more, polling_state: {since: .until}}',
      });
      await day.restartWorkers();
      await day.order(2);
    },
    signal: { alert: "ConfigcRunsFail" },
    within: 90,
    answer: { verb: "failing", kind: "JqError", pointer: places.page, installations: 4 },
    mended: "Back to the version before.",
    async mends(day) {
      day.deploy();
      await day.restartWorkers();
    },
    acts: [["retry", "shop"]],
  },
  {
    name: "rolled-back-deploy",
    broken: "A version that keeps another polling state is taken back",
    async breaks(day) {
      day.deploy(OTHER_STATE);
      await day.restartWorkers();
      await day.order(1);
      await day.pass(35);
      await day.until("the new version has polled", () => day.missing().length === 0);
      day.deploy();
      await day.restartWorkers();
      await day.order(1);
    },
    signal: { alert: "ConfigcRunsFail" },
    within: 120,
    answer: {
      verb: "failing",
      kind: "DataError",
      pointer: places.request,
      installations: 4,
      says: /since/,
    },
    mended: "Forward to the version that reads the state that is there.",
    async mends(day) {
      day.deploy(OTHER_STATE);
      await day.restartWorkers();
    },
    acts: [["retry", "shop"]],
  },
  {
    name: "unset-key",
    broken: "A new version needs a form field that older customers have never seen",
    async breaks(day) {
      day.deploy({ listNeeded: true, query: { since: DEFAULT_STATE, list: "${custom_data.list.value}" } });
      await day.restartWorkers();
      await day.order(1);
    },
    signal: { alert: "ConfigcRunsFail" },
    within: 90,
    answer: {
      verb: "failing",
      kind: "DataError",
      pointer: places.request,
      installations: 4,
      says: /list/,
    },
    mended: "A version with a default for it.",
    async mends(day) {
      day.deploy({ query: { since: DEFAULT_STATE, list: "${custom_data.list.value | default}" } });
      await day.restartWorkers();
    },
    acts: [["retry", "shop"]],
  },
  {
    name: "version-deleted",
    broken: "The version with which runs began is deleted, while they wait for their time",
    async breaks(day) {
      await day.order(1);
      day.shop.mood = ({ path }) =>
        path === "/orders" ? { status: 429, headers: { "retry-after": "600" } } : undefined;
      await day.pass(35);
      await day.until("runs wait for their time", async () =>
        /[1-4] for (?:its|their) time/.test(await day.host(["queues"])),
      );
      day.deploy({
        page: "{results: [.orders[] | {id}], iterate: .more, polling_state: {since: .until, by: 2}}",
      });
      // Before the next worker begins: it would know the version as soon as one of the runs is tried again.
      await day.worker.end();
      day.shop.mood = undefined;
      const { rowCount } = await day.client.query("DELETE FROM configc.apps");
      if (rowCount !== 1) throw new Error(`There were ${rowCount} versions.`);
      await day.startWorker(day.worker.slot);
    },
    signal: { metric: 'sum by (app) (increase(configc_failures_total{kind="NotFound"}[30m])) > 0' },
    within: 30,
    answer: { verb: ["runs", "--status", "failed"], says: /which isn't kept any more/ },
    mended: "Nothing: the next runs go on with the version of now.",
    acts: [],
    nextCycle: true,
  },
];
