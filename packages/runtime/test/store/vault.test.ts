import { describe, expect, test } from "vitest";
import { sealedCredential } from "../../src/store/credentials.ts";
import { createVault, memoryStore, storedCredentials } from "../../src/store/index.ts";
import { storedValues } from "../../src/store/saved-data.ts";

const key = (byte: number) => new Uint8Array(32).fill(byte);

describe("D29 the vault", () => {
  test("opens what it sealed, and never seals the same text the same way", async () => {
    const vault = createVault(key(1));
    const sealed = await vault.seal("canary-é", "connection c1");
    expect(sealed).not.toContain("canary");
    expect(await vault.seal("canary-é", "connection c1")).not.toBe(sealed);
    expect(await vault.open(sealed, "connection c1")).toBe("canary-é");
  });

  test("opens nothing for another label, by another key, or that was changed", async () => {
    const vault = createVault(key(1));
    const sealed = await vault.seal("x", "connection c1");
    await expect(vault.open(sealed, "connection c2")).rejects.toThrow(/changed/);
    await expect(createVault(key(2)).open(sealed, "connection c1")).rejects.toThrow(/key/);
    const last = sealed.endsWith("A") ? "B" : "A";
    await expect(vault.open(sealed.replace(/.{4}$/, `${last}AAA`), "connection c1")).rejects.toThrow(
      /changed/,
    );
    await expect(vault.open("nothing of ours", "connection c1")).rejects.toThrow();
  });

  test("keys can be exchanged: the first seals, each opens", async () => {
    const old = await createVault(key(1)).seal("x", "l");
    const both = createVault(key(2), key(1));
    expect(await both.open(old, "l")).toBe("x");
    expect(await createVault(key(2)).open(await both.seal("y", "l"), "l")).toBe("y");
  });

  test("a key of another length is refused", () => {
    expect(() => createVault(new Uint8Array(16))).toThrow(/32 bytes/);
  });
});

describe("credentials in a store", () => {
  test("are sealed, and mark their connection", async () => {
    const store = memoryStore();
    const vault = createVault(key(1));
    const credential = await sealedCredential(vault, "c1", { access_token: "canary-1" });
    await store.transaction((t) => t.put("connections", { id: "c1", app: "a", auth: "acme", credential }));
    const credentials = storedCredentials(store, vault);
    expect(await credentials.read("c1")).toEqual({ access_token: "canary-1" });
    await credentials.markBroken("c1", "refused");
    const row = () => store.transaction((t) => t.get("connections", "c1"));
    expect((await row())?.broken).toBe("refused");
    await credentials.write("c1", { access_token: "canary-2" });
    expect(await credentials.read("c1")).toEqual({ access_token: "canary-2" });
    expect((await row())?.broken).toBeUndefined();
    expect(JSON.stringify(await row())).not.toContain("canary");
    expect(await credentials.read("c2")).toBeUndefined();
    await credentials.write("removed", { token: "x" });
    expect(await store.transaction((t) => t.count("connections", {}))).toBe(1);
  });
});

describe("D24 saved values in a store", () => {
  test("merge into what is there at that time, and belong to their owner", async () => {
    const store = memoryStore();
    const owners = { application: "desk", connection: "c1", workflow: "i1" };
    const one = await storedValues(store, owners);
    const two = await storedValues(store, { ...owners, workflow: "i2" });
    await one.merge("connection", { a: 1, b: 1 });
    await two.merge("connection", { b: 2 });
    await one.merge("workflow", { w: 1 });
    await two.merge("workflow", JSON.parse('{"__proto__": 1}'));
    const again = await storedValues(store, owners);
    expect(again.read()).toEqual({ connection: { a: 1, b: 2 }, workflow: { w: 1 } });
    expect(two.read()["connection"]).toEqual({ a: 1, b: 2 });
    expect(Object.keys(two.read()["workflow"] ?? {})).toEqual(["__proto__"]);
  });

  test("a journal is kept with the save, or neither", async () => {
    const store = memoryStore();
    const values = await storedValues(store, { application: "desk" }, () => Promise.reject(new Error("no")));
    await expect(values.merge("application", { a: 1 })).rejects.toThrow("no");
    await expect(values.merge("workflow", { a: 1 })).rejects.toThrow(/no workflow/);
    expect(values.read()).toEqual({});
    expect(await store.transaction((t) => t.list("saved", {}))).toEqual([]);
  });
});
