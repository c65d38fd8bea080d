import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { handOver } from "./postgres-binaries.ts";

/** What belongs to the running server, not to what it keeps. */
const running = new Set(["postmaster.pid", "postmaster.opts"]);

/**
 * Copies what a server keeps while it works, as `pg_basebackup` does: it comes up with all that was committed by the end of the copy.
 *
 * @param url of any database of the server, as superuser
 */
export async function baseBackup(url: string, data: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('test', true)");
    await copyFolder(data, to, (path) => !running.has(path) && !path.startsWith("pg_wal/"));
    const { rows } = await client.query<{ labelfile: string }>(
      "SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)",
    );
    // Last: with the log it comes up to where the copy ended.
    await copyFolder(join(data, "pg_wal"), join(to, "pg_wal"), (path) => path !== "archive_status");
    await writeFile(join(to, "backup_label"), rows[0]?.labelfile ?? "");
  } finally {
    await client.end();
  }
  await handOver(to);
}

/** Files may come and go meanwhile. */
async function copyFolder(
  from: string,
  to: string,
  wanted: (path: string) => boolean,
  below = "",
): Promise<void> {
  await mkdir(join(to, below), { recursive: true, mode: 0o700 });
  for (const entry of await readdir(join(from, below), { withFileTypes: true }).catch(gone([]))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) await copyFolder(from, to, wanted, path);
    else if (wanted(path)) await copyFile(join(from, path), join(to, path)).catch(gone(undefined));
  }
}

function gone<R>(instead: R): (error: unknown) => R {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return instead;
    throw error;
  };
}
