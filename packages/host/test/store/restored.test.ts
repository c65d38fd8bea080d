import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "@configc/compiler";
import { createRuntime, type JsonObject, type Platform, portableEffects } from "@configc/runtime";
import { expect, onTestFinished, test } from "vitest";
import { installation, pollingConfig } from "../../../runtime/test/support/installed.ts";
import { nodeHttp } from "../../src/http/index.ts";
import { sqliteStore } from "../../src/store/index.ts";

/** A service that gives its records by their numbers, from one on. */
async function service(): Promise<{ readonly origin: string; add(count: number): void }> {
  let newest = 0;
  const server = createServer((request, response) => {
    const after = Number(new URL(request.url ?? "/", "http://x").searchParams.get("after"));
    const records = Array.from({ length: newest - after }, (_, index) => after + index + 1);
    response.end(JSON.stringify({ records: records.map((n) => ({ n, email: `p${n}@example.com` })) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, add: (count) => void (newest += count) };
}

/** A platform that takes each write once, by its key, as D33 has it. */
function keyedPlatform(): Platform & { readonly emails: () => readonly string[] } {
  const kept = new Map<string, JsonObject>();
  return {
    emails: () => [...kept.values()].map(({ email }) => String(email)),
    fields: async () => [],
    sync: async () => null,
    async upsert(_, item, { key = "" }) {
      if (!kept.has(key)) kept.set(key, item);
      return { contact_id: kept.size };
    },
  };
}

test("D33: after an older state is restored, a keyed target takes new items for new ones", async () => {
  const folder = mkdtempSync(join(tmpdir(), "configc-restored-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [file, backup] = [join(folder, "state.db"), join(folder, "backup.db")];
  const source = await service();
  const platform = keyedPlatform();
  const config = pollingConfig({
    initial_setup: "{polling_state: {after: 0}}",
    request: {
      "!pipe": [
        { "!http": { path: "/records", params: { after: "${polling_state.after}" } } },
        {
          "!jq":
            "{results: .records, iterate: false, polling_state: {after: ([${polling_state.after}, .records[].n] | max)}}",
        },
      ],
    },
  });
  const { app } = compile(JSON.stringify({ ...config, api: { base_url: source.origin } }));
  const cycle = async (): Promise<void> => {
    source.add(3);
    const store = await sqliteStore(file);
    const effects = portableEffects({ http: nodeHttp({ allowPrivateNetwork: true }), platform });
    await store.transaction((t) => t.put("installations", installation("i1", "import")));
    await createRuntime(app, effects, { store }).poll("i1");
    await store.close();
  };
  await cycle();
  copyFileSync(file, backup);
  await cycle();
  await cycle();
  copyFileSync(backup, file);
  for (const ending of ["-wal", "-shm"]) rmSync(file + ending, { force: true });
  await cycle();
  await cycle();
  const wanted = Array.from({ length: 15 }, (_, index) => `p${index + 1}@example.com`);
  expect([...new Set(platform.emails())].sort()).toEqual(wanted.sort());
});
