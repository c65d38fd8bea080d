import { RunError, type Vault } from "@configc/runtime";
import type { Queries } from "../postgres/types.ts";
import { openValue, sealValue } from "./sealed-text.ts";
import type { Story } from "./story.ts";

/** Milliseconds for which stories are gathered: one statement writes those of all runs that ended in between. */
const GATHER = 500;
/** Stories that wait while the database is away; the oldest go first. */
const MOST_WAITING = 500;

interface Row {
  readonly run: string;
  readonly at: number;
  readonly installation: string;
  readonly story: string;
}

interface KeptStoriesOptions {
  readonly database: Queries;
  readonly vault: Vault;
  /** Is told what couldn't be kept. */
  readonly failed: (error: unknown) => void;
}

/** Keeps the stories of a worker's runs. No run waits for it; those of the last half second before a worker dies are lost. */
export class KeptStories {
  readonly #options: KeptStoriesOptions;
  #waiting: Row[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sealing: Promise<unknown> = Promise.resolve();
  #writing: Promise<void> = Promise.resolve();

  constructor(options: KeptStoriesOptions) {
    this.#options = options;
  }

  keep(run: string, installation: string, story: Story): void {
    const { vault, failed } = this.#options;
    const sealed = sealValue(vault, story, labelOf(run)).then((text) => {
      if (this.#waiting.length >= MOST_WAITING) this.#waiting.shift();
      this.#waiting.push({ run, at: story.begun, installation, story: text });
      this.#timer ??= setTimeout(() => void this.#write(), GATHER).unref();
    });
    this.#sealing = Promise.allSettled([this.#sealing, sealed.catch(failed)]);
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    await this.#sealing;
    await this.#write();
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const rows = this.#waiting.splice(0);
    if (rows.length === 0) return;
    const { database, failed } = this.#options;
    const column = <K extends keyof Row>(name: K): Row[K][] => rows.map((row) => row[name]);
    await database
      .query(
        `INSERT INTO configc.stories (run, at, installation, story)
          SELECT run, to_timestamp(at / 1000), installation, story FROM unnest($1::text[], $2::float8[], $3::text[], $4::text[]) AS s(run, at, installation, story)
          ON CONFLICT DO NOTHING`,
        [column("run"), column("at"), column("installation"), column("story")],
      )
      .catch(failed);
  }
}

/** The stories of a run, one of each worker that had it, in their order. @throws RunError `StoreError` for another key */
export async function storiesOf(database: Queries, vault: Vault, run: string): Promise<readonly Story[]> {
  const rows = await database.query<{ story: string }>(
    "SELECT story FROM configc.stories WHERE run = $1 ORDER BY at LIMIT 20",
    [run],
  );
  // They were written by `keep`.
  return await Promise.all(
    rows.map(async ({ story }) => (await openValue(vault, story, labelOf(run))) as unknown as Story),
  );
}

/** What is told of a run where its stories can't be. */
export type TellsStories =
  | { readonly stories: readonly Story[] }
  | { readonly stories?: undefined; readonly untold: string };

/** The same, but without the key, or with another one, it says so. */
export async function toldOf(
  database: Queries,
  vault: Vault | undefined,
  run: string,
): Promise<TellsStories> {
  if (vault === undefined)
    return { untold: "Requests and state are sealed: set CONFIGC_KEY, as the workers have it." };
  try {
    return { stories: await storiesOf(database, vault, run) };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { untold: error.message };
  }
}

/** Deletes what is older. @param before milliseconds since 1970 */
export async function pruneStories(database: Queries, before: number): Promise<void> {
  for (const table of ["stories", "saved_runs"])
    await database.query(`DELETE FROM configc.${table} WHERE at < to_timestamp($1::float8 / 1000)`, [before]);
}

/** Deletes what another key sealed: it would be gone in a day anyway. @param key name of the one in use @returns how many there were */
export async function forgetOtherKeys(database: Queries, key: string): Promise<number> {
  let gone = 0;
  for (const [table, column] of [
    ["stories", "story"],
    ["saved_runs", "saved"],
  ])
    gone += (
      await database.query(`DELETE FROM configc.${table} WHERE NOT starts_with(${column}, $1) RETURNING 1`, [
        `v1.${key}.`,
      ])
    ).length;
  return gone;
}

function labelOf(run: string): string {
  return `story ${run}`;
}
