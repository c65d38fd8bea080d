import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createVault, storedCredentials } from "@configc/runtime";
import { sealedCredential } from "@configc/runtime/internal";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { noPostgres, openStore, preparedDatabase } from "../store/support.ts";
import { type RenewalWorker, work } from "./renewal.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const vault = createVault(new Uint8Array(32).fill(9));

/** A third party whose refresh tokens can be used once. `onRefresh` is called before it is answered. */
async function rotating(onRefresh: () => Promise<void> | void = () => undefined) {
  const said = { refreshes: 0, refused: 0, rejected: 0 };
  let current = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const answer = (status: number, value: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.url === "/session") {
      const account = JSON.parse(body) as { readonly username: string; readonly password: string };
      if (account.username !== "u" || account.password !== "p") return answer(403, {});
      said.refreshes++;
      current++;
      await onRefresh();
      return answer(200, { access_token: `access-${current}`, expires_in: 3_600 });
    }
    if (request.url === "/token") {
      if (new URLSearchParams(body).get("refresh_token") !== `refresh-${current}`) {
        said.refused++;
        return answer(400, { error: "invalid_grant" });
      }
      said.refreshes++;
      current++;
      const issued = {
        access_token: `access-${current}`,
        refresh_token: `refresh-${current}`,
        expires_in: 3_600,
      };
      await onRefresh();
      return answer(200, issued);
    }
    if (request.headers.authorization === `Bearer access-${current}`) return answer(200, { ok: true });
    said.rejected++;
    return answer(401, {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, said };
}

describe.skipIf(noPostgres !== undefined)(`D30 renewal over all workers ${noPostgres ?? ""}`, () => {
  const database = preparedDatabase();
  beforeAll(() => {
    const worker = fileURLToPath(new URL("renewal-worker.ts", import.meta.url));
    expect(
      spawnSync(process.execPath, ["scripts/ts.mjs", worker], { cwd: root, encoding: "utf8" }).stderr,
    ).toBe("");
  });

  async function connect(connection: string, expiresAt: number): Promise<void> {
    const store = await openStore(database.url);
    const credential = await sealedCredential(vault, connection, {
      access_token: "access-0",
      refresh_token: "refresh-0",
      expires_at: expiresAt,
    });
    await store.transaction((t) =>
      t.put("connections", { id: connection, app: "app", auth: "acme", credential }),
    );
  }

  function begin(given: Omit<RenewalWorker, "url">): { child: ChildProcess; output: Promise<string[]> } {
    const bundle = `${root}node_modules/.cache/configc/renewal-worker.mjs`;
    const child = spawn(process.execPath, [bundle, JSON.stringify({ url: database.url, ...given })], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout?.on("data", (data: Buffer) => {
      text += data;
    });
    const output = new Promise<string[]>((resolve) =>
      child.on("close", () => resolve(text.split("\n").filter(Boolean))),
    );
    return { child, output };
  }

  test("four processes, an expired token: one refresh, and all requests succeed", async () => {
    const { url: server, said } = await rotating(() => new Promise((resolve) => setTimeout(resolve, 300)));
    await connect("expired", Date.now() - 1);
    const workers = [1, 2, 3, 4].map(() => begin({ server, connection: "expired", requests: 5 }));
    const lines = (await Promise.all(workers.map(({ output }) => output))).flat();
    expect(lines).toEqual(Array(20).fill('{"ok":true}'));
    expect(said).toEqual({ refreshes: 1, refused: 0, rejected: 0 });
  });

  test("the token of a session is shared: one log-in, and one more when it is ended", async () => {
    const { url: server, said } = await rotating(() => new Promise((resolve) => setTimeout(resolve, 100)));
    const store = await openStore(database.url);
    const credential = await sealedCredential(vault, "session", { username: "u", password: "p" });
    await store.transaction((t) =>
      t.put("connections", { id: "session", app: "app", auth: "acme", credential }),
    );
    const given = { url: database.url, server, connection: "session", requests: 3, session: true };
    expect((await Promise.all([work(given), work(given)])).flat()).toEqual(Array(6).fill('{"ok":true}'));
    expect(said).toEqual({ refreshes: 1, refused: 0, rejected: 0 });
    const row = await store.transaction((t) => t.get("connections", "session"));
    expect(row?.session).toMatch(/^v1\./);
    await storedCredentials(store, vault).sessions?.write("session", { access_token: "ended" });
    expect((await Promise.all([work(given), work(given)])).flat()).toEqual(Array(6).fill('{"ok":true}'));
    expect(said.refreshes).toBe(2);
  });

  test("a token that is rejected though it should be valid: one refresh, too", async () => {
    const { url: server, said } = await rotating();
    await connect("rejected", Date.now() + 3_600_000);
    const revoked = await openStore(database.url);
    await storedCredentials(revoked, vault).write("rejected", {
      access_token: "revoked",
      refresh_token: "refresh-0",
    });
    const given = { url: database.url, server, connection: "rejected", requests: 3 };
    const lines = (await Promise.all([work(given), work(given)])).flat();
    expect(lines).toEqual(Array(6).fill('{"ok":true}'));
    expect(said).toMatchObject({ refreshes: 1, refused: 0 });
  });

  test("a worker that is killed between the answer and keeping it: the connection has to be made again", async () => {
    let kill = (): void => undefined;
    const { url: server, said } = await rotating(() => {
      kill();
      // The answer reaches nobody.
      return new Promise(() => undefined);
    });
    await connect("killed", Date.now() - 1);
    const first = begin({ server, connection: "killed", requests: 1 });
    kill = () => void first.child.kill("SIGKILL");
    expect(await first.output).toEqual([]);
    const [line] = await begin({ server, connection: "killed", requests: 1 }).output;
    const why = /must connect again: .*The answer to the renewal of 20\S+Z wasn't saved/;
    expect(line).toMatch(/^AuthError: /);
    expect(line).toMatch(why);
    expect(said.refreshes).toBe(1);
    const store = await openStore(database.url);
    const row = await store.transaction((t) => t.get("connections", "killed"));
    expect(row?.broken).toMatch(why);
    expect(row?.renewing).toBeUndefined();
  });

  test("a token that somebody else has kept meanwhile isn't replaced by an older one's", async () => {
    const store = await openStore(database.url);
    await connect("two", 0);
    const credentials = storedCredentials(store, vault);
    const old = { access_token: "access-0", refresh_token: "refresh-0" };
    await credentials.write("two", { access_token: "first" }, old);
    await credentials.write("two", { access_token: "second" }, old);
    expect(await credentials.read("two")).toEqual({ access_token: "first" });
  });
});
