import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { compile } from "@configc/compiler";
import { createFleetWorker, migrateFleet } from "@configc/engine-dbos";
import { type Platform, RunError } from "@configc/runtime";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres, type Postgres, startPostgres } from "../../../test/support/postgres.ts";
import { gate } from "./engine/contract.ts";

/** A service that gives its records by their numbers, from one on. */
async function service(): Promise<{ readonly origin: string; add(count: number): void }> {
  let newest = 0;
  const server = createServer((request, response) => {
    const after = Number(new URL(request.url ?? "/", "http://x").searchParams.get("after"));
    const records = Array.from({ length: newest - after }, (_, index) => ({ n: after + index + 1 }));
    response.end(JSON.stringify({ records }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (count) => void (newest += count),
  };
}

function app(origin: string) {
  const request = [
    { "!http": { path: "/records", params: { after: "${polling_state.after}" } } },
    {
      "!jq":
        "{results: .records, iterate: false, polling_state: {after: ([${polling_state.after}, .records[].n] | max)}}",
    },
  ];
  const setup = { schedule: { label: "S", description: "D", import_options: [], frequency: 1800 } };
  const target = { "!pipe": [{ "!jq": '{email: "\\(.n)"}' }, { "!resource": "PlatformContact" }] };
  return compile(
    JSON.stringify({
      $version: "2",
      api: { base_url: origin },
      data_intake: [
        {
          type: "polling",
          name: "records",
          initial_setup: { "!jq": "{polling_state: {after: 0}}" },
          request: { "!pipe": request },
        },
      ],
      workflows: [
        {
          name: "import",
          label: "Import",
          type: "generic",
          data_intake: "records",
          setup,
          data_pipeline: { source: { "!jq": "." }, target },
        },
      ],
    }),
  ).app;
}

/** A platform that takes each write once, by its key, as D33 has it. */
class KeyedSink implements Platform {
  /** Number of the record by key. */
  readonly #kept = new Map<string, number>();
  /** Records from this one on are refused. */
  until = Number.POSITIVE_INFINITY;
  fields = async () => [];
  sync = async () => null;
  upsert: Platform["upsert"] = async (_, item, { key = "" }) => {
    const n = Number(item["email"]);
    if (n > this.until) throw new RunError("PlatformError", "It is closed.", undefined);
    if (!this.#kept.has(key)) this.#kept.set(key, n);
    return { contact_id: n };
  };

  /** How often each record is there, from the first on. */
  get times(): readonly number[] {
    const times: number[] = [];
    for (const n of this.#kept.values()) times[n - 1] = (times[n - 1] ?? 0) + 1;
    return Array.from(times, (count = 0) => count);
  }
}

/** A Postgres of its own, a service, a sink, and cycles of a worker that begins and ends with each. */
async function fleet(): Promise<{
  readonly postgres: Postgres;
  readonly sink: KeyedSink;
  /** A cycle with so many new records. @returns deliveries that the worker told of */
  cycle(count: number): Promise<number>;
}> {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const database = await postgres.createDatabase();
  await migrateFleet(database);
  const source = await service();
  const sink = new KeyedSink();
  const cycle = async (count: number): Promise<number> => {
    source.add(count);
    let delivered = 0;
    const polled = gate();
    const worker = await createFleetWorker({
      database,
      apps: { acme: app(source.origin) },
      key: new Uint8Array(32),
      effects: { platform: sink },
      allowPrivateNetwork: true,
      schedule: { interval: 1 },
      queueInterval: 20,
      report: ({ job, result }) => {
        if (job === "poll") polled.open();
        delivered += (result as { readonly delivered?: number } | undefined)?.delivered ?? 0;
      },
    });
    await worker.store.transaction(async (transaction) => {
      if ((await transaction.get("installations", "i")) !== undefined) return;
      await transaction.put("installations", {
        id: "i",
        app: "acme",
        workflow: "import",
        status: "active",
        settings: { customData: {} },
        createdAt: 1,
        changedAt: 1,
      });
    });
    await worker.start();
    // The first one is due by itself.
    await worker.retry("acme", "i");
    await polled.passed;
    await worker.idle();
    await worker.close();
    return delivered;
  };
  return { postgres, sink, cycle };
}

describe.skipIf(noPostgres !== undefined)("D33, E35: after an older state comes back", () => {
  test("from a back-up, nothing new is dropped, and only what was fetched since comes twice", async () => {
    const { postgres, sink, cycle } = await fleet();
    expect(await cycle(3)).toBe(3);
    const restore = await postgres.backUp();
    await cycle(3);
    await cycle(3);
    expect(sink.times).toEqual(Array(9).fill(1));
    await restore();
    // 4 to 9 again, 10 to 12 for the first time; then 13 to 15.
    expect([await cycle(3), await cycle(3)]).toEqual([9, 3]);
    expect(sink.times).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1]);
  });

  test("what waited in the back-up has arrived meanwhile, and comes again under its key", async () => {
    const { postgres, sink, cycle } = await fleet();
    sink.until = 2;
    await cycle(4);
    expect(sink.times).toEqual([1, 1]);
    const restore = await postgres.backUp();
    sink.until = Number.POSITIVE_INFINITY;
    expect(await cycle(0)).toBe(2);
    await cycle(2);
    expect(sink.times).toEqual([1, 1, 1, 1, 1, 1]);
    await restore();
    // What waited, and what was fetched since: on a busy machine a second look falls into the first cycle.
    expect((await cycle(0)) + (await cycle(0))).toBe(4);
    expect(sink.times).toEqual([1, 1, 1, 1, 2, 2]);
  });

  test("from a standby that hadn't received the last cycles, it is the same", async () => {
    const { postgres, sink, cycle } = await fleet();
    const standby = await postgres.standby();
    await cycle(3);
    await standby.detach();
    await cycle(3);
    await cycle(3);
    await standby.takePlace();
    expect(await cycle(3)).toBeGreaterThan(0);
    await cycle(3);
    const { times } = sink;
    expect(times).toHaveLength(15);
    // How far it had received the first ones is a matter of time.
    expect(Math.min(...times)).toBe(1);
    expect(times.slice(9)).toEqual(Array(6).fill(1));
    expect(Math.max(...times)).toBe(2);
  });
});
