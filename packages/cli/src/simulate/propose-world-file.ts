import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { worldFile } from "@configc/language-server/samples";
import { type KnownApp, proposeWorld } from "@configc/simulate";
import { writeAtomically } from "../files/write.ts";

/** What became of the world file of a config. */
interface ProposedWorld {
  /** Its whole path. */
  readonly file: string;
  /** `nothing` that the config leaves open decides whether a law breaks. */
  readonly outcome: "written" | "there" | "nothing";
}

/**
 * Writes beside a config what it leaves open about its service, and what decides whether a law breaks. A file that is there already stays.
 *
 * @throws Error with a `syscall` if it can't be written
 */
export async function proposeWorldFile(config: string, app: KnownApp): Promise<ProposedWorld> {
  const file = worldFile(resolve(config));
  if (existsSync(file)) return { file, outcome: "there" };
  const world = await proposeWorld(app);
  if (Object.keys(world.intakes).length === 0) return { file, outcome: "nothing" };
  writeAtomically(file, `${JSON.stringify(world, null, 2)}\n`, { throughLinks: false });
  return { file, outcome: "written" };
}
