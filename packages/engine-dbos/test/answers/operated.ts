import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, compile, sourceOf } from "@configc/compiler";
import { createFleetWorker, type FleetOptions, type FleetWorker } from "@configc/engine-dbos";
import { addConnection, embeddedPlatform } from "@configc/host";
import { onTestFinished } from "vitest";
import { type Answer, serve, type TestServer } from "../../../runtime/test/support/server.ts";
import { fleetDatabase } from "../support/database.ts";
import { said } from "../support/said.ts";

/** A shop that is polled for orders; an order without an address fails for its own reasons. */
export function shopConfig(origin: string): string {
  return JSON.stringify(
    {
      $version: "2",
      auth: {
        acme: {
          type: "oauth2",
          authorization_base_url: `${origin}/authorize`,
          token_url: `${origin}/token`,
          client_id: "client",
          client_secret: "secret",
          scopes: [],
        },
      },
      api: { base_url: origin },
      data_intake: [
        {
          type: "polling",
          name: "orders",
          initial_setup: { "!jq": "{polling_state: {since: 0}}" },
          request: {
            "!pipe": [
              { "!http": { path: "/orders", params: { since: "${polling_state.since}" } } },
              { "!jq": "{results: .orders, iterate: false, polling_state: {since: .until}}" },
            ],
          },
        },
      ],
      workflows: [
        {
          name: "import-orders",
          label: "Import orders",
          type: "generic",
          auth: "acme",
          data_intake: "orders",
          setup: {
            connect: {
              label: "C",
              describe_connection: { "!jq": '{account_id: "1", description: "x"}' },
            },
            schedule: { label: "S", description: "D", import_options: [], frequency: 1800 },
          },
          data_pipeline: {
            source: { "!jq": '{email: (.email | if . == null then error("no address") else . end)}' },
            target: { "!resource": "PlatformContact" },
          },
        },
      ],
    },
    undefined,
    2,
  );
}

export const order = (n: number): object => ({ id: n, email: `c${n}@example.com` });
export const answered = (...orders: readonly object[]): Answer => ({ json: { orders, until: 1 } });

/** A worker, its service and `configc-host`, with a folder that has the config. */
export interface Operated {
  readonly worker: FleetWorker;
  readonly database: string;
  readonly service: TestServer & { answer: Answer | Promise<Answer>; token: Answer };
  readonly key: string;
  /** Of `configc-host`. */
  readonly environment: Record<string, string>;
  readonly folder: string;
  /** @returns the id of its connection */
  install(id: string, customer?: string): Promise<string>;
  /** Has a cycle of each installation run, to its end. */
  work(): Promise<void>;
  /** What a verb prints; it has to succeed. */
  host(...args: readonly string[]): Promise<string>;
  hostJson<R>(...args: readonly string[]): Promise<R>;
}

/** @param more of the worker's options */
export async function operated(
  more: Pick<FleetOptions, "stories" | "savedFailures"> = {},
): Promise<Operated> {
  const database = await fleetDatabase();
  const server = await serve(({ path }) => (path === "/token" ? service.token : service.answer));
  const service = Object.assign(server, {
    answer: answered() as Answer | Promise<Answer>,
    token: { json: { access_token: "new", refresh_token: "r", expires_in: 3600 } } as Answer,
  });
  const folder = mkdtempSync(join(tmpdir(), "configc-operated-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const text = shopConfig(server.origin);
  writeFileSync(join(folder, "shop.app.json"), text);
  writeFileSync(join(folder, "host.json"), JSON.stringify({ apps: { shop: "shop.app.json" } }));
  const { app: compiled, model } = compile(text);
  const app: App = { ...compiled, source: sourceOf(model, "shop.app.json") };
  const key = new Uint8Array(32).fill(1);
  const worker = await createFleetWorker({
    database,
    key,
    apps: { shop: app },
    effects: { platform: embeddedPlatform() },
    allowPrivateNetwork: true,
    schedule: { interval: 3_600 },
    queueInterval: 20,
    report: () => undefined,
    ...more,
  });
  onTestFinished(() => worker.close(0));
  const environment = { DATABASE_URL: database, CONFIGC_KEY: Buffer.from(key).toString("base64") };
  const config = join(folder, "host.json");
  const installed: string[] = [];
  const host: Operated["host"] = async (...args) => {
    const { status, stdout, stderr } = await said([...args, "--config", config], environment);
    if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  return {
    worker,
    database,
    service,
    key: environment.CONFIGC_KEY,
    environment,
    folder,
    async install(id, customer) {
      installed.push(id);
      const whose = customer === undefined ? {} : { customer };
      const connection = await addConnection(worker, {
        app: "shop",
        auth: "acme",
        credential: { access_token: `canary ${id}`, refresh_token: "r" },
        ...whose,
      });
      await worker.store.transaction((transaction) =>
        transaction.put("installations", {
          id,
          app: "shop",
          workflow: "import-orders",
          status: "active",
          settings: { customData: {}, connection },
          connection,
          ...whose,
          createdAt: 1,
          changedAt: 1,
        }),
      );
      return connection;
    },
    async work() {
      await worker.start();
      for (const id of installed) await worker.retry("shop", id);
      await worker.idle();
    },
    host,
    hostJson: async <R>(...args: readonly string[]) => JSON.parse(await host(...args, "--json")) as R,
  };
}
