import type { App } from "@configc/compiler";
import { createVault, type Vault } from "@configc/runtime";
import { KnownApps } from "../../answers/apps.ts";
import { Database } from "../../postgres/database.ts";
import { checkSchema } from "../../store/migrate.ts";
import { type Configuration, readApps, readConfiguration, readKeys } from "../configuration.ts";
import type { Arguments, Environment } from "../usage.ts";

/** What a verb that answers or acts stands on. */
export interface Opened {
  readonly database: Database;
  readonly configuration: Configuration;
  /** With the apps of the configuration, and where the key is given, those that the fleet keeps. */
  readonly apps: KnownApps;
  /** Where the key is given. */
  readonly vault: Vault | undefined;
}

/** @throws UsageError, RunError `StoreError` */
export async function withDatabase<R>(
  { config }: Arguments,
  environment: Environment,
  work: (opened: Opened) => Promise<R>,
): Promise<R> {
  const configuration = await readConfiguration(config, environment);
  const given = await appsAtHand(configuration);
  const vault = await vaultAtHand(environment);
  const database = new Database({ url: configuration.database, connections: 3 });
  try {
    await checkSchema(database);
    return await work({ database, configuration, vault, apps: new KnownApps(database, vault, given) });
  } finally {
    await database.close();
  }
}

/** A config that can't be used now is no reason not to answer: lines are missing then. */
async function appsAtHand(configuration: Configuration): Promise<Readonly<Record<string, App>>> {
  if (Object.keys(configuration.apps).length === 0) return {};
  return await readApps(configuration).catch(() => ({}));
}

/** @returns undefined where no key is given */
export async function vaultAtHand(environment: Environment): Promise<Vault | undefined> {
  if (environment["CONFIGC_KEY"] === undefined && environment["CONFIGC_KEY_FILE"] === undefined)
    return undefined;
  const { key, oldKeys } = await readKeys(environment);
  return createVault(key, ...oldKeys);
}
