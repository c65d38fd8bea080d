import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));
const npmCommand = process.platform === "win32" ? "npm.cmd" : "npm";

/**
 * Runs a program to its end.
 *
 * @param {{ cwd?: string, expected?: number, env?: Record<string, string> }} [options]
 * @returns {string} what it printed
 * @throws Error with all that it said, if it ends otherwise than expected
 */
export function run(command, args, { cwd = root, expected = 0, env = {} } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NO_COLOR: "1", ...env },
  });
  if (error !== undefined) throw error;
  if (status !== expected)
    throw new Error(
      `${command} ${args.join(" ")}: status ${status}, expected ${expected}\n${stdout}${stderr}`,
    );
  return stdout;
}

export const npm = (args, options) => run(npmCommand, args, options);
export const node = (args, options) => run(process.execPath, args, options);

export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
