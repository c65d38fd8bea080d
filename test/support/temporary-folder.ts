import { chmodSync, mkdtempSync, rmSync } from "node:fs";
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
  // Postgres runs as somebody else where tests run as root, and has to get at its own folder below this one.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  // What checks find is kept apart from what the developer's own have found.
  const results = process.env["CONFIGC_CACHE_DIR"];
  process.env["CONFIGC_CACHE_DIR"] = join(folder, "cache");
  return () => {
    restore("TMPDIR", before);
    restore("CONFIGC_CACHE_DIR", results);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
  };
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
