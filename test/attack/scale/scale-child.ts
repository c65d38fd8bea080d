import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "@configc/compiler";
import { createHost } from "@configc/host";

/** So many customers at once, each of whose polls gives so many items in one page. */
export interface Crowd {
  readonly installations: number;
  readonly items: number;
}

/** What came of it. */
export interface Arrived {
  readonly delivered: number;
  /** Messages of what failed. */
  readonly failed: readonly string[];
  /** ms until the host had looked at what is due for the first time. */
  readonly started: number;
}

async function main({ installations, items }: Crowd): Promise<Arrived> {
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      data_intake: [
        {
          type: "polling",
          name: "people",
          request: {
            "!jq": `{results: [range(${items}) | {email: "p\\(.)@example.com", text: ("x" * 20)}], iterate: false, polling_state: {n: 1}}`,
          },
        },
      ],
      workflows: [
        {
          name: "people",
          label: "people",
          type: "generic",
          data_intake: "people",
          setup: { schedule: { label: "S", description: "D", import_options: [], frequency: 1800 } },
          data_pipeline: { source: { "!jq": "{email}" }, target: { "!resource": "PlatformContact" } },
        },
      ],
    }),
  );
  const directory = mkdtempSync(join(tmpdir(), "configc-crowd-"));
  const told = { delivered: 0, failed: [] as string[] };
  let cycles = 0;
  let over = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    over = resolve;
  });
  const platform = {
    fields: async () => [],
    sync: async () => null,
    upsert: async () => {
      told.delivered++;
      return { contact_id: 1 };
    },
  };
  const host = await createHost({
    apps: { acme: app },
    directory,
    key: new Uint8Array(32),
    effects: { platform },
    report: ({ job, error }) => {
      if (error !== undefined) told.failed.push(String(error));
      if (job === "poll" || error !== undefined) cycles++;
      if (cycles >= installations) over();
    },
  });
  const settings = { customData: {}, connection: "c" };
  await host.store.transaction(async (transaction) => {
    for (let number = 0; number < installations; number++)
      await transaction.put("installations", {
        id: `i${number}`,
        app: "acme",
        workflow: "people",
        status: "active",
        settings,
        createdAt: 1,
        changedAt: 1,
      });
  });
  const start = performance.now();
  await host.start();
  const started = performance.now() - start;
  await done;
  await host.idle();
  await host.close();
  rmSync(directory, { recursive: true });
  return { ...told, started };
}

const [given] = process.argv.slice(2);
if (given !== undefined) process.stdout.write(JSON.stringify(await main(JSON.parse(given) as Crowd)));
