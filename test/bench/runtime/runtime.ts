import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { compile } from "@configc/compiler";
import { embeddedPlatform, itemsInMemory, nodeEffects, nodeHttp, sqliteStore } from "@configc/host";
import { createRuntime, type Effects, memoryStore, type Store } from "@configc/runtime";
import { request } from "undici";
import { compileText } from "../../../packages/runtime/src/template.ts";
import { median } from "../processes.ts";
import { BenchServer } from "./server.ts";

/** The runtime's rows of the budget table. Both sides do the same work in one process by turns; the server is another process. */
export interface RuntimeRow {
  readonly what: string;
  readonly ours: number;
  readonly reference: number;
  readonly unit: string;
  readonly budget: number;
}

export async function runtimeRows(): Promise<RuntimeRow[]> {
  const server = await BenchServer.start();
  try {
    return [
      templateRow(),
      await requestRow(server.origin),
      ...(await pollRows(server.origin)),
      await memoryRow(),
    ];
  } finally {
    server.end();
  }
}

function effects(): Effects {
  return {
    ...nodeEffects(),
    http: nodeHttp({ allowPrivateNetwork: true }),
    platform: embeddedPlatform({ items: itemsInMemory() }),
  };
}

/** Milliseconds that this process computes, waiting left out. */
async function cpu(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Rounds before the engine has optimised what there is to optimise: a service runs for days. */
const WARM_UP = 12;

/** Medians of kinds of work that take turns. */
async function compare<Name extends string>(
  rounds: number,
  works: Readonly<Record<Name, () => Promise<unknown>>>,
): Promise<Readonly<Record<Name, number>>> {
  const named = Object.entries(works) as [Name, () => Promise<unknown>][];
  const times = new Map(named.map(([name]) => [name, [] as number[]]));
  for (let round = -WARM_UP; round < rounds; round++)
    for (const [name, work] of named) {
      const time = await cpu(work);
      // The first ones warm up.
      if (round >= 0) times.get(name)?.push(time);
    }
  const medians = named.map(([name]) => [name, median(times.get(name) ?? [])]);
  return Object.fromEntries(medians) as Readonly<Record<Name, number>>;
}

function templateRow(): RuntimeRow {
  const times = 400_000;
  const expansion = (path: string[]) => ({ path, span: { start: 0, end: 0 } });
  const template = compileText(
    [
      "Hello ",
      expansion(["custom_data", "name", "value"]),
      ", form ",
      expansion(["custom_data", "form", "value"]),
      "!",
    ],
    { pointer: "", span: { start: 0, end: 0 } },
  );
  const frames = Array.from({ length: 64 }, (_, n) => {
    const data = { name: { value: `Name ${n}` }, form: { value: n } };
    return { customData: () => data };
  });
  const hand = (frame: (typeof frames)[number]): string => {
    const data = frame.customData();
    return `Hello ${data.name.value}, form ${data.form.value}!`;
  };
  const rounds = { ours: [] as number[], reference: [] as number[] };
  let length = 0;
  const measure = (make: (frame: (typeof frames)[number]) => string): number => {
    const start = performance.now();
    for (let i = 0; i < times; i++) length += make(frames[i & 63]!).length;
    return ((performance.now() - start) * 1e6) / times;
  };
  // A template reads nothing else of a frame.
  const ours = template as unknown as typeof hand;
  for (let round = 0; round < 15; round++) {
    rounds.ours.push(measure(ours));
    rounds.reference.push(measure(hand));
  }
  if (length === 0) throw new Error("nothing was made");
  return {
    what: "a template with two expansions, to concatenation by hand",
    ours: median(rounds.ours),
    reference: median(rounds.reference),
    unit: "ns",
    budget: 6,
  };
}

async function requestRow(origin: string): Promise<RuntimeRow> {
  const requests = 1_000;
  const { app } = compile(
    JSON.stringify({
      api: { base_url: origin },
      workflows: [{ data_pipeline: { source: { "!http": { path: "/page/${piped_content.0.page}" } } } }],
    }),
  );
  const runtime = createRuntime(app, effects());
  const node = "/workflows/0/data_pipeline/source";
  const { ours, reference } = await compare(7, {
    ours: () => each(requests, (page) => runtime.run(node, { input: { page } })),
    reference: () => each(requests, (page) => readPage(origin, page)),
  });
  return {
    what: "an `!http` step, CPU per request, to undici's `request` and parsing",
    ours: (ours * 1_000) / requests,
    reference: (reference * 1_000) / requests,
    unit: "µs",
    budget: 1.5,
  };
}

/** Runs work for numbers from 1, eight at a time. */
async function each(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const line = async (): Promise<void> => {
    while (next < count) await work(++next);
  };
  await Promise.all(Array.from({ length: 8 }, line));
}

interface Page {
  readonly items: readonly { readonly id: number; readonly email: string; readonly name: string }[];
  readonly next: number | null;
}

async function readPage(origin: string, page: number): Promise<Page> {
  const { statusCode, body } = await request(`${origin}/page/${page}`, {
    headers: { accept: "application/json" },
  });
  if (statusCode >= 400) throw new Error(`${statusCode}`);
  return JSON.parse(await body.text()) as Page;
}

const pollConfig = (base_url: string, request: unknown) =>
  JSON.stringify({
    api: { base_url },
    data_intake: [{ type: "polling", name: "items", request }],
    workflows: [
      {
        name: "import",
        label: "Import",
        type: "generic",
        data_intake: "items",
        setup: {},
        data_pipeline: {
          source: { "!jq": "{email, first_name: .name}" },
          target: { "!resource": "PlatformContact" },
        },
      },
    ],
  });

async function install(store: Store): Promise<void> {
  await store.transaction((transaction) =>
    transaction.put("installations", {
      id: "i",
      app: "app",
      workflow: "import",
      status: "active",
      settings: { customData: {} },
      createdAt: 1,
      changedAt: 1,
    }),
  );
}

/**
 * A cycle of 100 pages with 10 items each, to the same written by hand, which keeps no state and survives nothing. All three take
 * turns.
 */
async function pollRows(origin: string): Promise<RuntimeRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "configc-bench-"));
  const stores = { memory: memoryStore(), SQLite: await sqliteStore(join(folder, "state.db")) };
  const times = await compare(15, {
    memory: await polling(origin, stores.memory),
    SQLite: await polling(origin, stores.SQLite),
    byHand: () => pollByHand(origin),
  });
  await stores.SQLite.close();
  rmSync(folder, { recursive: true });
  const row = (kind: keyof typeof stores, budget: number): RuntimeRow => ({
    what: `a poll of 100 pages × 10 items through a pipeline, CPU, state in ${kind}, to undici by hand`,
    ours: times[kind],
    reference: times.byHand,
    unit: "ms",
    budget,
  });
  return [row("memory", 4), row("SQLite", 8)];
}

