import { createVault, memoryStore, sealedStore } from "@configc/runtime";
import { expect, test } from "vitest";
import { storeContract } from "./contract.ts";

const vault = createVault(new Uint8Array(32).fill(1));

storeContract("sealed", async () => sealedStore(memoryStore(), vault));

test("D29 what apps save can be read through the vault only, and not by another row's name", async () => {
  const plain = memoryStore();
  const store = sealedStore(plain, vault);
  const row = {
    id: "workflow/i",
    scope: "workflow",
    values: { secret: "canary", id: 12345678901234567890n.toString() },
  } as const;
  await store.transaction((t) => t.put("saved", row));
  expect(await store.transaction((t) => t.get("saved", row.id))).toEqual(row);
  expect(await store.transaction((t) => t.list("saved", {}))).toEqual([row]);
  const kept = await plain.transaction((t) => t.get("saved", row.id));
  expect(JSON.stringify(kept)).not.toContain("canary");
  await plain.transaction((t) => t.put("saved", { ...kept!, id: "workflow/other" }));
  await expect(store.transaction((t) => t.get("saved", "workflow/other"))).rejects.toThrow(
    /sealed for something else/,
  );
});

test("rows from before there was a vault can be read", async () => {
  const plain = memoryStore();
  const row = { id: "workflow/i", scope: "workflow", values: { a: 1 } } as const;
  await plain.transaction((t) => t.put("saved", row));
  expect(await sealedStore(plain, vault).transaction((t) => t.get("saved", row.id))).toEqual(row);
});
