import type { App } from "@configc/compiler";
import { versionOf } from "@configc/host/internal";
import type { Vault } from "@configc/runtime";
import type { Queries } from "../postgres/types.ts";
import { appLabel } from "../worker/versions.ts";

/** The apps of a fleet by version, for whoever asks where in a config something stands. */
export class KnownApps {
  readonly #database: Queries;
  readonly #vault: Vault | undefined;
  readonly #given: ReadonlyMap<string, App>;
  readonly #read = new Map<string, Promise<App | undefined>>();

  /**
   * @param vault opens what the fleet keeps; undefined: only the given apps are known
   * @param given by the host's names for them, with their source maps
   */
  constructor(database: Queries, vault: Vault | undefined, given: Readonly<Record<string, App>> = {}) {
    this.#database = database;
    this.#vault = vault;
    this.#given = new Map(Object.entries(given));
  }

  /** @param version undefined: the one that was in use last */
  readonly appOf = async (name: string, version: string | undefined): Promise<App | undefined> => {
    const given = this.#given.get(name);
    if (given !== undefined && (version === undefined || versionOf(name, given) === version)) return given;
    const key = `${name} ${version ?? ""}`;
    let read = this.#read.get(key);
    if (read === undefined) this.#read.set(key, (read = this.#load(name, version)));
    return await read;
  };

  async #load(name: string, version: string | undefined): Promise<App | undefined> {
    if (this.#vault === undefined) return undefined;
    const [row] = await this.#database.query<{ version: string; app: string }>(
      "SELECT version, app FROM configc.apps WHERE name = $1 AND ($2::text IS NULL OR version = $2) ORDER BY used DESC, published DESC LIMIT 1",
      [name, version ?? null],
    );
    if (row === undefined) return undefined;
    const text = row.app.startsWith("{") ? row.app : await this.#vault.open(row.app, appLabel(row.version));
    return JSON.parse(text) as App;
  }
}
