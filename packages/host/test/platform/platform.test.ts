import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedPlatform, type Items, itemsInMemory, sqliteItems } from "@configc/host";
import { parseExact, printExact } from "@configc/runtime";
import { describe, expect, onTestFinished, test } from "vitest";

/** The embedded platform (D25), in memory and in an SQLite file. */
const { signal } = new AbortController();
const newFile = () => join(mkdtempSync(join(tmpdir(), "configc-test-")), "platform.db");

describe.each<[string, () => Promise<Items>]>([
  ["memory", async () => itemsInMemory()],
  ["SQLite", () => sqliteItems(newFile())],
])("in %s", (_name, make) => {
  async function platform() {
    const items = await make();
    onTestFinished(() => items.close());
    return { items, ...embeddedPlatform({ items }) };
  }

  test("a contact is created, then found by its email whatever its case", async () => {
    const { items, upsert } = await platform();
    const first = await upsert("PlatformContact", { email: "Ada@example.com", phone: "1" }, { signal });
    expect(first).toEqual({ contact_id: 1, email: "Ada@example.com", phone: "1" });
    const again = await upsert(
      "PlatformContact",
      { email: " ada@EXAMPLE.com ", first_name: "Ada" },
      { signal },
    );
    expect(again).toMatchObject({ contact_id: 1, phone: "1", first_name: "Ada" });
    await upsert("PlatformContact", { email: "bob@example.com" }, { signal });
    expect(items.list("Contact").map(({ id }) => id)).toEqual([1, 2]);
  });

  test("null clears a field, an absent key leaves it, tags are added", async () => {
    const { upsert } = await platform();
    await upsert(
      "PlatformContact",
      { email: "a@example.com", phone: "1", last_name: "A", _tags: ["x"] },
      { signal },
    );
    expect(
      await upsert("PlatformContact", { email: "a@example.com", phone: null, _tags: ["y", "x"] }, { signal }),
    ).toEqual({ contact_id: 1, email: "a@example.com", last_name: "A", _tags: ["x", "y"] });
  });

  test("a repeated delivery is one, and told the same", async () => {
    const { items, upsert } = await platform();
    const deal = { title: "One", value: 5 };
    const first = await upsert("PlatformDeal", deal, { key: "d1", signal });
    expect(await upsert("PlatformDeal", deal, { key: "d1", signal })).toEqual(first);
    await upsert("PlatformDeal", deal, { key: "d2", signal });
    expect(items.list("Deal")).toHaveLength(2);
  });

  test.each(["", "  ", null, 5])("without an email nothing is written: %j", async (email) => {
    const { items, upsert } = await platform();
    await expect(upsert("PlatformContact", { email }, { signal })).rejects.toMatchObject({
      kind: "DataError",
    });
    expect(items.list("Contact")).toEqual([]);
  });

  test("sync writes groups and custom objects; one that isn't known refuses all", async () => {
    const { items, sync } = await platform();
    const data = {
      contact: { email: "a@example.com" },
      deal: [{ title: "One" }, { title: "Two" }],
      customObjects: [{ schemaId: "ships", externalId: "7", name: "Erebus" }],
      _tags: ["t"],
    };
    expect(await sync("Platform", "sync", data, signal)).toEqual({
      // D46: the ids of what was written.
      contact_id: 1,
      external_ids: ["7"],
      contact: { contact_id: 1, email: "a@example.com", _tags: ["t"] },
      deal: [
        { deal_id: 1, title: "One" },
        { deal_id: 2, title: "Two" },
      ],
      customObjects: [{ object_id: 1, schemaId: "ships", externalId: "7", name: "Erebus" }],
    });
    const ship = { customObjects: [{ schemaId: "ships", externalId: "7", name: "Terror" }] };
    expect(await sync("Platform", "sync", ship, signal)).toMatchObject({ customObjects: [{ object_id: 1 }] });
    for (const [wrong, says] of [
      [{ ship: {} }, "`ship` is nothing that"],
      [{ deal: [{}, 5] }, "`deal` is written from an object"],
      [{ customObjects: {} }, "needs a `schemaId`"],
      [{ _tags: "x" }, "`_tags` must be"],
    ] as const) {
      const together = { account: { id: "1" }, contact: { email: "b@example.com" }, ...wrong };
      await expect(sync("Platform", "sync", together, signal)).rejects.toThrow(says);
    }
    const anonymous = { account: { id: "1" }, contact: {} };
    await expect(sync("Platform", "sync", anonymous, signal)).rejects.toThrow("needs an `email`");
    expect(items.list("Contact")).toHaveLength(1);
    expect(items.list("Account")).toHaveLength(0);
  });

  test("D33 a sync that comes again under its key writes nothing", async () => {
    const { items, sync } = await platform();
    const data = { deal: [{ title: "One" }, { title: "Two" }] };
    const first = await sync("Platform", "sync", data, signal, "k");
    expect(await sync("Platform", "sync", data, signal, "k")).toEqual(first);
    expect(items.list("Deal")).toHaveLength(2);
    await sync("PlatformDeal", "sync", { title: "Three" }, signal, "l");
    await sync("PlatformDeal", "sync", { title: "Three" }, signal, "l");
    expect(items.list("Deal")).toHaveLength(3);
  });

  test("names are names, and numbers keep their digits", async () => {
    const { upsert } = await platform();
    const item = parseExact(
      '{"email": "a@example.com", "__proto__": 12345678901234567890, "constructor": 1}',
    );
    const result = await upsert("PlatformContact", item as never, { signal });
    expect(printExact(result)).toBe(
      '{"contact_id":1,"email":"a@example.com","__proto__":12345678901234567890,"constructor":1}',
    );
  });
});

