import type { App, AppWorkflow } from "@configc/compiler";
import type { CoverageOf } from "../coverage/coverage.ts";
import { type Effort, explore, judgedLaws } from "../explore.ts";
import { outboundFaultLaws, outboundLaws } from "../laws/outbound/index.ts";
import type { Untried } from "../protocol/protocol.ts";
import type { PartReport } from "../report.ts";
import { outboundRoles } from "./story.ts";
import { outboundSubjectOf } from "./subject.ts";
import { OutboundTrial, type OutboundTrialOptions, plainRuns } from "./trial.ts";

/** How an outbound workflow is tried. */
interface OutboundOptions extends OutboundTrialOptions, Omit<Effort, "seeds"> {
  readonly coverage?: CoverageOf;
}

/** Tries an outbound workflow, and tells what was found. */
export async function exploreOutbound(
  app: App,
  workflow: AppWorkflow,
  options: OutboundOptions,
): Promise<PartReport | Untried> {
  const subject = { ...outboundSubjectOf(app, workflow), coverage: options.coverage };
  if (subject.answered.length === 0) return { reason: "no request of the pipeline is known" };
  // One whom the service doesn't know, and one whom it knows: where both fail, the derivation is more likely wrong than the app.
  const { plain, known, extent } = await plainRuns(subject);
  const failures = [plain, known].map(({ steps }) =>
    steps.find(({ failure }) => failure !== undefined && !failure.isApps),
  );
  if (failures.every((failure) => failure !== undefined))
    return {
      reason: `the service that was derived doesn't fit the app. Where nothing is special, the pipeline fails: ${failures[0]!.failure!.message}`,
    };
  const trial = new OutboundTrial(subject, options, extent);
  const explored = await explore(trial, options);
  return {
    kind: "outbound",
    workflow: workflow.name,
    intake: undefined,
    untried: undefined,
    roles: outboundRoles(subject),
    assumptions: [],
    notTried: [
      ...(plain.deeds.length + known.deeds.length === 0
        ? ["whether anything arrives, for nothing was written in the plainest worlds"]
        : []),
      ...(explored.again > 0
        ? [
            "whether the service knows again what it is sent twice, where an answer got lost and the app sends no key",
          ]
        : []),
    ],
    ...explored,
    laws: judgedLaws([...outboundLaws, ...outboundFaultLaws], explored.failures),
  };
}
