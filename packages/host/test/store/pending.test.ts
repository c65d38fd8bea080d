import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@configc/runtime";
import { describe, expect, onTestFinished, test } from "vitest";
import { bundled } from "../../../../test/support/bundled.ts";
import { cases } from "../../../../test/support/cases.ts";
import type { Change } from "../../src/store/change.ts";
import { sqliteStore } from "../../src/store/index.ts";
import { decodeRecords, encodeRecord } from "../../src/store/pending.ts";

/** What is promised survives the end of the process, and nothing else is taken for it (E260). */

const EPOCH = 7;

function saved(id: string): Change {
  const row = { id, scope: "workflow", values: { text: `„${id}“ 😀` } };
  return { table: "saved", id, text: JSON.stringify(row), row };
}

const record = (number: number, epoch = EPOCH): Buffer =>
  encodeRecord(epoch, number, [saved(`${number}`), { table: "members", id: `gone ${number}` }]);

/** The numbers of the records that count. */
function counted(bytes: Buffer): number[] {
  const changes = decodeRecords(bytes, EPOCH);
  const ids = changes.filter(({ table }) => table === "saved").map(({ id }) => Number(id));
  // A record counts as a whole.
  expect(changes).toEqual(ids.flatMap((id) => [saved(`${id}`), { table: "members", id: `gone ${id}` }]));
  return ids;
}

describe("records of what was promised", () => {
  const [first, second, third] = [record(0), record(1), record(2)] as const;
  const later = Buffer.concat([record(0, EPOCH + 1), record(1, EPOCH + 1)]);
  const earlier = Buffer.concat([0, 1, 2, 3].map((number) => record(number, EPOCH - 1)));

  test.each<[string, Buffer[], number[]]>([
    ["nothing", [], []],
    ["all in their order", [first, second, third], [0, 1, 2]],
    ["one is repeated", [first, first, second], [0]],
    ["the last is repeated", [first, second, second], [0, 1]],
    ["two are exchanged", [first, third, second], [0]],
    ["the first is missing", [second, third], []],
    ["one in the middle is missing", [first, third], [0]],
    ["of an older epoch", [earlier], []],
    ["of a newer epoch", [later], []],
    ["written over an older epoch", [first, earlier.subarray(first.length)], [0]],
    ["written over half a record of an older epoch", [first, earlier.subarray(first.length + 11)], [0]],
    ["an older epoch behind all", [first, second, earlier], [0, 1]],
    ["zeros behind", [first, Buffer.alloc(64)], [0]],
    ["ones behind", [first, Buffer.alloc(64, 0xff)], [0]],
    ["zeros in the middle", [first, Buffer.alloc(second.length), third], [0]],
  ])("count in a row from the first: %s", (_, parts, wanted) => {
    expect(counted(Buffer.concat(parts))).toEqual(wanted);
  });

  test("those before a cut count, wherever it is", () => {
    const whole = Buffer.concat([first, second, third]);
    for (let length = 0; length <= whole.length; length++) {
      const ends = [first.length, first.length + second.length, whole.length];
      expect(counted(whole.subarray(0, length))).toEqual(
        [0, 1, 2].filter((number) => (ends[number] ?? 0) <= length),
      );
    }
  });

  test("one with a bit that is wrong doesn't count, and none behind it", () => {
    const whole = Buffer.concat([first, second, third]);
    for (let bit = first.length * 8; bit < (first.length + second.length) * 8; bit++) {
      const damaged = Buffer.from(whole);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      expect(counted(damaged)).toEqual([0]);
    }
  });
});

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "configc-pending-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "state.db");
}

const endings = ["", "-wal", "-pending"];

/** What a process that is ended now leaves behind, in a place of its own. */
function left(file: string): string {
  const copy = newFile();
  for (const ending of endings) if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending);
  return copy;
}

async function opened(file: string): Promise<Store> {
  const store = await sqliteStore(file);
  onTestFinished(() => store.close());
  return store;
}

async function idsIn(file: string): Promise<string[]> {
  const store = await opened(file);
  const rows = await store.transaction((t) => t.list("saved", {}));
  return rows.map(({ id }) => id);
}

function put(store: Store, id: string, durable: boolean, text = ""): Promise<void> {
  const row = { id, scope: "workflow", values: { text } } as const;
  return store.transaction((t) => t.put("saved", row), { durable });
}

/** So much is committed at once. */
const LARGE = "x".repeat(1024 * 1024);

/** Ends a process that keeps rows after it has told of so many. @returns the number of the last of which it told */
async function killed(script: string, file: string, first: number, after: number): Promise<number> {
  const child = spawn(process.execPath, [script, file, `${first}`], { stdio: ["ignore", "pipe", "inherit"] });
  let told = "";
  child.stdout.on("data", (text: Buffer) => {
    told += text;
    if (told.split("\n").length > after) child.kill("SIGKILL");
  });
  await once(child, "close");
  return Number(told.split("\n").at(-2));
}

