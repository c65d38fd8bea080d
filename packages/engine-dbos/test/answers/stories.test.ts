import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { compile } from "@configc/compiler";
import { type OperatorPages, openOperatorPages, type Run } from "@configc/engine-dbos";
import { replayRun } from "@configc/host";
import { createVault, parseExact } from "@configc/runtime";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres } from "../../../../test/support/postgres.ts";
import { Database } from "../../src/postgres/database.ts";
import type { SavedFailure, Story } from "../../src/stories/index.ts";
import { pruneStories } from "../../src/stories/index.ts";
import { reseal } from "../../src/worker/reseal.ts";
import { said } from "../support/said.ts";
import { answered, type Operated, operated, order } from "./operated.ts";

interface Told extends Run {
  readonly stories?: readonly Story[];
  readonly untold?: string;
  readonly saved: readonly SavedFailure[];
}

/** The newest run of a status, with all that is told of it. */
async function newest(fleet: Operated, status: string): Promise<Told> {
  const { rows } = await fleet.hostJson<{ rows: readonly Run[] }>("runs", "--status", status);
  const id = rows[0]?.id ?? "";
  await expect
    .poll(async () => (await fleet.hostJson<Told>("inspect", id)).stories?.length, { timeout: 15_000 })
    .toBe(1);
  return await fleet.hostJson<Told>("inspect", id);
}

/** Until so many failed runs are kept: no run waits for that. Of several requests that fail, each may be kept. */
async function saved(fleet: Operated, count: number, most = count): Promise<void> {
  const kept = async () => (await fleet.hostJson<SavedFailure[]>("saved-run")).length;
  await expect.poll(kept, { timeout: 15_000 }).toBeGreaterThanOrEqual(count);
  expect(await kept()).toBeLessThanOrEqual(most);
}

function opened(database: string): Database {
  const found = new Database({ url: database, connections: 1 });
  onTestFinished(() => found.close());
  return found;
}

