import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVault, sealedCredential } from "@configc/runtime";
import { describe, expect, onTestFinished, test } from "vitest";
import { storeContract } from "../../../runtime/test/store/contract.ts";
import { openDatabase } from "../../src/store/driver.ts";
import { sqliteStore } from "../../src/store/index.ts";

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "configc-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "state.db");
}

storeContract("SQLite", () => sqliteStore(":memory:"));

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
    await expect(sqliteStore(file)).rejects.toThrow(/Another process/);
    await first.close();
    await (await sqliteStore(file)).close();
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
    const bytes = [file, `${file}-wal`].map((path) => readFileSync(path, "latin1")).join("");
    expect(bytes).toContain(credential);
    expect(bytes).not.toContain("canary");
    await store.close();
  });
});
