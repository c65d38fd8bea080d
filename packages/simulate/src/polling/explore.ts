import { type Effort, explore, judgedLaws } from "../explore.ts";
import { faultLaws, pollingLaws } from "../laws/index.ts";
import type { Law } from "../laws/law.ts";
import { runsSucceed } from "../laws/runs-succeed.ts";
import type { PartReport } from "../report.ts";
import { roleSummary } from "../story/role-summary.ts";
import type { Subject } from "./run.ts";
import { PollingTrial, type PollingTrialOptions } from "./trial.ts";

/** How an app that polls is tried. */
interface ExploreOptions extends PollingTrialOptions, Omit<Effort, "seeds"> {
  /** What is taken for granted, by the world file. */
  readonly assumptions: readonly string[];
  /** What couldn't be tried, beside what is seen here. */
  readonly notTried?: readonly string[];
  /** The app fails before it asks the service for anything. */
  readonly isStuck?: boolean;
}

/** Tries an app that polls, and tells what was found. */
export async function explorePolling(subject: Subject, options: ExploreOptions): Promise<PartReport> {
  const { protocol, isHistory, workflow } = subject;
  const trial = new PollingTrial(subject, options);
  const explored = await explore(trial, options);
  const { failures } = explored;
  const missing = options.worlds === undefined && failures.length === 0 ? await trial.missing() : undefined;
  return {
    kind: isHistory ? "history" : "polling",
    workflow: workflow.name,
    intake: protocol.intake.name,
    untried: undefined,
    roles: roleSummary(protocol),
    assumptions: options.assumptions,
    notTried: [
      ...notTried(subject, options),
      ...(trial.tooDear > 0
        ? [`${trial.tooDear} records at one time, for the requests grow faster than the records`]
        : []),
    ],
    ...explored,
    ...(missing === undefined ? {} : { missing }),
    laws: judgedLaws(judged(options), failures),
  };
}

function judged({ isStuck = false, laws = [] }: ExploreOptions): readonly Law[] {
  return isStuck ? [runsSucceed] : [...pollingLaws, ...faultLaws, ...laws];
}

/** What the config, the world file or the service as it was derived leave no room for. */
function notTried(
  { protocol, isHistory }: Subject,
  { pipeline, notTried: others = [], isStuck = false }: ExploreOptions,
): readonly string[] {
  if (isStuck) return ["anything else, for the app fails before it sends its first request"];
  return [
    ...(pipeline === undefined ? [] : [pipeline]),
    ...(protocol.isWhole
      ? ["a list in pages, for the app reads one answer: what a service would put on a second page is lost"]
      : []),
    ...others,
    ...(isHistory ? ["a list that takes more than the 100 requests of an import (D34)"] : []),
  ];
}
