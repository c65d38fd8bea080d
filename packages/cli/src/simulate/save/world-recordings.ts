import type { App, WorldFile } from "@configc/compiler";
import { replayRun, type SavedRun } from "@configc/host";
import { savingRunsBy } from "@configc/host/internal";
import type { AroundRun } from "@configc/runtime";
import { type AnyWorld, recordWorld, replayWorld, type Unreplayed, withoutKnown } from "@configc/simulate";
import { type RecordedRun, type Recordings, recordingsOf } from "./recordings.ts";

/** The runs of a world as files: of polling each cycle, else each command that was run for a registration, a delivery or a contact. */
export async function recordingsOfWorld(
  app: App,
  workflow: string,
  world: AnyWorld,
  known: WorldFile | undefined,
): Promise<Recordings | Unreplayed> {
  if (world.kind !== "polling") return await runsOf(app, workflow, world, known);
  const told = await replayWorld(app, workflow, world, known);
  return "reason" in told ? told : await recordingsOf(withoutKnown(app), told);
}

/** Files of one world, at most: the smallest world that breaks a law has a few steps. */
const MOST = 40;

async function runsOf(
  app: App,
  workflow: string,
  world: Exclude<AnyWorld, { readonly kind: "polling" }>,
  known: WorldFile | undefined,
): Promise<Recordings | Unreplayed> {
  const plain = withoutKnown(app);
  const files: SavedRun[] = [];
  const saving = savingRunsBy(
    "all",
    async (file) => void files.push(file),
    (error) => {
      throw error;
    },
  );
  const around: AroundRun = (run, work) => saving.around({ ...run, app: plain }, work);
  const problem = await recordWorld(app, workflow, world, { around, known });
  await saving.idle();
  if (problem !== undefined) return problem;
  const runs: RecordedRun[] = [];
  for (const saved of files.slice(0, MOST)) {
    const { departure } = await replayRun(plain, saved);
    const part = `${runs.length + 1}-${saved.node.split("/").at(-1)}`;
    // A process that ends in a run leaves nothing that could be run again; the next one has the rest.
    if (departure === undefined) runs.push({ part, node: saved.node, saved });
    else if (world.kind === "setup" || !world.faults.some(({ what }) => what === "death"))
      return { runs, missing: `${part} can't be run again to the same trace: ${departure.message}` };
  }
  return files.length > MOST ? { runs, missing: `it has ${files.length} runs` } : { runs };
}
