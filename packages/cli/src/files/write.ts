import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { makeFolder } from "./make-folder.ts";

/**
 * Writes a file so that nobody ever sees half of it: beside it first, then renamed. Keeps its mode; through a symbolic link the
 * file behind it is written.
 */
export function writeAtomically(path: string, text: string): void {
  const target = targetOf(path);
  makeFolder(dirname(target.path));
  // A device or a pipe (`--output /dev/stdout`) can't be replaced.
  if (target.mode !== undefined && !target.isFile) {
    writeFileSync(target.path, text);
    return;
  }
  const temporary = `${target.path}.${process.pid}.tmp`;
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

function targetOf(path: string): { path: string; mode: number | undefined; isFile: boolean } {
  try {
    const real = realpathSync(path);
    const { mode } = statSync(real);
    return { path: real, mode: mode & 0o7777, isFile: statSync(real).isFile() };
  } catch {
    return { path: resolve(path), mode: undefined, isFile: true };
  }
}
