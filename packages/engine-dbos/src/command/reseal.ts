import { createVault } from "@configc/runtime";
import { Database } from "../postgres/database.ts";
import { postgresStore } from "../store/index.ts";
import { checkSchema } from "../store/migrate.ts";
import { type Resealing, reseal } from "../worker/reseal.ts";
import { readConfiguration, readKeys } from "./configuration.ts";
import { print } from "./output.ts";
import type { Arguments, Environment } from "./usage.ts";

/** Rows that are named where there are more. */
const NAMED = 5;

/** Seals all that is kept with the key in use. @returns 0 if the old keys can go */
export async function resealAll({ config }: Arguments, environment: Environment): Promise<number> {
  const { database: url } = await readConfiguration(config, environment);
  const { key, oldKeys } = await readKeys(environment);
  const database = new Database({ url, connections: 2 });
  try {
    await checkSchema(database);
    const store = await postgresStore({ url, connections: 8 });
    try {
      const vault = createVault(key, ...oldKeys);
      return tell(await reseal({ database, store, vault, progress }));
    } finally {
      await store.close();
    }
  } finally {
    await database.close();
  }
}

function progress({ table, seen, sealed }: Resealing): void {
  print(`${table}: ${seen} looked at, ${sealed} sealed anew`);
}

function tell({ sealed, closed, others }: Awaited<ReturnType<typeof reseal>>): number {
  print(`${sealed === 1 ? "1 row was" : `${sealed} rows were`} sealed anew.`);
  if (closed.length > 0) {
    const more = closed.length > NAMED ? ` and ${closed.length - NAMED} more` : "";
    print(
      `No key that was given opens ${closed.slice(0, NAMED).join(", ")}${more}. If there is another old key, add it to CONFIGC_OLD_KEYS and run this again; else these customers have to connect again.`,
    );
  }
  if (others.length > 0)
    print(
      `The old keys are still needed: ${others.length === 1 ? "the worker" : "the workers"} ${others.join(", ")} ${others.length === 1 ? "seals" : "seal"} with another key. Give all workers the new one as CONFIGC_KEY, and run this again.`,
    );
  if (closed.length > 0 || others.length > 0) return 1;
  print(
    "All is sealed with the key in use: the old keys can go, once no back-up is needed that was made before.",
  );
  return 0;
}
