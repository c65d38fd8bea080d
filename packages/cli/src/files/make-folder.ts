import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and those above it that aren't there. Node's own recursive way never ends where the kernel refuses a folder as if the one above
 * it weren't there, as `/proc` does; here each is tried once.
 *
 * @param mode of folders that are made
 * @throws Error with a `syscall`
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Somebody else was quicker.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
