import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "@configc/compiler";
import { addConnection, createHost, type HostOptions } from "@configc/host";
import { expect, onTestFinished, test } from "vitest";

/** A host that can't be opened, or is opened with what doesn't fit its state. */
const key = new Uint8Array(32).fill(1);
const otherKey = new Uint8Array(32).fill(2);
const { app } = compile(
  JSON.stringify({
    $version: "2",
    auth: {
      key: { type: "token", configuration: { header_key: "x-key", verify_url: "https://api.example.com/" } },
      people: { type: "basic", configuration: { verify_url: "https://api.example.com/" } },
    },
    api: { base_url: "https://api.example.com" },
    workflows: [
      {
        name: "send",
        label: "Send",
        type: "automations",
        auth: "key",
        setup: {},
        data_pipeline: { source: { "!jq": "." }, target: { "!http": { method: "POST", path: "/people" } } },
      },
    ],
  }),
);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "configc-host-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.each<[string, Partial<HostOptions>, RegExp]>([
  ["a key that is too short", { key: new Uint8Array(16) }, /32 bytes/],
  [
    "a URL without a scheme",
    { publicUrl: "hooks.example.com/in" },
    /`publicUrl` has “hooks.example.com\/in”/,
  ],
  ["an empty URL", { publicUrl: "" }, /`publicUrl`/],
  ["a URL of another protocol", { publicUrl: "ftp://hooks.example.com" }, /`publicUrl`/],
  ["an origin without a scheme", { origins: { acme: ["example.com"] } }, /`origins` has “example.com”/],
])("what doesn't fit is named, and nothing stays open: %s", async (_name, wrong, says) => {
  const right = { apps: { acme: app }, directory: newFolder(), key };
  await expect(createHost({ ...right, ...wrong })).rejects.toThrow(says);
  await (await createHost(right)).close();
});

test("a host may be closed twice: the second call waits for the first", async () => {
  const host = await createHost({ apps: { acme: app }, directory: newFolder(), key });
  const first = host.close();
  expect(host.close()).toBe(first);
  await first;
  await expect(host.close()).resolves.toBeUndefined();
});

test("a folder that can't be made is told with what to do", async () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  const opened = createHost({ apps: {}, directory: join(file, "state"), key });
  await expect(opened).rejects.toMatchObject({
    name: "StateError",
    message: expect.stringContaining("may write in"),
  });
});

test("a host that was closed does nothing more: another may have the state", async () => {
  const host = await createHost({ apps: { acme: app }, directory: newFolder(), key });
  await host.runtime("acme")?.installations.list();
  await host.close();
  await expect(host.runtime("acme")?.installations.list()).rejects.toMatchObject({ kind: "StoreError" });
});

test("a damaged platform leaves the state free for the next process", async () => {
  const directory = newFolder();
  const platform = join(directory, "platform.db");
  writeFileSync(platform, "hello ".repeat(1_000));
  await expect(createHost({ apps: {}, directory, key })).rejects.toThrow(/platform\.db can't be used/);
  rmSync(platform);
  await (await createHost({ apps: {}, directory, key })).close();
});

test.each<[string, { app?: string; auth?: string; credential?: object }, string, RegExp]>([
  ["an app", { app: "nobody" }, "NotFound", /no app called “nobody”/],
  ["an auth entry", { auth: "nobody" }, "NotFound", /no auth entry “nobody”. It has key, people/],
  ["a name of the prototype", { auth: "constructor" }, "NotFound", /no auth entry/],
  ["no credential", {}, "DataError", /needs a credential with `token`/],
  ["a credential of another type", { credential: { access_token: "t" } }, "DataError", /`token`/],
  [
    "half of one",
    { auth: "people", credential: { username: "u" } },
    "DataError",
    /`username` and `password`/,
  ],
])("a connection of what isn't there isn't kept: %s", async (_name, given, kind, says) => {
  const host = await createHost({ apps: { acme: app } });
  const connection = { app: "acme", auth: "key", credential: undefined, ...given } as never;
  await expect(addConnection(host, connection)).rejects.toMatchObject({
    kind,
    message: expect.stringMatching(says),
  });
  expect(await host.store.transaction((t) => t.count("connections", {}))).toBe(0);
  // Some services take a key for the user and no password.
  await addConnection(host, { app: "acme", auth: "people", credential: { username: "k", password: "" } });
  await host.close();
});

test("D35 with another key nothing is given up: items wait for the right one", async () => {
  const directory = newFolder();
  const sent: string[] = [];
  const http = {
    request: async ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => {
      sent.push(headers["x-key"] ?? "none");
      return { status: 200, headers: {}, body: new Uint8Array() };
    },
  };
  const open = (used: Uint8Array) =>
    createHost({ apps: { acme: app }, directory, key: used, effects: { http }, report: () => undefined });
  const first = await open(key);
  const connection = await addConnection(first, {
    app: "acme",
    auth: "key",
    credential: { token: "secret" },
  });
  await first.store.transaction((t) =>
    t.put("installations", {
      id: "i",
      app: "acme",
      workflow: "send",
      status: "active",
      connection,
      settings: { customData: {}, connection },
      createdAt: 1,
      changedAt: 1,
    }),
  );
  await first.close();

  const wrong = await open(otherKey);
  await expect(wrong.runtime("acme")?.send("i", { email: "a@example.com" })).rejects.toMatchObject({
    kind: "StoreError",
    message: expect.stringContaining("a key that wasn't given"),
  });
  await wrong.close();
  expect(sent).toEqual([]);

  const right = await open(key);
  expect(await right.runtime("acme")?.deliver("i")).toEqual({ delivered: 1, skipped: 0, failed: 0 });
  expect(sent).toEqual(["secret"]);
  await right.close();
});