async function polling(origin: string, store: Store): Promise<() => Promise<void>> {
  await install(store);
  const paged = {
    "!pipe": [
      { "!http": { path: "/page/${polling_state.page | default:1}" } },
      { "!jq": "{results: .items, iterate: (.next != null), polling_state: {page: (.next // 1)}}" },
    ],
  };
  const { app } = compile(pollConfig(origin, paged));
  const runtime = createRuntime(app, effects(), { store, limits: { pollingResults: 5_000 } });
  return async () => {
    const { delivered } = await runtime.poll("i");
    if (delivered !== 1_000) throw new Error(`${delivered} were delivered`);
    await runtime.prune(Number.POSITIVE_INFINITY);
  };
}

async function pollByHand(origin: string): Promise<void> {
  const contacts = new Map<string, object>();
  for (let page: number | null = 1; page !== null; ) {
    const { items, next } = await readPage(origin, page);
    for (const { email, name } of items) contacts.set(email, { email, first_name: name });
    page = next;
  }
  if (contacts.size !== 1_000) throw new Error(`${contacts.size} contacts`);
}

/** The heap after 100,000 items to that after 10,000. */
async function memoryRow(): Promise<RuntimeRow> {
  const folder = mkdtempSync(join(tmpdir(), "configc-bench-"));
  const store = await sqliteStore(join(folder, "state.db"));
  await install(store);
  const request = {
    "!jq":
      '(${polling_state}.n // 0) as $n | {results: [range($n; $n + 100) | {id: ., email: "p\\(. % 500)@example.com", name: "Person"}], iterate: (($n + 100) % 5000 != 0), polling_state: {n: ($n + 100)}}',
  };
  const { app } = compile(pollConfig("https://api.example.com", request));
  const platform = { fields: async () => [], sync: async () => null, upsert: async () => ({}) };
  const runtime = createRuntime(
    app,
    { ...effects(), platform },
    { store, limits: { pollingResults: 10_000 } },
  );
  let early = 0;
  for (let items = 5_000; items <= 100_000; items += 5_000) {
    await runtime.poll("i");
    if (items === 10_000) early = heap();
  }
  const late = heap();
  await store.close();
  rmSync(folder, { recursive: true });
  return {
    what: "heap after 100,000 items to that after 10,000",
    ours: late,
    reference: early,
    unit: "MB",
    budget: 1.1,
  };
}

/** Megabytes in use, after what isn't any more has been collected. */
function heap(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let i = 0; i < 4; i++) collect();
  return process.memoryUsage().heapUsed / 1e6;
}
