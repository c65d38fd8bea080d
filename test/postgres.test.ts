import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { noPostgres, startPostgres } from "./support/postgres.ts";
import { runnableBinaries } from "./support/postgres-binaries.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "configc-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe.skipIf(noPostgres !== undefined)(`Postgres of the tests ${noPostgres ?? ""}`, () => {
  test("what was committed is there after a crash and a restart, at the same address", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const url = await server.createDatabase();
    await query(url, "CREATE TABLE kept AS SELECT 1 AS a");
    await server.kill();
    await expect(query(url, "SELECT 1")).rejects.toThrow(/ECONNREFUSED/);
    await server.restart();
    await server.restart();
    expect(await query(url, "SELECT a FROM kept")).toEqual([{ a: 1 }]);
    await server.stop();
    await expect(query(url, "SELECT 1")).rejects.toThrow(/ECONNREFUSED/);
  });

  test("nothing is left when the process that started it is killed", async () => {
    const folder = temporary();
    const script = ["scripts/ts.mjs", "test/support/postgres-sleeper.ts"];
    const child = spawn(process.execPath, script, { cwd: root, env: { ...process.env, TMPDIR: folder } });
    chmodSync(folder, 0o755);
    const [url] = (await once(child.stdout, "data")) as [Buffer];
    expect(await query(String(url), "SELECT 1 AS a")).toEqual([{ a: 1 }]);
    child.kill("SIGKILL");
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), 60_000);
    await expect(query(String(url), "SELECT 1")).rejects.toThrow(/ECONNREFUSED/);
  });

  test("binaries that were installed without their scripts, where others may not look, are run from a copy", async () => {
    const [folder, hidden] = [temporary(), temporary()];
    cpSync(dirname(await runnableBinaries(folder)), hidden, { recursive: true, verbatimSymlinks: true });
    for (const name of ["libicuuc.so.60", "libpq.so.5"])
      if (existsSync(join(hidden, "lib", name))) unlinkSync(join(hidden, "lib", name));
    chmodSync(hidden, 0o700);
    const found = await runnableBinaries(folder, hidden);
    expect(found).toBe(join(folder, "native/bin"));
  });
});
