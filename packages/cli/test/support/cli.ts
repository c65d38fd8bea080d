import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBuilt } from "../build.ts";

export const bin = fileURLToPath(new URL("../../bin/configc.js", import.meta.url));
const templates = new URL("../../templates/", import.meta.url);

export interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command to its end. */
export function configc(
  args: readonly string[],
  options: { cwd?: string; input?: string | Uint8Array; env?: NodeJS.ProcessEnv; bin?: string } = {},
): Result {
  ensureBuilt();
  const { status, stdout, stderr } = spawnSync(process.execPath, [options.bin ?? bin, ...args], {
    cwd: options.cwd,
    input: options.input ?? "",
    env: { ...process.env, NO_COLOR: "", ...options.env },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** Starts the built command. */
export function startConfigc(args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  ensureBuilt();
  return spawn(process.execPath, [bin, ...args], options);
}

/** A new folder with these files. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "configc-test-")));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Where a template of `configc init` stands: a config without findings. */
export function templatePath(name: string): string {
  return fileURLToPath(new URL(`${name}.app.json`, templates));
}
