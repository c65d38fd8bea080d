import { isSavedRun, type SavedRun } from "@configc/host";
import { RunError, type Vault } from "@configc/runtime";
import type { Queries } from "../postgres/types.ts";
import { openValue, sealValue } from "./sealed-text.ts";

/** UTF-16 units of a sealed file; what is larger isn't kept. */
const LARGEST = 256 * 1024;

/** A run of a command that failed and was saved as a file. */
export interface SavedFailure {
  readonly installation: string;
  readonly app: string;
  /** Of the app: the file is replayed with the config of that version. */
  readonly version: string;
  /** By which `inspect` knows it. */
  readonly run: string;
  /** JSON Pointer of the command. */
  readonly node: string;
  readonly kind: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Keeps the newest failure of each command of each installation, and `most` of them in all. */
export async function keepSavedRun(
  database: Queries,
  vault: Vault,
  most: number,
  of: Omit<SavedFailure, "node" | "kind">,
  file: SavedRun,
): Promise<void> {
  const { installation, app, version, run, at } = of;
  const sealed = await sealValue(vault, file, labelOf(installation, file.node));
  if (sealed.length > LARGEST) return;
  const kind = "error" in file.outcome ? file.outcome.error.kind : "";
  await database.query(
    `INSERT INTO configc.saved_runs (installation, node, app, version, run, kind, at, saved)
      VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000), $8)
      ON CONFLICT (installation, node) DO UPDATE SET app = excluded.app, version = excluded.version, run = excluded.run,
        kind = excluded.kind, at = excluded.at, saved = excluded.saved WHERE saved_runs.at <= excluded.at`,
    [installation, file.node, app, version, run, kind, at, sealed],
  );
  await database.query(
    `DELETE FROM configc.saved_runs WHERE at < (SELECT at FROM configc.saved_runs ORDER BY at DESC OFFSET $1 LIMIT 1)`,
    [most - 1],
  );
}

interface Row {
  readonly installation: string;
  readonly app: string;
  readonly version: string;
  readonly run: string;
  readonly node: string;
  readonly kind: string;
  readonly at: string;
  readonly [name: string]: unknown;
}

const COLUMNS =
  "installation, app, version, run, node, kind, round(extract(epoch FROM at) * 1000)::text AS at";

/** Those that are kept, the newest first: of an installation, or of all. */
export async function savedFailures(
  database: Queries,
  installation?: string,
): Promise<readonly SavedFailure[]> {
  const rows = await database.query<Row>(
    `SELECT ${COLUMNS} FROM configc.saved_runs WHERE $1::text IS NULL OR installation = $1 ORDER BY saved_runs.at DESC LIMIT 200`,
    [installation ?? null],
  );
  return rows.map(({ installation: id, app, version, run, node, kind, at }) => ({
    installation: id,
    app,
    version,
    run,
    node,
    kind,
    at: Number(at),
  }));
}

/**
 * The file of one, as `configc run --replay`, `configc debug --replay` and the editor take it.
 *
 * @param node undefined: the newest of the installation
 * @returns undefined where none is kept
 * @throws RunError `StoreError` with another key
 */
export async function savedRunOf(
  database: Queries,
  vault: Vault,
  installation: string,
  node?: string,
): Promise<SavedRun | undefined> {
  const [row] = await database.query<{ node: string; saved: string }>(
    `SELECT node, saved FROM configc.saved_runs WHERE installation = $1 AND ($2::text IS NULL OR node = $2) ORDER BY at DESC LIMIT 1`,
    [installation, node ?? null],
  );
  if (row === undefined) return undefined;
  const saved: unknown = await openValue(vault, row.saved, labelOf(installation, row.node));
  if (isSavedRun(saved)) return saved;
  throw new RunError("DataError", "This run was saved by another version of configc.", undefined);
}

function labelOf(installation: string, node: string): string {
  return `saved run ${installation} ${node}`;
}
