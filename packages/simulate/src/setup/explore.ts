import type { App, AppWorkflow } from "@configc/compiler";
import type { CoverageOf } from "../coverage/coverage.ts";
import { type Effort, explore, judgedLaws } from "../explore.ts";
import type { Untried } from "../protocol/protocol.ts";
import type { PartReport } from "../report.ts";
import { runSetup } from "./run.ts";
import { NOTHING, type SetupSubject, setupSubjectOf } from "./subject.ts";
import { SetupTrial, type SetupTrialOptions, setupLaws } from "./trial.ts";
import { plainSetup } from "./world.ts";

/** How a guided setup is tried. */
interface SetupExploration extends SetupTrialOptions, Omit<Effort, "seeds"> {
  readonly coverage?: CoverageOf;
}

/** Tries the guided setup of a workflow, and tells what was found; undefined where its setup asks the service for nothing. */
export async function exploreSetup(
  app: App,
  workflow: AppWorkflow,
  options: SetupExploration,
): Promise<PartReport | Untried | undefined> {
  const derived = setupSubjectOf(app, workflow);
  if ("reason" in derived) return derived.reason === NOTHING ? undefined : derived;
  const subject = { ...derived, coverage: options.coverage };
  // Where nothing is special, the derivation is more likely wrong than the app (E60).
  const plain = await runSetup(subject, plainSetup);
  if (plain.stopped !== undefined)
    return {
      reason: `the service that was derived doesn't fit the setup. Where nothing is special, it goes no further than ${plain.acts.at(-1)?.what ?? "its beginning"}: ${plain.stopped}`,
    };
  const trial = new SetupTrial(subject, options);
  const explored = await explore(trial, options);
  return {
    kind: "setup",
    workflow: workflow.name,
    intake: undefined,
    untried: undefined,
    roles: rolesOf(subject),
    assumptions: [],
    notTried: subject.notTried,
    ...explored,
    laws: judgedLaws(setupLaws, explored.failures),
  };
}

/** For what requests are taken, a line each. */
function rolesOf({ answered, lists }: SetupSubject): readonly string[] {
  const roles = answered.map(({ exchange }) => {
    const address = exchange.url.map((part) => (part.kind === "literal" ? String(part.value) : "…")).join("");
    const list = lists.find((each) => each.exchange === exchange);
    const what =
      list === undefined
        ? "tells of the account and of what was chosen"
        : `has a list, \`.${list.path.join(".")}\`, of which ${list.told} are made`;
    return `${exchange.method} ${address} ${what}`;
  });
  return [...new Set(roles)];
}
