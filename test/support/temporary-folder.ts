import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives a whole run of tests one temporary folder and removes it at the end, with what tests and the processes that they started
 * left there: a test that is killed can't clean up after itself.
 */
export default function temporaryFolder(): () => void {
  const before = process.env.TMPDIR;
  // Short, since Unix sockets (Postgres, VS Code) stand below it and their paths may have 107 bytes only.
  const folder = mkdtempSync(join(tmpdir(), "cct-"));
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
  };
}
