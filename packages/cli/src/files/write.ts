import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { makeFolder } from "./make-folder.ts";

interface WriteOptions {
  /** Of the file, instead of that which it has. */
  readonly mode?: number;
  /** False: a symbolic link is refused, but for those of the system, such as `/dev/stdout`. */
  readonly throughLinks?: boolean;
}

/** For what holds customers' data (E27): its owner's only, and never where somebody's link leads. */
export const personal: WriteOptions = { mode: 0o600, throughLinks: false };

/** A path is a symbolic link, and isn't written through. */
class LinkRefused extends Error {
  override readonly message = "it is a symbolic link. Remove it, or name the file that it leads to";
}

/**
 * Writes a file so that nobody ever sees half of it: beside it first, then renamed. Without options it keeps its mode, and through a symbolic
 * link the file behind it is written.
 *
 * @throws LinkRefused; Error with a `syscall`
 */
export function writeAtomically(
  path: string,
  text: string,
  { mode, throughLinks = true }: WriteOptions = {},
): void {
  if (!throughLinks && isLink(path)) throw new LinkRefused();
  const found = targetOf(path, throughLinks || isOfSystem(path));
  const target = { ...found, mode: found.isFile ? (mode ?? found.mode) : found.mode };
  makeFolder(dirname(target.path));
  // A device or a pipe (`--output /dev/stdout`) can't be replaced.
  if (target.mode !== undefined && !target.isFile) {
    writeFileSync(target.path, text);
    return;
  }
  // A process that was killed may have left one behind, and numbers of processes come again.
  const temporary = `${target.path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: target.mode ?? 0o666, flag: "wx" });
    // A mode that is asked for when a file is made is cut by the umask.
    if (target.mode !== undefined) chmodSync(temporary, target.mode);
    renameSync(temporary, target.path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function isLink(path: string): boolean {
  return !isOfSystem(path) && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function isOfSystem(path: string): boolean {
  return /^\/(?:dev|proc)\//.test(resolve(path));
}

/** Where a path leads; of one that mustn't be a link only the folder is followed, so that one that becomes a link meanwhile is replaced. */
function targetOf(
  path: string,
  throughLinks: boolean,
): { path: string; mode: number | undefined; isFile: boolean } {
  try {
    const real = throughLinks ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
    const stat = throughLinks ? statSync(real) : lstatSync(real);
    return { path: real, mode: stat.mode & 0o7777, isFile: stat.isFile() || stat.isSymbolicLink() };
  } catch {
    return { path: resolve(path), mode: undefined, isFile: true };
  }
}
