import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/**
 * The folder for what can be worked out again: where the user says (`CONFIGC_CACHE_DIR`), else `configc` where the system keeps such things
 * (`XDG_CACHE_HOME`, `LOCALAPPDATA`, `~/.cache`).
 *
 * @returns undefined if there is no such place
 */
export function cacheFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const own = env["CONFIGC_CACHE_DIR"];
  if (own !== undefined && own !== "") return resolve(own);
  const system = env[platform === "win32" ? "LOCALAPPDATA" : "XDG_CACHE_HOME"];
  if (system !== undefined && isAbsolute(system)) return join(system, "configc");
  try {
    const home = homedir();
    return isAbsolute(home) ? join(home, ".cache", "configc") : undefined;
  } catch {
    // A user without a home.
    return undefined;
  }
}