describe.skipIf(noPostgres !== undefined)("E203: a run as a story", () => {
  test("tells the requests without secrets, and the state before and after; sealed", async () => {
    const fleet = await operated();
    await fleet.install("i1", "ada");
    fleet.service.answer = answered(order(1), { id: 2, email: null });
    await fleet.work();
    const run = await newest(fleet, "done");
    expect(run).toMatchObject({ output: { delivered: 1, failed: 1 } });
    const [story] = run.stories ?? [];
    const url = `${fleet.service.origin}/orders?since=0`;
    expect(story).toMatchObject({
      outcome: "done",
      commands: [
        { node: "/data_intake/0/request", requests: [{ method: "GET", url, status: 200 }] },
        { node: "/workflows/0/data_pipeline/source", item: expect.stringContaining("i1/orders/1/1/1") },
      ],
      state: { before: "{}", after: '{"since":1}' },
    });
    expect(story?.commands[1]?.failure).toMatch(/^JqError: no address/);
    const text = await fleet.host("inspect", run.id);
    expect(text).toContain(`GET ${url} → 200, `);
    expect(text).toContain('state before: {}\n  state after:  {"since":1}');
    // No token, no e-mail of an order, and nothing of it in the table as it stands there.
    expect(JSON.stringify(story)).not.toMatch(/canary|example\.com"|c1@/);
    const database = opened(fleet.database);
    const [row] = await database.query<{ story: string }>("SELECT story FROM configc.stories");
    expect(row?.story).toMatch(/^v1\.[\w-]{8}\./);
    // Without the key it says so.
    const { stdout } = await said(["inspect", run.id], { DATABASE_URL: fleet.database });
    expect(stdout).toContain("Requests and state are sealed: set CONFIGC_KEY");
  }, 60_000);

  test("of a cycle that found nothing, nothing is kept; stories go with their time, with another key, and with their customer", async () => {
    const fleet = await operated();
    await fleet.install("i1", "ada");
    await fleet.work();
    const database = opened(fleet.database);
    const count = async () => (await database.query("SELECT 1 FROM configc.stories")).length;
    fleet.service.answer = answered(order(1));
    await fleet.work();
    await newest(fleet, "done");
    // The empty cycle before it was written by then, had it been told.
    expect(await count()).toBe(1);
    await pruneStories(database, Date.now() - 60_000);
    expect(await count()).toBe(1);
    const { store } = fleet.worker;
    await reseal({ database, store, vault: createVault(new Uint8Array(32).fill(1)) });
    expect(await count()).toBe(1);
    const next = createVault(new Uint8Array(32).fill(2), new Uint8Array(32).fill(1));
    await reseal({ database, store, vault: next });
    expect(await count()).toBe(0);
    await database.query(
      "INSERT INTO configc.stories (run, at, installation, story) SELECT 'r', now(), i, '' FROM unnest(ARRAY['i1', 'i2']) i ON CONFLICT DO NOTHING",
    );
    await database.query(
      "INSERT INTO configc.stories (run, at, installation, story) VALUES ('s', now(), 'i1', '')",
    );
    const removed = '\'"status":"active"\', \'"status":"removed"\'';
    await database.query(
      `UPDATE configc.installations SET by_status = 'removed', row = replace(row, ${removed}) WHERE id = 'i1'`,
    );
    await fleet.host("delete-customer", "--customer", "ada", "--why", "asked to");
    const left = await database.query("SELECT 1 FROM configc.stories WHERE installation = 'i1'");
    expect(left).toHaveLength(0);
    await pruneStories(database, Date.now() + 60_000);
    expect(await count()).toBe(0);
  }, 60_000);
});

describe.skipIf(noPostgres !== undefined)("E204: a failed run as a file", () => {
  test("is kept for each command of each installation, found from its run, and replayed", async () => {
    const fleet = await operated({ savedFailures: 1 });
    await fleet.install("i1", "ada");
    fleet.service.answer = { status: 403, json: { reason: "closed" } };
    await fleet.work();
    await saved(fleet, 1);
    const run = await newest(fleet, "failed");
    expect(run.saved).toMatchObject([
      { installation: "i1", node: "/data_intake/0/request", kind: "HttpError" },
    ]);
    const text = await fleet.host("saved-run", "i1");
    expect(text).not.toContain("canary");
    const file = join(fleet.folder, "run.json");
    writeFileSync(file, text);
    const { app } = compile(readFileSync(join(fleet.folder, "shop.app.json"), "utf8"));
    const { departure, outcome } = await replayRun(app, parseExact(text) as never);
    expect([departure, outcome]).toMatchObject([undefined, { error: { kind: "HttpError", status: 403 } }]);
    // As the page says: with the command that everybody has.
    const replayed = spawnSync(
      process.execPath,
      [
        "packages/cli/bin/configc.js",
        "run",
        join(fleet.folder, "shop.app.json"),
        "/data_intake/0/request",
        "--replay",
        file,
      ],
      { encoding: "utf8" },
    );
    expect(`${replayed.stdout}${replayed.stderr}`).toContain("403");
    // Another installation that fails later takes its place: one at most.
    await fleet.install("i2");
    await fleet.work();
    await saved(fleet, 1);
    expect(
      (await said(["saved-run", "none", "--config", join(fleet.folder, "host.json")], fleet.environment))
        .stderr,
    ).toContain("No run of `none` is kept as a file.");
  }, 60_000);

  test("unless nobody asked for it", async () => {
    const fleet = await operated({ stories: "none" });
    await fleet.install("i1");
    fleet.service.answer = { status: 403, json: {} };
    await fleet.work();
    const database = opened(fleet.database);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const table of ["stories", "saved_runs"])
      expect(await database.query(`SELECT 1 FROM configc.${table}`)).toHaveLength(0);
  }, 60_000);
});

