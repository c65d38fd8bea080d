import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type AroundRun,
  type BegunRun,
  type Json,
  parseExact,
  printExact,
  RunError,
  type Tracer,
  type Vault,
} from "@configc/runtime";
import { type FinishedRun, noteRun, settled } from "./save.ts";
import { type GivenToRun, isSavedRun, type SavedRun } from "./saved-run.ts";

/** Which of its runs a host saves, and where. */
export interface SaveRunsOptions {
  /** It is made if it isn't there, for its owner only. */
  readonly directory: string;
  /** Default: those that failed. */
  readonly which?: "failed" | "all";
  /** Files at most; the oldest go first. Default 100. */
  readonly keep?: number;
}

const ENDING = ".run";
const LABEL = "saved run";

/**
 * Saves each command that a host runs as a file: of a cycle its `request`s one by one, of an item its `source` and its `target`. The
 * files are sealed by the host's key, because what customers and apps keep is in them; `openSavedRun` opens them. A file that can't be
 * written is told, and no reason for the run to fail. What is put off or cancelled isn't saved: it is run again.
 *
 * @param failed is told of files that can't be written
 */
export function savingRuns(
  { directory, which = "failed", keep = 100 }: SaveRunsOptions,
  vault: Vault,
  failed: (error: unknown) => void,
): SavingRuns {
  return savingRunsBy(which, (file, at) => keepFile(directory, at, file, vault, keep), failed);
}

/**
 * The same, kept wherever one likes: what is kept needs to be sealed there too.
 *
 * @param keep is given the files one after the other, in the order in which their runs ended; nobody waits for it
 */
export function savingRunsBy(
  which: "failed" | "all",
  keep: (file: SavedRun, at: number) => Promise<void>,
  failed: (error: unknown) => void,
): SavingRuns {
  let last: Promise<void> = Promise.resolve();
  const around: AroundRun = async (run, work) => {
    const given = givenOf(run);
    const noted = noteRun(run.app, run.node, given, { effects: run.effects, signal: run.given.signal });
    const trace = both(noted.trace, run.trace, run.given.parent ?? 0);
    const outcome = await settled(work(noted.effects, trace, 0));
    if (isWanted(outcome, which)) {
      const at = run.effects.clock.now();
      const file = await noted.finish(outcome);
      last = last.then(() => keep(file, at)).catch(failed);
    }
    if ("error" in outcome) throw outcome.error;
    return outcome.output;
  };
  return { around, idle: () => last };
}

/** What saves runs beside their work. */
export interface SavingRuns {
  readonly around: AroundRun;
  /** Resolves when all files are written. */
  idle(): Promise<void>;
}

function givenOf({ given, origins }: BegunRun): GivenToRun {
  const { input, context, connection, auth, place, search, idempotencyKey, limits, journal } = given;
  const { ahead = [] } = journal ?? {};
  const all = {
    input,
    context,
    connection,
    auth,
    place,
    search,
    idempotencyKey,
    answered: ahead.length === 0 ? undefined : ahead,
    limits,
    origins,
    quotas: "host",
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as GivenToRun;
}

function isWanted(outcome: FinishedRun["outcome"], which: "failed" | "all"): boolean {
  if (!("error" in outcome)) return which === "all";
  return !(outcome.error instanceof RunError && outcome.error.kind === "Cancelled");
}

/** Tells both; ids are those of the first, for it is the one that is saved. */
function both(first: Tracer, second: Tracer, parent: number): Tracer {
  const ids = new Map([[0, parent]]);
  return {
    listening: true,
    event(above, node, ...traced) {
      const id = first.event(above, node, ...traced);
      if (second.listening) ids.set(id, second.event(ids.get(above) ?? parent, node, ...traced));
      return id;
    },
    secret(text) {
      first.secret(text);
      second.secret(text);
    },
    redact: (text, longest) => first.redact(text, longest),
  };
}

async function keepFile(
  directory: string,
  at: number,
  file: SavedRun,
  vault: Vault,
  keep: number,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const sealed = await vault.seal(printExact(file as unknown as Json), LABEL);
  const end = "error" in file.outcome ? file.outcome.error.kind : "ok";
  const time = new Date(at).toISOString().replaceAll(":", "-");
  const path = join(directory, `${time}-${end}-${crypto.randomUUID().slice(0, 8)}${ENDING}`);
  await writeFile(`${path}.tmp`, sealed, { mode: 0o600, flag: "wx" });
  await rename(`${path}.tmp`, path);
  const names = (await readdir(directory)).filter((name) => name.endsWith(ENDING)).sort();
  for (const name of names.slice(0, Math.max(0, names.length - keep)))
    await rm(join(directory, name), { force: true });
}

/**
 * Opens a file of `saveRuns`, for `replayRun` or, written with `printExact`, for `configc run --replay`.
 *
 * @param vault of the host that saved it, or one with the same key
 * @throws RunError `StoreError` with another key; Error for another file
 */
export async function openSavedRun(vault: Vault, path: string): Promise<SavedRun> {
  const saved: unknown = parseExact(await vault.open(await readFile(path, "utf8"), LABEL));
  if (!isSavedRun(saved)) throw new Error(`${path} isn't a saved run of this version.`);
  return saved;
}
