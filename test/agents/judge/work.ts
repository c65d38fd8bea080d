import type { CycleResult } from "@configc/runtime";
import type { ThirdParty } from "../../api/third-party.ts";
import type { Rig } from "../../support/rig.ts";

const HALF_HOUR = 1_800_000;
/** More looks than an app that works takes. */
const MOST_LOOKS = 12;

/** Lets the host work until nothing is left to do. @returns what failed, in words */
export async function workUntilDone<P extends ThirdParty>(rig: Rig<P>): Promise<string[]> {
  const problems: string[] = [];
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const reports = await rig.look();
    for (const { job, error } of reports)
      if (error !== undefined)
        problems.push(`A ${job} failed: ${error instanceof Error ? error.message : error}`);
    rig.clock.advance(HALF_HOUR);
    const waiting = await rig.deliveries("waiting");
    const cut = reports
      .filter(({ job }) => job === "poll")
      .flatMap(({ result }) => result ?? [])
      .some((cycle) => (cycle as CycleResult).reason.startsWith("max-"));
    if (waiting.length === 0 && !cut && looks > 0) {
      const failures = await rig.failures();
      return [...new Set([...problems, ...failures.map((failure) => `An item failed: ${failure}`)])];
    }
    if (problems.length > 3) break;
  }
  return [...new Set([...problems, "The work never ends."])];
}
