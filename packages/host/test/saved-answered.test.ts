import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "@configc/compiler";
import { createHost, openSavedRun, replayRun } from "@configc/host";
import type { HttpRequest } from "@configc/runtime";
import { expect, onTestFinished, test } from "vitest";

const base = "https://api.example.com";
const { app } = compile(
  JSON.stringify({
    $version: "2",
    auth: {},
    api: { base_url: base },
    workflows: [
      {
        name: "send",
        label: "Send",
        type: "automations",
        setup: {},
        data_pipeline: {
          source: { "!resource": "PlatformContact" },
          target: {
            "!pipe": [
              { "!http": { method: "POST", path: "/person", body: {} } },
              { "!http": { method: "POST", path: "/deal", body: { person: "${piped_content.1.id}" } } },
            ],
          },
        },
      },
    ],
  }),
);

test("E20 a run that went on with answers of the try before is replayed with them", async () => {
  const directory = mkdtempSync(join(tmpdir(), "configc-answered-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const sent: string[] = [];
  const request = async ({ url, body }: HttpRequest) => {
    sent.push(`${url.slice(base.length)} ${body}`);
    const status = sent.length === 2 ? 503 : 200;
    return {
      status,
      headers: { "content-type": "application/json" },
      body: new TextEncoder().encode('{"id": 7}'),
    };
  };
  const host = await createHost({
    apps: { app },
    saveRuns: { directory, which: "all" },
    limits: { tries: 1 },
    effects: { http: { request } },
  });
  await host.store.transaction((transaction) =>
    transaction.put("installations", {
      id: "i1",
      app: "app",
      workflow: "send",
      status: "active",
      settings: { customData: {} },
      createdAt: 1,
      changedAt: 1,
    }),
  );
  const runtime = host.runtime("app");
  const contact = { email: "ada@example.com" };
  await expect(runtime?.send("i1", contact, { key: "1" })).rejects.toMatchObject({ status: 503 });
  expect(await runtime?.send("i1", contact, { key: "1" })).toMatchObject({ delivered: 1 });
  expect(sent).toEqual(["/person {}", '/deal {"person":7}', '/deal {"person":7}']);
  await host.close();
  const files = readdirSync(directory);
  // Of each try the source and the target.
  expect(files).toHaveLength(4);
  for (const name of files) {
    const saved = await openSavedRun(host.vault, join(directory, name));
    const { departure, changes } = await replayRun(app, saved);
    expect([departure, changes], name).toEqual([undefined, []]);
  }
});
