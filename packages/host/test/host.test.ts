import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "@configc/compiler";
import { createHost, type Host, type HostOptions, type JobReport, keyFile } from "@configc/host";
import { expect, onTestFinished, test } from "vitest";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "configc-host-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const { app } = compile(
  JSON.stringify({
    $version: "2",
    data_intake: [
      {
        type: "polling",
        name: "numbers",
        request: {
          "!jq":
            '(${polling_state}.n // 0) as $n | {results: [{email: "p\\($n)@example.com"}], iterate: false, polling_state: {n: ($n + 1)}}',
        },
      },
      { type: "webhook", name: "created", scope: "workflow", create: { "!jq": "." } },
    ],
    workflows: ["numbers", "created"].map((name) => ({
      name,
      label: name,
      type: "generic",
      data_intake: name,
      setup: { schedule: { label: "S", description: "D", import_options: [], frequency: 1800 } },
      data_pipeline: { source: { "!jq": "{email}" }, target: { "!resource": "PlatformContact" } },
    })),
  }),
);

async function hostOf(options: Partial<HostOptions> = {}): Promise<{ host: Host; reports: JobReport[] }> {
  const reports: JobReport[] = [];
  const host = await createHost({
    apps: { acme: app },
    report: (report) => reports.push(report),
    ...options,
  });
  return { host, reports };
}

async function install(
  { store }: Host,
  workflow: string,
  status: "active" | "paused" = "active",
): Promise<void> {
  await store.transaction((t) =>
    t.put("installations", {
      id: workflow,
      app: "acme",
      workflow,
      status,
      settings: { customData: {} },
      createdAt: 1,
      changedAt: 1,
    }),
  );
}

test("it runs a command of an app with Node's clock", async () => {
  const { host } = await hostOf();
  const before = Date.now() / 1000;
  const { app: clock } = compile(
    '{"workflows": [{"data_pipeline": {"source": {"!jq": "{at: now, email}"}}}]}',
  );
  const other = await createHost({ apps: { clock } });
  const output = await other
    .runtime("clock")
    ?.run("/workflows/0/data_pipeline/source", { input: { email: "a@example.com" } });
  expect(output).toMatchObject({ email: "a@example.com" });
  expect((output as { at: number }).at).toBeGreaterThanOrEqual(before - 1);
  expect(host.runtime("other")).toBeUndefined();
  await Promise.all([host.close(), other.close()]);
});

test("a directory needs a key, and a key is made once", async () => {
  const directory = newFolder();
  await expect(createHost({ apps: {}, directory })).rejects.toThrow(/`key`/);
  const key = await keyFile(join(directory, "key"));
  expect([key.length, await keyFile(join(directory, "key"))]).toEqual([32, key]);
});

test.skipIf(process.platform === "win32")(
  "folders that are made for the state are their owner's only",
  async () => {
    const above = join(newFolder(), "a");
    const host = await createHost({ apps: {}, directory: join(above, "b"), key: new Uint8Array(32) });
    for (const folder of [above, join(above, "b")]) expect(statSync(folder).mode & 0o777).toBe(0o700);
    await host.close();
  },
);

test("it polls when a cycle is due, and goes on in the next process", async () => {
  const directory = newFolder();
  const key = new Uint8Array(32).fill(1);
  let now = 1_000_000_000_000;
  const clock = { now: () => now, sleep: async () => undefined };
  const options = { directory, key, effects: { clock } };
  const first = await hostOf(options);
  await install(first.host, "numbers");
  await first.host.start();
  await first.host.idle();
  expect(first.reports).toMatchObject([{ job: "poll", result: { delivered: 1, reason: "iterate" } }]);
  await first.host.close();
  const second = await hostOf(options);
  now += 1_799_000;
  await second.host.start();
  await second.host.idle();
  expect(second.reports).toEqual([]);
  await second.host.close();
  now += 1_000;
  const third = await hostOf(options);
  await third.host.start();
  await third.host.idle();
  expect(third.reports).toHaveLength(1);
  const emails = await third.host.store.transaction((t) => t.list("polling", {}));
  expect(emails).toMatchObject([{ state: { n: 2 }, cycle: 2 }]);
  await third.host.close();
});

test("it looks again at intervals: what is installed later is polled too", async () => {
  const { host, reports } = await hostOf({ schedule: { interval: 1 } });
  await host.start();
  expect(reports).toEqual([]);
  await install(host, "numbers");
  await expect.poll(() => reports.length, { timeout: 20_000 }).toBe(1);
  await host.close();
});

test("it takes webhooks over HTTP, and leaves other paths alone", async () => {
  const server = createServer(async (request, response) => {
    if (!(await host.handle(request, response))) response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { host, reports } = await hostOf({ publicUrl: `${origin}/in/` });
  await install(host, "created", "paused");
  await host.runtime("acme")?.activate("created");
  const [hook] = await host.store.transaction((t) => t.list("hooks", {}));
  const post = async (path: string, body: string | Buffer): Promise<number> => {
    const answer = await fetch(origin + path, { method: "POST", body });
    await answer.arrayBuffer();
    return answer.status;
  };
  expect(await post(`/in/acme/${hook?.id}`, '{"email": "a@example.com"}')).toBe(200);
  await host.idle();
  expect(reports).toMatchObject([{ job: "deliver", installation: "created", result: { delivered: 1 } }]);
  expect(await post("/in/acme/guessed", "{}")).toBe(404);
  expect(await post("/in/other/guessed", "{}")).toBe(418);
  expect(await post("/in/acme/%", "{}")).toBe(418);
  expect(await post("/else", "{}")).toBe(418);
  // Nobody makes it read a body who doesn't know a webhook: there is none here, and no answer waits for it.
  const unread = async (id: string | undefined): Promise<string> => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(`POST /in/acme/${id} HTTP/1.1\r\nhost: here\r\ncontent-length: 10000000\r\n\r\n`);
    const [head] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    return `${head}`.split("\r\n")[0] ?? "";
  };
  expect(await unread("guessed")).toBe("HTTP/1.1 404 Not Found");
  expect(await post(`/in/acme/${hook?.id}`, Buffer.alloc(11 * 1024 * 1024, " "))).toBe(413);
  await host.store.transaction((t) => t.put("hooks", { ...hook!, state: "retired" }));
  expect(await unread(hook?.id)).toBe("HTTP/1.1 410 Gone");
  await host.close();
});

test("closing lets an item come to its end, and the next process delivers the rest", async () => {
  const directory = newFolder();
  const key = new Uint8Array(32).fill(1);
  const delivered: unknown[] = [];
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const platform = {
    fields: async () => [],
    sync: async () => null,
    upsert: async (_: string, item: object) => {
      delivered.push(item);
      await gate;
      return {};
    },
  };
  const options = { directory, key, effects: { platform }, publicUrl: "https://hooks.example.com" };
  const { host } = await hostOf(options);
  await install(host, "created", "paused");
  const runtime = host.runtime("acme")!;
  await runtime.activate("created");
  const [hook] = await host.store.transaction((t) => t.list("hooks", {}));
  for (const email of ["a@example.com", "b@example.com"])
    await runtime.receive({
      hook: hook!.id,
      method: "POST",
      headers: {},
      body: new TextEncoder().encode(JSON.stringify({ email })),
    });
  host.deliver("acme", "created");
  while (delivered.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const closing = host.close();
  release();
  await closing;
  expect(delivered).toEqual([{ email: "a@example.com" }]);
  const next = await hostOf(options);
  await next.host.start();
  await next.host.idle();
  expect(delivered).toEqual([{ email: "a@example.com" }, { email: "b@example.com" }]);
  await next.host.close();
});
