import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { expect, test } from "vitest";
import { pollingStaysLinear } from "../../src/laws/polling-stays-linear.ts";
import { runWorld, type Share, type WorldLog } from "../../src/polling/run.ts";
import { subjectOf } from "../../src/subject.ts";
import { kindest } from "../../src/world/hypotheses.ts";
import type { Happening, World } from "../../src/world/world.ts";

/*
 * What a page, an item and a cycle cost must not grow with what was read before (E212). A cycle of the real runtime is noted as it went;
 * what the law says of it is tried with other costs in its place.
 */

const right = readFileSync(new URL("../polling/right.app.json", import.meta.url), "utf8");

const create = (cycle: number): Happening => ({
  cycle,
  request: 0,
  before: 900,
  what: "create",
  record: 0,
  times: 1,
  isLate: false,
});

const world: World = {
  kind: "polling",
  seed: 0,
  hypotheses: kindest,
  first: 5,
  sameTime: false,
  cycles: 4,
  page: 2,
  requests: 100,
  happenings: [create(2), create(3), create(4)],
  faults: [],
  form: "",
};

async function told(change: (log: WorldLog) => WorldLog, edit: (text: string) => string = (text) => text) {
  const { app } = compile(edit(right));
  const subject = subjectOf(app, app.workflows[0]!);
  if ("reason" in subject) throw new Error(subject.reason);
  const { protocol, form, isHistory } = subject;
  const log = change(await runWorld(subject, world));
  return pollingStaysLinear.broken(log, { app, form, protocol, isHistory, leftOut: new Set() })?.message;
}

test("a page of the list is one request, and each item none", async () => {
  await told((log) => {
    const [first] = log.cycles;
    expect(first!.shares.filter(({ records }) => records > 0)).toEqual([
      { of: "page", requests: 1, records: 2 },
      { of: "page", requests: 1, records: 2 },
      { of: "page", requests: 1, records: 1 },
    ]);
    expect(first!.shares.filter(({ of }) => of === "item").map(({ requests }) => requests)).toEqual([
      0, 0, 0, 0, 0,
    ]);
    return log;
  });
});

test("what an item asks is counted for that item", async () => {
  const source = '"source": { "!jq": "{email: .email, name: .name, city: .address.city}" }';
  const asking =
    '"source": { "!pipe": [{ "!jq": "." }, { "!http": { "method": "GET", "path": "/people/${piped_content.0.id}" } }, { "!jq": "{email: .email, name: .name}" }] }';
  const message = await told(
    (log) => {
      const items = log.cycles[0]!.shares.filter(({ of }) => of === "item");
      expect(items.map(({ requests }) => requests)).toEqual([1, 1, 1, 1, 1]);
      return log;
    },
    (text) => {
      expect(text).toContain(source);
      return text.replace(source, () => asking);
    },
  );
  expect(message).toBeUndefined();
});

const share = (of: Share["of"], requests: number, records = 2): Share => ({ of, requests, records });
const first = (shares: readonly Share[]) => (log: WorldLog) => ({
  ...log,
  cycles: log.cycles.map((cycle, index) => (index === 0 ? { ...cycle, shares } : cycle)),
});

test.each<[string, (log: WorldLog) => WorldLog, string | undefined]>([
  ["as it is", (log) => log, undefined],
  [
    "each page asks for all before it",
    first([1, 2, 3, 4, 5, 6].map((count) => share("page", count))),
    "The first page took 1 request, the 6th of the same size 6.",
  ],
  [
    "each item asks for all before it",
    first([1, 3, 5, 7].map((count) => share("item", count))),
    "The first item took 1 request, the 4th 7.",
  ],
  [
    "items of a later cycle ask for more",
    (log) => ({
      ...log,
      cycles: log.cycles.map((cycle, index) => ({ ...cycle, shares: [share("item", 1 + index * 3)] })),
    }),
    "The first item took 1 request, the 6th 16.",
  ],
  ["larger pages take more", first([1, 3, 5, 7].map((count) => share("page", count, count))), undefined],
  ["values differ", first([1, 9, 2, 8, 1].map((count) => share("item", count))), undefined],
  ["a few more aren't growth", first([1, 2, 3, 4].map((count) => share("page", count))), undefined],
  [
    "each cycle asks for all before it",
    (log) => ({
      ...log,
      cycles: log.cycles.map((cycle, index) => ({
        ...cycle,
        exchanged: [],
        arrivals: [],
        exchanges: Array.from({ length: index * 3 + 1 }, () => cycle.exchanges[0]!),
      })),
    }),
    "The first cycle took 1 request, the 6th of the same size 16.",
  ],
])("%s", async (_name, change, message) => {
  expect(await told(change)).toBe(message);
});

test("more than the limit that is declared is told", async () => {
  const limited = (text: string): string =>
    text.replace(
      '"base_url": "https://api.example.com/v1"',
      () =>
        '"base_url": "https://api.example.com/v1", "rate_limit": { "app": { "read": { "requests": 2, "period": 60 } } }',
    );
  // The runtime keeps to it by waiting.
  expect(await told((log) => log, limited)).toBeUndefined();
  const atOnce = (log: WorldLog): WorldLog => ({
    ...log,
    exchanges: log.exchanges.map((exchange) => ({ ...exchange, at: 0 })),
  });
  expect(await told(atOnce, limited)).toBe(
    "More than the 2 requests in 60 s were sent that the app declares.",
  );
});
