import { type Departure, isSavedRun, type Recording, type SavedRun } from "@configc/host";
import { isRecording } from "@configc/host/internal";
import type { Json } from "@configc/jq";
import { RunError } from "@configc/runtime";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { personal, writeAtomically } from "../files/write.ts";
import { note } from "../terminal/output.ts";
import type { LoadedConfig } from "./config.ts";
import { type Failure, failureOf } from "./failure.ts";
import { laidOut } from "./layout.ts";
import { readJsonFile } from "./read-input.ts";

/** What `--replay` reads: a recording, or a whole run. */
type Replayed = { readonly recording: Recording } | { readonly saved: SavedRun };

/** @throws UsageError if the file is neither */
export function readReplayed(path: string): Replayed {
  const value: unknown = readJsonFile(path);
  if (isSavedRun(value)) return { saved: value };
  if (isRecording(value)) return { recording: value };
  throw new UsageError(
    `${path} is no recording or saved run of this version: “configc run … --record ${path}” or “… --save-run ${path}” makes one.`,
    "run",
  );
}

/** @throws UsageError where the command line says what stands in the file */
export function checkSavedRun(path: string, { node }: SavedRun, pointer: string, args: Arguments): void {
  for (const name of ["input", "context", "search", "base-url", "login"])
    if (args.has(name))
      throw new UsageError(
        `${path} is a saved run: what --${name} says stands in it. Leave that out.`,
        "run",
      );
  if (node !== pointer) throw new UsageError(`${path} is a run of ${node}, not of ${pointer}.`, "run");
}

/** @throws UsageError if it can't be written */
export function writeSavedRun(path: string, saved: SavedRun): void {
  try {
    writeAtomically(path, `${laidOut(saved as unknown as Json)}\n`, personal);
  } catch (error) {
    throw new UsageError(`${path} can't be written: ${reasonOf(error)}.`, "run");
  }
  note(`configc: the run was saved in ${path}.`);
}

/** A departure as a failed run. */
export function departureFailure(
  { pointer, message }: Departure,
  changes: readonly string[],
  { app, model }: LoadedConfig,
): Failure {
  const text = [`The run isn't the one that was saved: ${message}`, ...changes].join(" ");
  const place = Object.hasOwn(app.commands, pointer) ? app.commands[pointer] : undefined;
  return { ...failureOf(new RunError("NotFound", text, place), model), kind: "Departure", pointer };
}
