import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVault } from "@configc/runtime";
import { sealedCredential } from "@configc/runtime/internal";
import { describe, expect, onTestFinished, test } from "vitest";
import { storeContract } from "../../../runtime/test/store/contract.ts";
import { openDatabase } from "../../src/store/driver.ts";
import { sqliteStore } from "../../src/store/index.ts";

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "configc-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "state.db");
}

storeContract("SQLite", () => sqliteStore(":memory:"));

/** All but the first few, which tell of the others. */
function overwritePages(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, 40 * 4_096, bytes.length));
}

describe("store: SQLite file", () => {
  test("what was kept is there after it is opened again", async () => {
    const file = newFile();
    const first = await sqliteStore(file);
    await first.transaction((t) => t.put("saved", { id: "a", scope: "workflow", values: { x: 1 } }));
    await first.transaction((t) => t.put("saved", { id: "b", scope: "workflow", values: {} }), {
      durable: false,
    });
    await first.close();
    const second = await sqliteStore(file);
    expect(await second.transaction((t) => t.list("saved", {}))).toHaveLength(2);
    await second.close();
  });

  test("a second owner is refused, and the next one isn't", async () => {
    const file = newFile();
    const first = await sqliteStore(file);
    await expect(sqliteStore(file)).rejects.toThrow(/another process has the state open/);
    await first.close();
    await (await sqliteStore(file)).close();
  });

  test.each<[string, (file: string) => void, RegExp]>([
    ["another file", (file) => writeFileSync(file, "hello ".repeat(2_000)), /not a database/],
    [
      "another file as its owner's",
      (file) => writeFileSync(`${file}-owner`, "x".repeat(5_000)),
      /-owner can't/,
    ],
    ["cut off", (file) => truncateSync(file, 30 * 4_096), /malformed/],
    ["a page in the middle overwritten", (file) => overwritePages(file), /malformed/],
    ["a folder", (file) => mkdirSync(file), /to write in it/],
    ["in no folder", (file) => rmSync(join(file, ".."), { recursive: true }), /folder must exist/],
  ])("what isn't whole is told with its name: %s", async (name, damage, says) => {
    const file = newFile();
    if (/page|cut/.test(name)) {
      const store = await sqliteStore(file);
      await store.transaction(async (t) => {
        for (let row = 0; row < 200; row++)
          await t.put("saved", { id: `${row}`, scope: "workflow", values: { x: "x".repeat(2_000) } });
      });
      await store.close();
    }
    damage(file);
    await expect(sqliteStore(file)).rejects.toThrow(says);
    await expect(sqliteStore(file)).rejects.toThrow(`${file}`);
  });

  test("columns and indexes that are missing are made and filled", async () => {
    const file = newFile();
    const store = await sqliteStore(file);
    await store.transaction((t) => t.put("members", { id: "m", registration: "r", installation: "i" }));
    await store.close();
    const database = await openDatabase(file);
    database.exec("DROP INDEX members_installation");
    database.exec("ALTER TABLE members DROP COLUMN by_installation");
    database.close();
    const again = await sqliteStore(file);
    expect(await again.transaction((t) => t.count("members", { installation: "i" }))).toBe(1);
    await again.close();
  });

  test("a newer format is refused, and left as it is", async () => {
    const file = newFile();
    await (await sqliteStore(file)).close();
    const database = await openDatabase(file);
    database.exec("PRAGMA user_version = 99");
    database.close();
    await expect(sqliteStore(file)).rejects.toThrow(/newer version.*format 99/);
    const same = await openDatabase(file);
    expect(same.prepare("PRAGMA user_version").get()?.["user_version"]).toBe(99);
    same.close();
  });

  test("D29 no token can be read in the files", async () => {
    const file = newFile();
    const store = await sqliteStore(file);
    const vault = createVault(new Uint8Array(32).fill(7));
    const credential = await sealedCredential(vault, "c", {
      access_token: "canary-token",
      refresh_token: "canary-refresh",
    });
    await store.transaction((t) => t.put("connections", { id: "c", app: "a", auth: "acme", credential }));
    const bytes = [file, `${file}-wal`, `${file}-pending`]
      .map((path) => readFileSync(path, "latin1"))
      .join("");
    expect(bytes).toContain(credential);
    expect(bytes).not.toContain("canary");
    await store.close();
  });
});