/** A server of somebody's own, with pages below a path. */
async function mounted(
  pages: OperatorPages,
  before: (request: import("node:http").IncomingMessage) => void = () => undefined,
) {
  const server = createServer((request, response) => {
    before(request);
    void pages.handle(request, response).then((done) => {
      if (!done) response.writeHead(404).end("not the pages");
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.close();
    await pages.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(noPostgres !== undefined)("E205: the pages in a server of one's own", () => {
  test("all links lead below its path, acts are kept under its names, and who isn't known gets nothing", async () => {
    const fleet = await operated({ savedFailures: 10 });
    await fleet.install("i1", "ada");
    fleet.service.answer = answered(order(1), { id: 2, email: null });
    await fleet.work();
    fleet.service.answer = { status: 403, json: {} };
    await fleet.work();
    await saved(fleet, 1, 10);
    const run = await newest(fleet, "failed");
    const errors: unknown[] = [];
    const origin = await mounted(
      await openOperatorPages({
        database: fleet.database,
        key: new Uint8Array(32).fill(1),
        base: "/team/operators",
        operator: ({ headers }) => (headers["x-user"] === "eve" ? { name: "eve" } : undefined),
        failed: (error) => errors.push(error),
      }),
    );
    const headers = { "x-user": "eve" };
    const home = `${origin}/team/operators/`;
    const slashless = await fetch(`${origin}/team/operators?x=1`, { headers, redirect: "manual" });
    expect(new URL(slashless.headers.get("location") ?? "", `${origin}/team/operators`).href).toBe(
      `${home}?x=1`,
    );
    expect((await fetch(home)).status).toBe(401);
    expect(await (await fetch(`${origin}/team/operatorsx`, { headers })).text()).toBe("not the pages");

    // Everything that can be reached by a link from the first page, as a browser resolves it.
    const seen = new Map<string, number>();
    const waiting = [home, `${home}runs/${encodeURIComponent(run.id)}`];
    for (let at = waiting.pop(); at !== undefined && seen.size < 80; at = waiting.pop()) {
      if (seen.has(at)) continue;
      const response = await fetch(at, { headers });
      seen.set(at, response.status);
      if (!(response.headers.get("content-type") ?? "").includes("html")) continue;
      const text = await response.text();
      const base = new URL(/<base href="([^"]*)"/.exec(text)?.[1] ?? "", at);
      for (const [, link = ""] of text.replace(/<base[^>]*>/, "").matchAll(/(?:href|action)="([^"]*)"/g))
        if (!link.startsWith("data:")) waiting.push(new URL(link.replaceAll("&#38;", "&"), base).href);
    }
    expect(seen.size).toBeGreaterThan(20);
    for (const [address, status] of seen) {
      expect(address).toContain(home);
      // Forms that are only posted, and a search for nothing.
      if (!/\/do\/[\w-]+$|\/search$/.test(address)) expect([address, status]).toEqual([address, 200]);
    }
    const page = await (await fetch(`${home}runs/${encodeURIComponent(run.id)}`, { headers })).text();
    expect(page).toContain(`GET ${fleet.service.origin}/orders?since=1 → 403`);
    expect(page).toContain("saved-runs/of/i1");
    const search = await fetch(`${home}search?q=i1`, { headers });
    expect([search.status, search.url]).toEqual([200, `${home}installations/i1`]);

    const act = { target: { installation: "i1" }, why: "", request: "r1" };
    const post = (more: Record<string, string>) =>
      fetch(`${home}api/acts/retry`, {
        method: "POST",
        body: JSON.stringify(act),
        headers: { ...headers, ...more },
      });
    expect((await post({ origin: "https://evil.example" })).status).toBe(403);
    // Behind a proxy the name in `host` is another one; the browser itself says whence a form comes.
    expect((await post({ origin: "https://ops.example", "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await post({ origin: "https://ops.example", "sec-fetch-site": "same-origin" })).status).toBe(200);
    const acts = await fetch(`${home}api/acts`, { headers });
    expect(await acts.json()).toMatchObject({ rows: [{ by: "eve", request: "r1" }] });
    const file = await fetch(`${home}api/saved-runs/i1`, { headers });
    expect(await file.json()).toMatchObject({ node: "/data_intake/0/request", version: 1 });
    expect(errors).toEqual([]);
  }, 90_000);

  test("a router that goes by the path, and a parser of bodies, may be in front", async () => {
    const fleet = await operated();
    await fleet.install("i1", "ada");
    const pages = await openOperatorPages({
      database: fleet.database,
      base: "/operators",
      operator: () => ({ name: "eve" }),
    });
    const server = createServer(async (request, response) => {
      const whole = request as typeof request & { originalUrl?: string; body?: unknown };
      // As routers with `use(path, …)` and parsers of bodies leave a request.
      whole.originalUrl = request.url ?? "";
      request.url = whole.originalUrl.replace(/^\/operators/, "") || "/";
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      whole.body = text.startsWith("{") ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
      await pages.handle(request, response);
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(async () => {
      server.close();
      await pages.close();
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const form = await fetch(`${origin}/operators/do/hold`, {
      method: "POST",
      body: new URLSearchParams({ "target.installation": "i1", request: "f1" }),
      headers: { origin },
    });
    expect([form.status, await form.text()]).toEqual([200, expect.stringContaining("hold: 1 changed")]);
    const call = await fetch(`${origin}/operators/api/acts/release`, {
      method: "POST",
      body: JSON.stringify({ target: { installation: "i1" } }),
      headers: { origin, "content-type": "application/json" },
    });
    expect(await call.json()).toMatchObject({ act: "release", affected: 1 });
    await expect(
      openOperatorPages({ database: fleet.database, base: "x", operator: () => undefined }),
    ).rejects.toThrow(TypeError);
  }, 60_000);
});
