import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import type { WorldFile } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { type Failure, type PartReport, type Report, replayWorld } from "@configc/simulate";
import { UsageError } from "../../command-line/usage-error.ts";
import { reasonOf } from "../../files/failure.ts";
import { writeAtomically } from "../../files/write.ts";
import type { LoadedConfig } from "../../run/config.ts";
import { laidOut } from "../../run/layout.ts";
import { note } from "../../terminal/output.ts";
import { caseOf } from "./case.ts";
import type { RecordedRun } from "./recordings.ts";
import { recordingsOfWorld } from "./world-recordings.ts";

/**
 * Writes each failure as a test file and as recordings of its runs. A file that is there stays as it is.
 *
 * @param folder is made if it isn't there
 */
export async function saveFailures(
  { parts }: Report,
  folder: string,
  config: LoadedConfig,
  known: WorldFile | undefined,
): Promise<void> {
  const taken = new Set<string>();
  for (const part of parts)
    for (const failure of part.failures) {
      const name = nameOf(part, failure, config.file, taken);
      await saveFailure(part, failure, join(folder, name), config, known);
    }
  if (taken.size === 0) note("configc: no law broke, so nothing was saved.");
}

/** `shop.import-orders.everything-arrives.pages`, and a number behind what comes twice. */
function nameOf(
  { workflow, kind }: PartReport,
  { law, way }: Failure,
  file: string,
  taken: Set<string>,
): string {
  const base = basename(file).replace(/(\.app)?\.jsonc?$/, "");
  const parts = [base, workflow, ...(kind === "polling" || kind === "outbound" ? [] : [kind]), law];
  const plain = [...parts, ...(way === "other" ? [] : [way])]
    .map((part) => part.replace(/[^\p{L}\p{N}_-]+/gu, "-"))
    .join(".");
  let name = plain;
  for (let number = 2; taken.has(name); number++) name = `${plain}-${number}`;
  taken.add(name);
  return name;
}

async function saveFailure(
  part: PartReport,
  failure: Failure,
  path: string,
  config: LoadedConfig,
  known: WorldFile | undefined,
): Promise<void> {
  const { app, file } = config;
  const isPolling = failure.world.kind === "polling";
  const told = isPolling ? await replayWorld(app, part.workflow, failure.world, known) : undefined;
  const replayed = told === undefined || "reason" in told ? undefined : told;
  const made = await caseOf(part, failure, replayed, config);
  if ("reason" in made) note(`configc: ${basename(path)} can't be saved as a test case: ${made.reason}.`);
  else {
    const from = relative(dirname(path), file).split(sep).join("/");
    write(`${path}.apptest.json`, { config: from, cases: [made] } as unknown as Json);
  }
  const recorded = await recordingsOfWorld(app, part.workflow, failure.world, known);
  if ("reason" in recorded)
    return note(`configc: ${basename(path)} can't be saved as a recording: ${recorded.reason}.`);
  const { runs, missing } = recorded;
  for (const { part: of, saved } of runs) write(`${path}.${of}.run.json`, saved as unknown as Json);
  const shown = isPolling ? runs[0] : telling(runs, failure);
  if (shown !== undefined)
    note(
      `configc: see a ${isPolling ? "cycle" : "run"} again: configc run ${file} ${shown.node} --trace --replay ${path}.${shown.part}.run.json`,
    );
  if (missing !== undefined) note(`configc: ${basename(path)} is recorded no further: ${missing}.`);
}

/** The run that shows the most: the one that failed, or the last one of the guilty command. */
function telling(runs: readonly RecordedRun[], { pointer }: Failure): RecordedRun | undefined {
  const failed = runs.find(({ saved }) => "error" in saved.outcome);
  return failed ?? runs.filter(({ node }) => `${pointer}/`.startsWith(`${node}/`)).at(-1) ?? runs.at(-1);
}

/** Never over what somebody may have changed. */
function write(path: string, value: Json): void {
  const text = `${laidOut(value)}\n`;
  if (existsSync(path)) {
    const isSame = readFileSync(path, "utf8") === text;
    return note(
      isSame
        ? `configc: ${path} is there already, and the same.`
        : `configc: ${path} is there already and stays as it is; take it away to save anew.`,
    );
  }
  try {
    writeAtomically(path, text);
  } catch (error) {
    throw new UsageError(`${path} can't be written: ${reasonOf(error)}.`, "simulate");
  }
  note(`configc: ${path} was written.`);
}
