import type { App } from "@configc/compiler";
import { versionOf as nameOf, type RuntimeOf, type Versions } from "@configc/host/internal";
import type { Runtime, Vault } from "@configc/runtime";
import { JOURNAL } from "../engine/journal.ts";
import type { Database } from "../postgres/database.ts";
import type { Queries } from "../postgres/types.ts";

/** Milliseconds after which it is said again that a version is in use. */
const USED = 60 * 60_000;

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
  const versions = new Map<Runtime, { readonly version: Promise<string>; readonly at: number }>();
  const runtimes = new Map<string, Promise<Runtime | undefined>>();
  const keep = async (name: string, runtime: Runtime): Promise<string> => {
    const version = nameOf(name, runtime.app);
    await database.query(
      "INSERT INTO configc.apps (version, name, app) VALUES ($1, $2, $3) ON CONFLICT (version) DO UPDATE SET used = clock_timestamp()",
      [version, name, await vault.seal(JSON.stringify(runtime.app), appLabel(version))],
    );
    runtimes.set(version, Promise.resolve(runtime));
    return version;
  };
  /** Of an app that another version of was published meanwhile, too: before a run begins with it, it is kept. */
  const versionOf = async (name: string): Promise<string> => {
    const runtime = current.get(name);
    // It is an app of other workers.
    if (runtime === undefined) return await newest(database, name);
    let kept = versions.get(runtime);
    if (kept === undefined || performance.now() - kept.at > USED) {
      kept = { version: keep(name, runtime), at: performance.now() };
      versions.set(runtime, kept);
      kept.version.catch(() => versions.delete(runtime));
    }
    return await kept.version;
  };
  for (const name of current.keys()) await versionOf(name);
  const load = async (name: string, version: string): Promise<Runtime | undefined> => {
    const [row] = await database.query<{ app: string }>(
      "SELECT app FROM configc.apps WHERE version = $1 AND name = $2",
      [version, name],
    );
    if (row === undefined) return undefined;
    const text = row.app.startsWith("{") ? row.app : await vault.open(row.app, appLabel(version));
    // It was written by `keep`, of an app that was compiled.
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
    "SELECT version FROM configc.apps WHERE name = $1 ORDER BY used DESC, published DESC LIMIT 1",
    [name],
  );
  return row?.version ?? "";
}

/**
 * Deletes versions that nobody has had in use since a time, unless a run that isn't over, or that is held, began with one. The one of an app that was in
 * use last stays.
 *
 * @param before milliseconds since 1970
 * @returns how many are gone
 */
export async function pruneVersions(database: Queries, before: number): Promise<number> {
  const gone = await database.query(
    `WITH runs AS MATERIALIZED (
      SELECT coalesce(i.inputs, w.inputs, '') AS given
      FROM ${JOURNAL}.workflow_status w LEFT JOIN ${JOURNAL}.workflow_input i ON i.workflow_uuid = w.workflow_uuid
      WHERE w.status IN ('ENQUEUED', 'PENDING', 'DELAYED') OR w.workflow_uuid IN (SELECT run FROM configc.holds)
      UNION ALL SELECT input FROM configc.backlog WHERE starts IS NOT NULL
    )
    DELETE FROM configc.apps a WHERE used < least(to_timestamp($1::float8 / 1000), clock_timestamp() - $2 * interval '1 ms')
      AND EXISTS (SELECT FROM configc.apps newer WHERE newer.name = a.name AND newer.used > a.used)
      AND NOT EXISTS (SELECT FROM runs WHERE position(a.version IN given) > 0)
    RETURNING version`,
    // Who has it in use says so once in the time of one of them.
    [before, 2 * USED],
  );
  return gone.length;
}

export function appLabel(version: string): string {
  return `app ${version}`;
}