describe("a store whose process ends", () => {
  test("by kill -9, at any point, has each row of which it told", async () => {
    const file = newFile();
    const script = bundled("packages/host/test/store/pending-child.ts");
    let last = 0;
    const points = [1, 40, 120, 3, 2, 5, 13, 77, 80, 8];
    for (const after of points.slice(0, cases(points.length, 4))) {
      last = await killed(script, file, last + 1, after);
      const store = await sqliteStore(file);
      const ids = (await store.transaction((t) => t.list("saved", {}))).map(({ id }) => Number(id));
      await store.close();
      // One may have been kept, and the process ended before it told.
      expect([last, last + 1]).toContain(ids.length);
      expect(ids).toEqual(ids.map((_, index) => index + 1));
      last = ids.length;
    }
  }, 60_000);

  test("after each transaction, all that was kept is there, in its order, by whichever way", async () => {
    const file = newFile();
    const store = await opened(file);
    const kept: string[] = [];
    for (const [index, durable] of [false, false, true, true, false, true, false, false].entries()) {
      await put(store, `${index}`, durable);
      kept.push(`${index}`);
      expect(await idsIn(left(file))).toEqual(kept);
    }
    await store.transaction((t) => t.delete("saved", "3"), { durable: false });
    expect(await idsIn(left(file))).toEqual(kept.filter((id) => id !== "3"));
  });

  test("again while it is being opened, or right after, loses nothing and applies nothing twice", async () => {
    const file = newFile();
    const store = await opened(file);
    await put(store, "a", true);
    await put(store, "b", false);
    const first = left(file);
    const promise = readFileSync(`${first}-pending`);
    const second = await opened(first);
    await second.transaction((t) => t.delete("saved", "b"));
    await second.close();
    // The commit was kept, and the file not emptied yet.
    writeFileSync(`${first}-pending`, promise);
    expect(await idsIn(left(first))).toEqual(["a"]);
  });

  test("what was promised on top of another commit isn't applied", async () => {
    const file = newFile();
    const store = await opened(file);
    await put(store, "a", true, LARGE);
    const older = left(file);
    await put(store, "b", true, LARGE);
    await put(store, "c", true);
    await put(store, "d", false);
    copyFileSync(`${file}-pending`, `${older}-pending`);
    expect(await idsIn(older)).toEqual(["a"]);
  });

  test("what another database has promised after as many commits isn't applied", async () => {
    const [own, other] = [newFile(), newFile()];
    const [first, second] = [await opened(own), await opened(other)];
    for (const store of [first, second]) await put(store, "a", true, LARGE);
    const copy = left(own);
    await put(second, "b", false);
    copyFileSync(`${other}-pending`, `${copy}-pending`);
    expect(await idsIn(copy)).toEqual(["a"]);
  });

  test("a transaction that failed leaves nothing, and what was promised before it stays", async () => {
    const file = newFile();
    const store = await opened(file);
    await put(store, "a", false);
    for (const reads of [false, true]) {
      const failing = store.transaction(async (t) => {
        await t.put("saved", { id: "b", scope: "workflow", values: {} });
        await t.delete("saved", "a");
        if (reads) expect(await t.list("saved", {})).toHaveLength(1);
        expect(await t.get("saved", "a")).toBeUndefined();
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      expect(await store.transaction((t) => t.get("saved", "b"))).toBeUndefined();
      expect(await store.transaction((t) => t.get("saved", "a"))).toBeDefined();
      expect(await idsIn(left(file))).toEqual(["a"]);
    }
    await put(store, "c", true);
    expect(await idsIn(left(file))).toEqual(["a", "c"]);
  });

  test("what was promised is committed after a while, and when there is much of it", async () => {
    const file = newFile();
    const store = await opened(file);
    const withoutPending = async (): Promise<string[]> => {
      const copy = left(file);
      rmSync(`${copy}-pending`);
      return await idsIn(copy);
    };
    await put(store, "a", false);
    await put(store, "b", true);
    expect(await withoutPending()).toEqual([]);
    await expect.poll(withoutPending, { timeout: 10_000, interval: 200 }).toEqual(["a", "b"]);
    await put(store, "c", false, LARGE);
    expect(await withoutPending()).toEqual(["a", "b", "c"]);
    for (let n = 0; n < 12; n++) await put(store, "d", n % 2 === 0, LARGE.slice(0, 100_000));
    await store.transaction((t) => t.get("saved", "d"));
    expect(await withoutPending()).toEqual(["a", "b", "c", "d"]);
  });

  test("a store that is closed leaves one file", async () => {
    const file = newFile();
    const store = await sqliteStore(file);
    await put(store, "a", false);
    await Promise.all([store.close(), store.close()]);
    await store.close();
    expect(existsSync(`${file}-pending`)).toBe(false);
    for (const ending of ["-wal", "-shm"]) rmSync(file + ending, { force: true });
    expect(await idsIn(file)).toEqual(["a"]);
  });
});
