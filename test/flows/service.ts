import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFleetWorker } from "@configc/engine-dbos";
import {
  createHost,
  embeddedPlatform,
  type Host,
  type HostOptions,
  itemsInMemory,
  type JobReport,
} from "@configc/host";
import type { Credential, Installation, Mapping } from "@configc/runtime";
import { sealedCredential } from "@configc/runtime/internal";
import { onTestFinished } from "vitest";
import { fleetDatabase } from "../../packages/engine-dbos/test/support/database.ts";
import { Api, type ApiOptions } from "../api/api.ts";
import { type ConfigOptions, peopleApp } from "../api/config.ts";

/** On what a service stands: one process with SQLite files, or a worker of a fleet on Postgres. */
export type Standing = "embedded" | "fleet";

/** A service that runs the app of our third party, as a host would: with real HTTP both ways. */
export interface Service {
  readonly api: Api;
  readonly directory: string;
  readonly reports: JobReport[];
  host: Host;
  /** Moves the clock. */
  advance(milliseconds: number): void;
  /** Ends the host and starts another on the same state. */
  restart(options?: Partial<HostOptions>): Promise<void>;
  install(id: string, workflow: string, parts?: InstallParts): Promise<void>;
}

export interface InstallParts {
  readonly mapping?: Mapping;
  readonly customData?: NonNullable<Installation["settings"]>["customData"];
}

export const emailAndName: Mapping = {
  v: 1,
  entries: [
    { source: { id: "email" }, target: { id: "email" } },
    { source: { id: "name" }, target: { id: "first_name" } },
  ],
};

export interface ServiceOptions extends Partial<HostOptions> {
  readonly inMemory?: boolean;
  /** Default: embedded. */
  readonly standing?: Standing;
  readonly config?: ConfigOptions;
}

/** The clock of both sides jumps where the host would wait. */
export async function startService(
  options: ApiOptions = {},
  { inMemory = false, standing = "embedded", config, ...hostOptions }: ServiceOptions = {},
): Promise<Service> {
  let ahead = 0;
  const api = await Api.start({ now: () => Date.now() + ahead, ...options });
  const directory = mkdtempSync(join(tmpdir(), "configc-flow-"));
  const server = createServer((request, response) => void service.host.handle(request, response));
  const port = await listen(server);
  const reports: JobReport[] = [];
  const database = standing === "fleet" ? await fleetDatabase() : "";
  const platform = embeddedPlatform({ items: itemsInMemory() });
  const open = (more: Partial<HostOptions> = {}): Promise<Host> => {
    const options = {
      apps: { people: peopleApp(api.origin, config) },
      key: new Uint8Array(32).fill(7),
      publicUrl: `http://127.0.0.1:${port}/in`,
      allowPrivateNetwork: true,
      schedule: { interval: 3_600 },
      report: (report: JobReport) => void reports.push(report),
      ...hostOptions,
      ...more,
      effects: {
        clock: {
          now: () => Date.now() + ahead,
          async sleep(milliseconds: number) {
            ahead += milliseconds;
          },
        },
        log: { write: () => undefined },
        ...hostOptions.effects,
        ...more.effects,
      },
    };
    if (standing === "embedded") return createHost({ ...options, ...(inMemory ? {} : { directory }) });
    const effects = { platform, ...options.effects };
    return createFleetWorker({ ...options, database, effects, slot: "one", queueInterval: 20 });
  };
  const service: Service = {
    api,
    directory,
    reports,
    host: await open(),
    advance(milliseconds) {
      ahead += milliseconds;
    },
    async restart(more) {
      await service.host.close();
      service.host = await open(more);
    },
    async install(id, workflow, { mapping = emailAndName, customData = {} } = {}) {
      const { access_token, refresh_token, expires_in } = api.oauth.issue();
      await connect(service.host, {
        access_token,
        refresh_token,
        expires_at: Date.now() + expires_in * 1_000,
      });
      await service.host.store.transaction((transaction) =>
        transaction.put("installations", {
          id,
          app: "people",
          workflow,
          status: "setup",
          draft: { step: "ready", settings: { connection: "c1", accountId: "c-1", customData, mapping } },
          createdAt: 1,
          changedAt: 1,
        }),
      );
      await service.host.runtime("people")?.activate(id);
    },
  };
  onTestFinished(async () => {
    await service.host.close();
    server.closeAllConnections();
    server.close();
    await api.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return service;
}

/** Keeps a credential for the connection `c1`, as the end of a login does. */
export async function connect({ store, vault }: Host, given: Credential): Promise<void> {
  const credential = await sealedCredential(vault, "c1", given);
  await store.transaction((transaction) =>
    transaction.put("connections", { id: "c1", app: "people", auth: "people", accountId: "c-1", credential }),
  );
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
