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
  const versions = new Map<string, string>();
  const runtimes = new Map<string, Promise<Runtime | undefined>>();
  for (const [name, runtime] of current) {
    const { text, version } = encoded(name, runtime.app);
    versions.set(name, version);
    runtimes.set(version, Promise.resolve(runtime));
    await database.query(
      "INSERT INTO configc.apps (version, name, app) VALUES ($1, $2, $3) ON CONFLICT (version) DO NOTHING",
      [version, name, await vault.seal(text, labelOf(version))],
    );
  }
  const load = async (name: string, version: string): Promise<Runtime | undefined> => {
    const [row] = await database.query<{ app: string }>(
      "SELECT app FROM configc.apps WHERE version = $1 AND name = $2",
      [version, name],
    );
    if (row === undefined) return undefined;
    const text = row.app.startsWith("{") ? row.app : await vault.open(row.app, labelOf(version));
    // It was written by `encoded`, of an app that was compiled.
    return runtimeOf(name, JSON.parse(text) as App);
  };
  return {
    current,
    versionOf: (name) => versions.get(name) ?? "",
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

function labelOf(version: string): string {
  return `app ${version}`;
}

/** The source map tells failures their lines: two apps that differ only there are two versions too. */
function encoded(name: string, app: App): { readonly text: string; readonly version: string } {
  const text = JSON.stringify(app);
  return { text, version: createHash("sha256").update(`${name}\n${text}`).digest("hex").slice(0, 32) };
}
