import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "@configc/compiler";
import {
  addConnection,
  createHost,
  type Host,
  type HostOptions,
  type JobReport,
  openSavedRun,
  replayRun,
} from "@configc/host";
import { createVault, type HttpRequest, type HttpResponse } from "@configc/runtime";
import { expect, onTestFinished, test } from "vitest";
import { acmeAuth, base } from "./support/acme.ts";

/** Runs of a host's own schedule, kept as files (issue 5, point 7; D29; E11). */
const key = new Uint8Array(32).fill(3);
const { app } = compile(
  JSON.stringify({
    $version: "2",
    auth: acmeAuth({ client_id: "id", client_secret: "canary-client" }),
    api: { base_url: base, rate_limit: { app: { read: { requests: 1, period: 1 } } } },
    data_intake: [
      {
        type: "polling",
        name: "people",
        request: {
          "!pipe": [
            { "!http": { path: "/people", params: { page: "${polling_state.page | default:1}" } } },
            { "!save": { scope: "workflow" } },
            { "!jq": "{results: .items, iterate: .more, polling_state: {page: .next}}" },
          ],
        },
      },
    ],
    workflows: [
      {
        name: "import",
        label: "Import",
        type: "generic",
        auth: "acme",
        data_intake: "people",
        setup: {},
        data_pipeline: {
          source: { "!pipe": [{ "!print_c": "one" }, { "!jq": "{email, at: now}" }] },
          target: { "!pipe": [{ "!jq": ".email |= ascii_downcase" }, { "!resource": "PlatformContact" }] },
        },
      },
    ],
  }),
);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "configc-runs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Two pages, of which an item of the second is broken; the first token has run out. */
async function thirdParty({ url, headers }: HttpRequest): Promise<HttpResponse> {
  const answer = (status: number, body: unknown): HttpResponse => ({
    status,
    headers: { "content-type": "application/json" },
    body: new TextEncoder().encode(JSON.stringify(body)),
  });
  if (url.endsWith("/token")) return answer(200, { access_token: "canary-new", refresh_token: "canary-2" });
  if (headers["authorization"] !== "Bearer canary-new") return answer(401, { error: "expired" });
  if (url.endsWith("page=1"))
    return answer(200, { items: [{ email: "Ann@example.com" }], more: true, next: 2, hook: "saved-secret" });
  return answer(200, { items: [{ email: 7 }, { email: "Bob@example.com" }], more: false, next: 1 });
}

/** One cycle of a host. @returns the files that it saved */
async function cycle(saveRuns: Partial<HostOptions["saveRuns"]> = {}, directory = join(newFolder(), "runs")) {
  let now = Date.UTC(2026, 0, 1);
  const clock = {
    now: () => now++,
    async sleep(milliseconds: number) {
      now += milliseconds;
    },
  };
  const reports: JobReport[] = [];
  const host = await createHost({
    apps: { shop: app },
    key,
    effects: { clock, http: { request: thirdParty }, log: { write: () => undefined } },
    report: (report) => reports.push(report),
    saveRuns: { directory, ...saveRuns },
  });
  await install(host);
  const counts = await host.runtime("shop")?.poll("i");
  await host.close();
  const files =
    existsSync(directory) && statSync(directory).isDirectory() ? readdirSync(directory).sort() : [];
  return { counts, reports, directory, files };
}

async function install(host: Host): Promise<void> {
  const credential = { access_token: "canary-old", refresh_token: "canary-1" };
  const connection = await addConnection(host, { app: "shop", auth: "acme", credential });
  await host.store.transaction((t) =>
    t.put("installations", {
      id: "i",
      app: "shop",
      workflow: "import",
      status: "active",
      connection,
      settings: { customData: {}, connection },
      createdAt: 1,
      changedAt: 1,
    }),
  );
}

test("what failed is kept, sealed, and replayed to the same trace", async () => {
  const { counts, files, directory } = await cycle();
  expect(counts).toMatchObject({ delivered: 2, failed: 1, requests: 2 });
  expect(files).toEqual([expect.stringMatching(/^2026-01-01T.*Z-JqError-[0-9a-f]{8}\.run$/)]);
  const path = join(directory, files[0]!);
  if (process.platform !== "win32")
    expect([statSync(directory).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(readFileSync(path, "latin1")).toMatch(/^v1\.[\w-]+\.[\w-]+\.[\w-]+$/);

  const saved = await openSavedRun(createVault(key), path);
  expect(saved).toMatchObject({
    node: "/workflows/0/data_pipeline/target",
    given: { input: { email: 7 }, context: { data: { workflow: { hook: "saved-secret" } } } },
    outcome: { error: { kind: "JqError", pointer: "/workflows/0/data_pipeline/target/!pipe/0" } },
  });
  expect(await replayRun(app, saved)).toMatchObject({ departure: undefined, changes: [], saved });
  await expect(openSavedRun(createVault(new Uint8Array(32)), path)).rejects.toMatchObject({
    kind: "StoreError",
  });
});

test("all of them: each is replayed, also one that renewed its token and waited for the quota; no token is in any", async () => {
  const { files, directory } = await cycle({ which: "all" });
  const saved = await Promise.all(files.map((file) => openSavedRun(createVault(key), join(directory, file))));
  expect(saved.map(({ node }) => node.split("/").slice(3).join("/"))).toEqual([
    "request",
    ...["source", "target"].map((side) => `data_pipeline/${side}`),
    "request",
    ...["source", "target", "source", "target"].map((side) => `data_pipeline/${side}`),
  ]);
  expect(saved[0]?.trace.map(({ kind }) => kind)).toContain("wait");
  for (const each of saved) {
    expect(JSON.stringify(each)).not.toContain("canary");
    expect((await replayRun(app, each)).departure).toBeUndefined();
  }
});

test("as many are kept as are wanted, the newest", async () => {
  const { files } = await cycle({ which: "all", keep: 2 });
  expect(files.map((file) => /Z-(\w+)-/.exec(file)?.[1])).toEqual(["ok", "ok"]);
  expect((await cycle({ which: "all", keep: 0 })).files).toEqual([]);
});

test("a folder that can't be written is told, and runs go on", async () => {
  const blocked = join(newFolder(), "file");
  writeFileSync(blocked, "");
  const { counts, reports } = await cycle({}, blocked);
  expect(counts).toMatchObject({ delivered: 2, failed: 1 });
  expect(reports).toMatchObject([{ job: "save", error: { code: "EEXIST" } }]);
});
