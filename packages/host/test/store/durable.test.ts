import fs, { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunError, type Store } from "@configc/runtime";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { sqliteStore } from "../../src/store/index.ts";

/** What is durable is on the disk before whoever kept it is told (E260). */

const calls: string[] = [];
let broken: Error | undefined;

const { writeSync, fdatasyncSync } = fs;

beforeAll(() => {
  fs.writeSync = ((...given: Parameters<typeof writeSync>) => {
    calls.push("write");
    return writeSync(...given);
  }) as typeof writeSync;
  fs.fdatasyncSync = (descriptor) => {
    calls.push("sync");
    if (broken !== undefined) throw broken;
    fdatasyncSync(descriptor);
  };
  syncBuiltinESMExports();
});

afterAll(() => {
  Object.assign(fs, { writeSync, fdatasyncSync });
  syncBuiltinESMExports();
});

async function newStore(): Promise<{ readonly file: string; readonly store: Store }> {
  const folder = mkdtempSync(join(tmpdir(), "configc-durable-"));
  const file = join(folder, "state.db");
  const store = await sqliteStore(file);
  onTestFinished(async () => {
    broken = undefined;
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  calls.length = 0;
  return { file, store };
}

function put(store: Store, id: string, durable: boolean): Promise<void> {
  return store.transaction((t) => t.put("saved", { id, scope: "workflow", values: {} }), { durable });
}

test("the disk is waited for behind the record of what is durable, and for nothing else", async () => {
  const { store } = await newStore();
  await put(store, "a", false);
  expect(calls).toEqual(["write"]);
  await put(store, "b", true);
  expect(calls).toEqual(["write", "write", "sync"]);
});

test("where the disk can't be waited for, the database keeps it", async () => {
  const { store } = await newStore();
  await put(store, "a", true);
  broken = new Error("EIO");
  await put(store, "b", true);
  expect(calls).toEqual(["write", "sync", "write", "sync", "write"]);
  const rows = await store.transaction((t) => t.list("saved", {}));
  expect(rows.map(({ id }) => id)).toEqual(["a", "b"]);
});

test("what failed isn't found at the next start", async () => {
  const { file, store } = await newStore();
  await put(store, "a", false);
  const failed = store.transaction(async (t) => {
    await t.put("saved", { id: "b", scope: "workflow", values: {} });
    throw new RunError("DataError", "no", undefined);
  });
  await expect(failed).rejects.toThrow("no");
  await store.close();
  const again = await sqliteStore(file);
  expect((await again.transaction((t) => t.list("saved", {}))).map(({ id }) => id)).toEqual(["a"]);
  await again.close();
});
