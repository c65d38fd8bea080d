import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { compile } from "@configc/compiler";
import { createFleetWorker } from "@configc/engine-dbos";
import { embeddedPlatform } from "@configc/host";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { noPostgres } from "../../../test/support/postgres.ts";
import { fleetDatabase } from "./support/database.ts";

/** Makes people, and deals with what they were answered; `/deals` is overloaded until it is told otherwise. */
async function thirdParty() {
  const asked: string[] = [];
  const state = { overloaded: true };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    asked.push(`${request.url} ${body}`);
    if (request.url === "/deals" && state.overloaded) return response.writeHead(503).end();
    response
      .setHeader("content-type", "application/json")
      .end('{"id": 12345678901234567890, "key": "canary"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, state };
}

function app(origin: string) {
  const post = (path: string, body: object) => ({ "!http": { method: "POST", path, body } });
  return compile(
    JSON.stringify({
      $version: "2",
      api: { base_url: origin },
      workflows: [
        {
          name: "out",
          label: "Out",
          type: "automations",
          setup: {},
          data_pipeline: {
            source: { "!resource": "PlatformContact" },
            target: {
              "!pipe": [
                post("/people", { email: "${piped_content.0.email}" }),
                post("/deals", { person: "${piped_content.1.id}" }),
              ],
            },
          },
        },
      ],
    }),
  ).app;
}

test.skipIf(noPostgres !== undefined)(
  "E20 another worker goes on with an item behind what was done: by answers that are sealed in Postgres",
  async () => {
    const { origin, asked, state } = await thirdParty();
    const database = await fleetDatabase();
    const open = () =>
      createFleetWorker({
        apps: { acme: app(origin) },
        database,
        key: new Uint8Array(32).fill(1),
        effects: { platform: embeddedPlatform() },
        allowPrivateNetwork: true,
        limits: { tries: 1 },
        report: () => undefined,
      });
    const first = await open();
    const settings = { customData: {} };
    const row = { id: "i", app: "acme", workflow: "out", status: "active", settings } as const;
    await first.store.transaction((transaction) =>
      transaction.put("installations", { ...row, createdAt: 1, changedAt: 1 }),
    );
    const sent = first.runtime("acme")!.send("i", { email: "ada@example.com" }, { key: "event" });
    await expect(sent).rejects.toMatchObject({ kind: "HttpError", status: 503 });
    await first.close();

    const client = new pg.Client({ connectionString: database });
    await client.connect();
    onTestFinished(() => client.end());
    const kept = await client.query<{ text: string }>("SELECT t::text AS text FROM configc.deliveries t");
    expect(kept.rows).toHaveLength(1);
    expect(kept.rows[0]?.text).toContain("answered");
    expect(kept.rows[0]?.text).not.toContain("canary");

    state.overloaded = false;
    const second = await open();
    onTestFinished(() => second.close(0));
    expect(await second.runtime("acme")!.deliver("i")).toEqual({ delivered: 1, skipped: 0, failed: 0 });
    const deal = '/deals {"person":12345678901234567890}';
    expect(asked).toEqual(['/people {"email":"ada@example.com"}', deal, deal]);
    const [delivered] = await second.store.transaction((transaction) => transaction.list("deliveries", {}));
    expect(delivered).toMatchObject({ status: "delivered" });
    expect(delivered).not.toHaveProperty("answered");
  },
);