test("an SQLite file keeps items and deliveries", async () => {
  const file = newFile();
  const first = await sqliteItems(file);
  const done = await embeddedPlatform({ items: first }).upsert(
    "PlatformContact",
    { email: "a@example.com" },
    { key: "k", signal },
  );
  first.close();
  const second = await sqliteItems(file);
  onTestFinished(() => second.close());
  expect(second.list("Contact")).toMatchObject([{ id: 1, fields: { email: "a@example.com" } }]);
  const again = { email: "other@example.com" };
  expect(
    await embeddedPlatform({ items: second }).upsert("PlatformContact", again, { key: "k", signal }),
  ).toEqual(done);
});

test("fields: of one resource, of all by group, and those of the settings under their prefix", async () => {
  const { fields } = embeddedPlatform();
  expect(await fields("PlatformContact", signal)).toContainEqual({
    id: "email",
    title: "Email",
    required: true,
  });
  const email = { id: "email", title: "Email", required: true };
  expect(await fields("Platform", signal)).toContainEqual({ ...email, group: "contact" });
  // Who maps contacts alone isn't asked for the name of a company.
  expect(await fields("PlatformAccount", signal)).toContainEqual(expect.objectContaining({ required: true }));
  expect(await fields("Platform", signal)).toContainEqual({ id: "title", title: "Title", group: "deal" });
  const branded = embeddedPlatform({
    resources: { prefix: "Acme", add: { Contact: { fields: [{ id: "email", title: "Mail" }] }, Ship: {} } },
  });
  expect(await branded.fields("AcmeContact", signal)).toEqual([{ id: "email", title: "Mail" }]);
  expect(await branded.fields("AcmeShip", signal)).toEqual([]);
  await expect(branded.fields("PlatformContact", signal)).rejects.toThrow(
    "The platform has no `PlatformContact`. It has AcmeAccount, AcmeDeal, AcmeContact, AcmeShip.",
  );
  await expect(branded.sync("AcmeShip", "sink", {}, signal)).rejects.toThrow("it can `sync`");
});
