import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Listener } from "@configc/host";
import { createVault } from "@configc/runtime";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres } from "../../../../test/support/postgres.ts";
import { type Access, adminHandler, everybody, withToken } from "../../src/admin/index.ts";
import { KnownApps } from "../../src/answers/apps.ts";
import { Database } from "../../src/postgres/database.ts";
import { said } from "../support/said.ts";
import { answered, type Operated, operated, order } from "./operated.ts";

/** The pages of a fleet, on loopback. */
async function served({ worker, database: url }: Operated, access: Access) {
  const database = new Database({ url, connections: 2 });
  const savedRuns = mkdtempSync(join(tmpdir(), "configc-saved-"));
  onTestFinished(() => rmSync(savedRuns, { recursive: true }));
  const vault = createVault(new Uint8Array(32).fill(1));
  const apps = new KnownApps(database, vault);
  const { store, runs } = worker;
  const context = { database, store, runs, vault, apps, savedRuns, now: () => Date.now() };
  const errors: unknown[] = [];
  const failed = (error: unknown): void => void errors.push(error);
  const local = !access.asksForToken;
  const listener = new Listener({ answer: adminHandler({ context, access, local, failed }), failed });
  await listener.listen(0, "127.0.0.1");
  onTestFinished(async () => {
    await listener.close(0);
    await database.close();
    expect(errors).toEqual([]);
  });
  const origin = `http://127.0.0.1:${listener.port}`;
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${origin}${path}`, { redirect: "manual", ...init });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = { origin }) =>
    ask(path, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), headers });
  return { origin, port: listener.port, ask, post };
}

const token = "a token that nobody guesses";

describe.skipIf(noPostgres !== undefined)("E147: pages and API of operators", () => {
  test("the API answers as the commands do, and acts, for the record", async () => {
    const fleet = await operated();
    await fleet.install("i1", "ada");
    fleet.service.answer = answered(order(1), { id: 2, email: null });
    await fleet.work();
    fleet.service.answer = { status: 403, json: {} };
    await fleet.work();
    const { ask, post } = await served(fleet, everybody("eve"));
    const got = async (path: string) => JSON.parse((await ask(`/api/${path}`)).text) as unknown;
    for (const [path, args] of [
      ["queues", ["queues"]],
      ["failing?customer=ada", ["failing", "--list", "--customer", "ada"]],
      ["items?app=shop", ["items", "--failed", "--app", "shop"]],
      ["runs?status=failed", ["runs", "--status", "failed"]],
    ] as const) {
      const { rows, ...rest } = (await fleet.hostJson(...args)) as { rows?: readonly { place?: unknown }[] };
      const withoutPlaces = rows?.map(({ place: _, ...row }) => row);
      expect(await got(path)).toEqual(rows === undefined ? rest : { ...rest, rows: withoutPlaces });
    }
    expect(await got("installations/i1")).toMatchObject({
      failing: [{ status: 403, place: { file: "shop.app.json", line: 25 } }],
      items: { failed: 1 },
    });
    expect((await ask("/api/installations/none")).status).toBe(404);
    expect((await ask("/api/failing?limit=0")).status).toBe(400);
    expect((await ask("/api/failing?after=x")).status).toBe(400);

    const asked = { target: { customer: "ada" }, why: "mended", request: "r1" };
    const done = JSON.parse((await post("/api/acts/retry-items", asked)).text) as object;
    expect(done).toMatchObject({ act: "retry-items", affected: 1, request: "r1" });
    expect(JSON.parse((await post("/api/acts/retry-items", asked)).text)).toEqual({ ...done, before: true });
    expect(await got("acts")).toMatchObject({ rows: [{ by: "eve", why: "mended", act: "retry-items" }] });
    for (const [name, body, status] of [
      ["none", {}, 404],
      ["retry", {}, 400],
      ["retry", { target: {} }, 422],
      ["retry", { target: { item: "x" } }, 422],
      ["retry", { target: { app: 1 } }, 400],
      ["purge-items", { target: { app: "shop" } }, 400],
      ["retry", "{", 400],
      ["retry", "x".repeat(100_000), 413],
    ] as const)
      expect([name, (await post(`/api/acts/${name}`, body)).status]).toEqual([name, status]);
  }, 60_000);

  test("other pages and names get nothing, and change nothing", async () => {
    const fleet = await operated();
    await fleet.install("i1", "ada");
    const { ask, post, origin, port } = await served(fleet, everybody("eve"));
    const act = { target: { customer: "ada" } };
    for (const headers of [
      {},
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin, "sec-fetch-site": "cross-site" },
    ] as Record<string, string>[])
      expect((await post("/api/acts/hold", act, headers)).status).toBe(403);
    expect(await fleet.host("acts")).toBe("Nothing was done yet.\n");
    const { request } = await import("node:http");
    const rebound = await new Promise<number>((resolve, reject) =>
      request(
        { port, host: "127.0.0.1", path: "/api/failing", headers: { host: "evil.example" } },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      )
        .on("error", reject)
        .end(),
    );
    expect(rebound).toBe(421);
    const { headers, text } = await ask("/");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text).toContain("No installation fails.");
  }, 60_000);

  test("a token is asked for, typed in or sent", async () => {
    const fleet = await operated();
    const { ask, post, origin } = await served(fleet, withToken(token, "eve"));
    expect((await ask("/api/failing")).status).toBe(401);
    expect(await ask("/")).toMatchObject({ status: 401, text: expect.stringContaining('type="password"') });
    expect((await ask("/api/failing", { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
    const authorization = `Bearer ${token}`;
    expect((await ask("/api/failing", { headers: { authorization } })).status).toBe(200);
    expect((await post("/api/acts/hold", { target: { app: "shop" } }, { authorization })).status).toBe(200);
    expect((await post("/login", "token=wrong")).status).toBe(401);
    const { status, headers } = await post("/login", new URLSearchParams({ token }).toString());
    const [cookie = ""] = headers.get("set-cookie")?.split(";") ?? [];
    expect([status, headers.get("set-cookie")]).toEqual([
      303,
      expect.stringContaining("HttpOnly; SameSite=Strict"),
    ]);
    expect((await ask("/", { headers: { cookie } })).status).toBe(200);
    // The cookie alone isn't enough for a form of another page.
    expect((await post("/api/acts/hold", { target: { app: "shop" } }, { cookie })).status).toBe(403);
    expect((await post("/api/acts/hold", { target: { app: "shop" } }, { cookie, origin })).status).toBe(200);
  }, 60_000);

  test("an address that others reach needs a token", async () => {
    const fleet = await operated();
    const environment = { DATABASE_URL: fleet.database, ADMIN_HOST: "0.0.0.0" };
    expect(await said(["serve", "--admin"], environment)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Whoever reaches 0.0.0.0 could act here: set ADMIN_TOKEN"),
    });
    expect(await said(["serve", "--admin"], { ...environment, ADMIN_TOKEN: "short" })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("16 characters"),
    });
  }, 60_000);
});
