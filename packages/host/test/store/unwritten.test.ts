import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Delivery,
  type DeliveryStatus,
  memoryStore,
  type Store,
  type Transaction,
} from "@configc/runtime";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { cases } from "../../../../test/support/cases.ts";
import { sqliteStore } from "../../src/store/index.ts";

/** Whatever the database has and what waits for it: together they are what a store in memory has (E260). */

const statuses = ["waiting", "delivered", "failed"] as const satisfies readonly DeliveryStatus[];

type Step =
  | { readonly do: "put"; readonly id: string; readonly status: DeliveryStatus }
  | { readonly do: "delete"; readonly id: string };

type Act =
  | {
      readonly act: "change";
      readonly steps: readonly Step[];
      readonly durable: boolean;
      readonly fails: boolean;
    }
  | {
      readonly act: "list";
      readonly status: DeliveryStatus;
      readonly limit: number;
      readonly within: boolean;
    }
  | { readonly act: "count"; readonly status: DeliveryStatus }
  | { readonly act: "get"; readonly id: string }
  | { readonly act: "end"; readonly how: "kill" | "close" };

const id = fc.constantFrom("p/1/0", "p/1/1", "p/1/2", "p/2/0", "p/2/1", "a", "z", "é", "\u{1f600}", "\uffee");
const status = fc.constantFrom(...statuses);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("put" as const), id, status }) },
  fc.record({ do: fc.constant("delete" as const), id }),
);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant("change" as const),
      steps: fc.array(step, { minLength: 1, maxLength: 6 }),
      durable: fc.boolean(),
      fails: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant("list" as const),
      status,
      limit: fc.constantFrom(1, 2, 50),
      within: fc.boolean(),
    }),
  },
  fc.record({ act: fc.constant("count" as const), status }),
  fc.record({ act: fc.constant("get" as const), id }),
  fc.record({ act: fc.constant("end" as const), how: fc.constantFrom("kill", "close") }),
);

function delivery(id: string, status: DeliveryStatus, attempts: number): Delivery {
  return { id, app: "a", installation: "i", intake: "p", origin: "polling", status, attempts, receivedAt: 1 };
}

/** Does it, and tells all that is to be seen of it. */
async function told(store: Store, each: Exclude<Act, { act: "end" }>, attempts: number): Promise<unknown> {
  const list = (t: Transaction, status: DeliveryStatus, limit: number) =>
    t.list("deliveries", { installation: "i", status }, { limit, bytes: 1_000_000 });
  switch (each.act) {
    case "change": {
      const work = store.transaction(
        async (t) => {
          for (const step of each.steps) {
            if (step.do === "put") await t.put("deliveries", delivery(step.id, step.status, attempts));
            else await t.delete("deliveries", step.id);
          }
          if (each.fails) throw new Error("no");
        },
        { durable: each.durable },
      );
      return await work.then(
        () => "kept",
        () => "failed",
      );
    }
    case "list":
      return await store.transaction(async (t) => {
        if (each.within) await t.put("deliveries", delivery("within", each.status, attempts));
        return await list(t, each.status, each.limit);
      });
    case "count":
      return await store.transaction((t) =>
        t.count("deliveries", { installation: "i", status: each.status }),
      );
    case "get":
      return await store.transaction((t) => t.get("deliveries", each.id));
  }
}

/** Goes on with what a process leaves that is ended. */
async function killed(store: Store, file: string, next: string): Promise<Store> {
  for (const ending of ["", "-wal", "-pending"])
    if (existsSync(file + ending)) copyFileSync(file + ending, next + ending);
  await store.close();
  return await sqliteStore(next);
}

test("a store that was ended and opened any number of times has what one in memory has", async () => {
  const folder = mkdtempSync(join(tmpdir(), "configc-unwritten-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let files = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 30 }), async (acts) => {
      let file = join(folder, `${++files}.db`);
      let store = await sqliteStore(file);
      const wanted = memoryStore();
      try {
        for (const [attempts, each] of acts.entries()) {
          if (each.act === "end") {
            const next = join(folder, `${++files}.db`);
            if (each.how === "kill") {
              store = await killed(store, file, next);
              file = next;
            } else {
              await store.close();
              store = await sqliteStore(file);
            }
          } else expect(await told(store, each, attempts)).toEqual(await told(wanted, each, attempts));
        }
        const all = await store.transaction((t) => t.list("deliveries", {}));
        expect(all).toEqual(await wanted.transaction((t) => t.list("deliveries", {})));
      } finally {
        await store.close();
      }
    }),
    { numRuns: cases(300, 40) },
  );
}, 300_000);
