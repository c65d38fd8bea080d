import { chmod, lstat, open } from "node:fs/promises";

/** What SQLite keeps beside a database, with the database's own mode, and what the store does. */
const BESIDE = ["-wal", "-shm", "-journal", "-pending"];

/** A file isn't used: it is a link. */
export class NotPrivate extends Error {}

/**
 * Makes a database's file before a library opens it, for its owner only whatever the umask (E27). One that is there, and what a process that
 * died left beside it, is made so too.
 *
 * @throws NotPrivate for a link
 */
export async function makePrivate(file: string): Promise<void> {
  try {
    // Only one that isn't there: to close a database's file would end the locks that this process has on it.
    const handle = await open(file, "wx", 0o600);
    // A umask may have taken even this from the owner.
    await handle.chmod(0o600);
    await handle.close();
  } catch {
    // It is there, or can't be made: then the library tells why.
  }
  for (const end of ["", ...BESIDE]) await tighten(file + end);
}

async function tighten(file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return;
  if (found.isSymbolicLink())
    throw new NotPrivate(
      `${file} is a symbolic link, and what it leads to isn't written. Put the state's folder where the state is to be, or make the folder a link.`,
    );
  // What belongs to somebody else stays as they made it.
  if (found.isFile() && (found.mode & 0o077) !== 0) await chmod(file, 0o600).catch(() => undefined);
}
