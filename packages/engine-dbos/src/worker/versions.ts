import { createHash } from "node:crypto";
import type { App } from "@configc/compiler";
import type { RuntimeOf, Versions } from "@configc/host";
import type { Runtime, Vault } from "@configc/runtime";
import type { Database } from "../postgres/database.ts";

/**
 * Keeps each version of the apps in the database, by its hash: a run that began with one ends with it, on whatever worker, though
 * another is published meanwhile. Sealed, for a config may have the secret of its client in it.
 */
export async function publishedVersions(
  database: Database,
  vault: Vault,
  current: ReadonlyMap<string, Runtime>,
  runtimeOf: RuntimeOf,
): Promise<Versions> {
  const versions = new Map<Runtime, Promise<string>>();
  const runtimes = new Map<string, Promise<Runtime | undefined>>();
  const keep = async (name: string, runtime: Runtime): Promise<string> => {
    const { text, version } = encoded(name, runtime.app);
    await database.query(
      "INSERT INTO configc.apps (version, name, app) VALUES ($1, $2, $3) ON CONFLICT (version) DO NOTHING",
      [version, name, await vault.seal(text, appLabel(version))],
    );
    runtimes.set(version, Promise.resolve(runtime));
    return version;
  };
  /** Of an app that another version of was published meanwhile, too: before a run begins with it, it is kept. */
  const versionOf = async (name: string): Promise<string> => {
    const runtime = current.get(name);
    // It is an app of other workers.
    if (runtime === undefined) return await newest(database, name);
    let version = versions.get(runtime);
    if (version === undefined) {
      version = keep(name, runtime);
      versions.set(runtime, version);
      version.catch(() => versions.delete(runtime));
    }
    return await version;
  };
  for (const name of current.keys()) await versionOf(name);
  const load = async (name: string, version: string): Promise<Runtime | undefined> => {
    const [row] = await database.query<{ app: string }>(
      "SELECT app FROM configc.apps WHERE version = $1 AND name = $2",
      [version, name],
    );
    if (row === undefined) return undefined;
    const text = row.app.startsWith("{") ? row.app : await vault.open(row.app, appLabel(version));
    // It was written by `encoded`, of an app that was compiled.
    return runtimeOf(name, JSON.parse(text) as App);
  };
  return {
    current,
    versionOf,
    runtime(name, version) {
      let runtime = runtimes.get(version);
      if (runtime === undefined) {
        runtime = load(name, version);
        runtimes.set(version, runtime);
        // What couldn't be read is tried again.
        runtime.catch(() => runtimes.delete(version));
      }
      return runtime;
    },
  };
}

async function newest(database: Database, name: string): Promise<string> {
  const [row] = await database.query<{ version: string }>(
    "SELECT version FROM configc.apps WHERE name = $1 ORDER BY published DESC LIMIT 1",
    [name],
  );
  return row?.version ?? "";
}

export function appLabel(version: string): string {
  return `app ${version}`;
}

/** The source map tells failures their lines: two apps that differ only there are two versions too. */
function encoded(name: string, app: App): { readonly text: string; readonly version: string } {
  const text = JSON.stringify(app);
  return { text, version: createHash("sha256").update(`${name}\n${text}`).digest("hex").slice(0, 32) };
}
