import { compile } from "@configc/compiler";
import { nodeHttp, stderrLog, systemClock, systemRandom } from "@configc/host";
import { createRuntime, createVault, type Effects, storedCredentials } from "@configc/runtime";
import { postgresStore } from "../../src/index.ts";

/** A process that sends requests by a connection whose token has to be renewed: for the test of that. */
export interface RenewalWorker {
  readonly url: string;
  /** The third party. */
  readonly server: string;
  readonly connection: string;
  readonly requests: number;
  /** By a session instead of OAuth. */
  readonly session?: boolean;
}

const vault = createVault(new Uint8Array(32).fill(9));

/** @returns what came of each request */
export async function work({ url, server, connection, requests, session }: RenewalWorker): Promise<string[]> {
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      auth: {
        acme: session
          ? { type: "session", verify_url: `${server}/session` }
          : {
              type: "oauth2",
              authorization_base_url: `${server}/authorize`,
              token_url: `${server}/token`,
              client_id: "<ID>",
              client_secret: "<SECRET>",
              scopes: [],
            },
      },
      api: { base_url: server },
      workflows: [
        {
          name: "one",
          label: "One",
          type: "automations",
          auth: "acme",
          setup: {},
          data_pipeline: { source: { "!http": { method: "get", path: "/me" } } },
        },
      ],
    }),
  );
  const store = await postgresStore({ url, lease: 1_000 });
  const http = nodeHttp({ allowPrivateNetwork: true });
  const effects: Effects = {
    clock: systemClock,
    random: systemRandom,
    log: stderrLog,
    http,
    credentials: storedCredentials(store, vault),
    platform: {
      fields: async () => null,
      upsert: async () => null,
      sync: async () => null,
    },
  };
  const runtime = createRuntime(app, effects, { store });
  const run = () => runtime.run("/workflows/0/data_pipeline/source", { connection });
  const results = await Promise.allSettled(Array.from({ length: requests }, run));
  await store.close();
  await http.close();
  return results.map((result) =>
    result.status === "fulfilled"
      ? JSON.stringify(result.value)
      : `${result.reason.kind}: ${result.reason.message}`,
  );
}
