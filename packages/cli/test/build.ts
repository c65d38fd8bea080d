import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const built = join(root, "packages/cli/dist/main.cjs");
const lock = join(root, "node_modules/.cache/configc-build.pid");

/** When it was last looked, in ms: a test asks for each command that it runs, and looking takes as long as some of them. */
let looked = 0;

/** Builds the command if a source is newer than the build. Test files run at the same time: one of them builds. */
export function ensureBuilt(): void {
  if (Date.now() - looked < 10_000) return;
  build();
  looked = Date.now();
}

function build(): void {
  if (isFresh()) return;
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  while (!takeLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  try {
    if (isFresh()) return;
    const { status } = spawnSync(process.execPath, ["scripts/build.mjs", "--no-types"], {
      cwd: root,
      stdio: "inherit",
    });
    if (status !== 0) throw new Error("The build failed, so the command can't be tested.");
  } finally {
    rmSync(lock, { force: true });
  }
}

function isFresh(): boolean {
  const time = modified(built);
  const packages = readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name, "src"))
    .filter((folder) => existsSync(folder));
  return time > 0 && packages.every((folder) => newestIn(folder) <= time);
}

function newestIn(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true });
  return Math.max(
    0,
    ...entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? newestIn(path) : modified(path);
    }),
  );
}

function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** The lock holds the number of the process that builds: on a busy machine a build takes minutes. */
function takeLock(): boolean {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: "wx" });
    return true;
  } catch {
    if (isAbandoned()) rmSync(lock, { force: true });
    return false;
  }
}

/** A build that was killed leaves its lock behind. */
function isAbandoned(): boolean {
  try {
    const builder = Number(readFileSync(lock, "utf8"));
    // Made just now, and not written yet.
    if (builder === 0) return Date.now() - modified(lock) > 60_000;
    process.kill(builder, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
