import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openSavedRun } from "@configc/host";
import { type Json, printExact } from "@configc/runtime";
import { NEEDS_KEY } from "./answers.ts";
import { type AdminContext, AdminError } from "./context.ts";

const NAME = /^[\w.-]+\.run$/;

/** Names of the runs that were saved on this machine, the newest first: when, how it ended. */
export async function savedRunNames({ savedRuns }: AdminContext): Promise<readonly string[]> {
  if (savedRuns === undefined) return [];
  const names = await readdir(savedRuns).catch(() => []);
  return names
    .filter((name) => NAME.test(name))
    .sort()
    .reverse();
}

/** A saved run as JSON, for `configc debug --replay` and the editor. @throws AdminError */
export async function savedRunText({ savedRuns, vault }: AdminContext, name: string): Promise<string> {
  if (savedRuns === undefined || !NAME.test(name)) throw new AdminError(404, "There is no such saved run.");
  if (vault === undefined) throw new AdminError(409, NEEDS_KEY);
  try {
    return printExact((await openSavedRun(vault, join(savedRuns, name))) as unknown as Json);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new AdminError(404, "This run is no longer kept.");
    throw error;
  }
}
