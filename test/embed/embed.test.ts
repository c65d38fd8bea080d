import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../../packages/cli/test/build.ts";
import { Api } from "../api/api.ts";
import { peopleConfig } from "../api/config.ts";

/** The service of docs/embedding.md, run as it is written there. */
const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(root, "docs/embedding.md"), "utf8");
const code = /^```js service\.mjs\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? "";
let api: Api;
let folder: string;
let service: { readonly process: ChildProcess; readonly url: string };

beforeAll(async () => {
  ensureBuilt();
  api = await Api.start({ people: 25 });
  folder = mkdtempSync(join(tmpdir(), "configc-embed-"));
  const config = peopleConfig(api.origin) as { readonly workflows: readonly { readonly name: string }[] };
  // One that selects nothing isn't built.
  const workflows = config.workflows.filter(({ name }) => name !== "receive-people");
  writeFileSync(join(folder, "shop.app.json"), JSON.stringify({ ...config, workflows }));
  writeFileSync(join(folder, "service.mjs"), code);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, "packages/cli/bin/configc.js"), "build", "shop.app.json", "-o", "shop.mjs"],
    { cwd: folder, encoding: "utf8" },
  );
  expect([status, stderr]).toEqual([0, expect.stringContaining("built shop.mjs")]);
  // It may be the first to build the packages.
}, 120_000);
afterAll(async () => {
  service?.process.kill("SIGKILL");
  await api.close();
  rmSync(folder, { recursive: true });
});

async function start(): Promise<void> {
  const child = spawn(process.execPath, ["service.mjs"], {
    cwd: folder,
    env: { ...process.env, PORT: "0", PUBLIC_URL: "http://127.0.0.1:1", LOCAL: "yes" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  service = { process: child, url: line.toString().trim() };
}

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; value: Answer }> {
  const response = await fetch(service.url + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, value: (await response.json()) as Answer };
}

type Answer = Readonly<Record<string, unknown>>;

test("has fewer than 60 lines", () => {
  expect(code.split("\n").length).toBeGreaterThan(20);
  expect(code.trimEnd().split("\n").length).toBeLessThan(60);
});

test("connects, sets up, polls by itself, sends, and goes on after a restart", async () => {
  await start();
  const { value: connection } = await ask("POST", "/connections", {
    auth: "people",
    credential: api.oauth.issue(),
  });
  const { value: installation } = await ask("POST", "/installations", { workflow: "import-people" });
  const path = `/installations/${installation["id"]}`;
  const early = await ask("POST", `${path}/setup`, { steps: [["connect", connection["id"]], ["select"]] });
  expect(early).toMatchObject({ status: 422, value: { kind: "incomplete", issues: [{ field: "person" }] } });
  await ask("POST", `${path}/setup`, { steps: [["connect", connection["id"]]] });
  const { value: options } = await ask("GET", `${path}/options?field=person`);
  expect(options).toHaveLength(25);
  const { value: view } = await ask("POST", `${path}/setup`, {
    steps: [
      ["answer", "person", 3],
      ["select"],
      ["map", { v: 1, entries: [{ source: { id: "email" }, target: { id: "email" } }] }],
      ["schedule", "recurring"],
    ],
  });
  expect(view).toMatchObject({ current: { step: "ready" } });
  expect((await ask("POST", `${path}/activate`, {})).value).toMatchObject({ status: "active" });
  // Nobody asks it to poll.
  await expect.poll(() => api.count("GET", "/people-by-cursor")).toBeGreaterThan(0);
  expect(await ask("GET", "/installations/nobody")).toMatchObject({
    status: 404,
    value: { kind: "NotFound" },
  });

  service.process.kill("SIGTERM");
  expect(await once(service.process, "exit")).toEqual([0, null]);
  await start();
  expect((await ask("GET", path)).value).toMatchObject({
    status: "active",
    settings: { display: "Person 3" },
  });
  expect((await ask("POST", `${path}/contacts`, { email: "a@example.org" })).status).toBe(502);
  expect((await ask("POST", `${path}/pause`, {})).value).toMatchObject({ status: "paused" });
});
