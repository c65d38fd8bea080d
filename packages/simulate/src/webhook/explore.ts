import type { App, AppWorkflow, IntakeWorld, WorldFile } from "@configc/compiler";
import type { CoverageOf } from "../coverage/coverage.ts";
import { type Effort, explore, judgedLaws } from "../explore.ts";
import { forgedRefused } from "../laws/webhook/forged-refused.ts";
import { historyAgrees } from "../laws/webhook/history-agrees.ts";
import { webhookFaultLaws, webhookLaws } from "../laws/webhook/index.ts";
import type { Untried } from "../protocol/protocol.ts";
import type { PartReport } from "../report.ts";
import { webhookSubjectOf } from "./probe.ts";
import { textOfProof } from "./proof.ts";
import { runWebhook } from "./run.ts";
import { webhookRoles } from "./story.ts";
import type { WebhookSubject } from "./subject.ts";
import { WebhookTrial, type WebhookTrialOptions } from "./trial.ts";
import { plainest } from "./worlds.ts";

/** How an app with a webhook is tried. */
interface WebhookOptions extends Omit<WebhookTrialOptions, "changes" | "pipeline">, Omit<Effort, "seeds"> {
  readonly world: WorldFile | undefined;
  readonly coverage?: CoverageOf;
  readonly assumptions: readonly string[];
  readonly known: IntakeWorld | undefined;
}

/** Tries the webhook of a workflow, and tells what was found. */
export async function exploreWebhook(
  app: App,
  workflow: AppWorkflow,
  options: WebhookOptions,
): Promise<PartReport | Untried> {
  const found = await webhookSubjectOf(app, workflow, options.world);
  if ("reason" in found) return found;
  const { subject, notTried } = found;
  const pipeline = await pipelineNote(subject);
  const changes = options.known?.changes;
  const trial = new WebhookTrial(
    { ...subject, coverage: options.coverage },
    {
      ...options,
      pipeline,
      ...(changes === undefined ? {} : { changes }),
    },
  );
  const explored = await explore(trial, options);
  const { protocol, proof, challenge, ping } = subject;
  const laws = [...webhookLaws, ...webhookFaultLaws].filter(
    (law) =>
      (law !== forgedRefused || proof !== undefined) &&
      (law !== historyAgrees || subject.history !== undefined),
  );
  return {
    kind: "webhook",
    workflow: workflow.name,
    intake: protocol.intake.name,
    untried: undefined,
    roles: [
      ...webhookRoles(protocol),
      ...(proof === undefined
        ? []
        : [
            `\`${proof.key.name}\` proves who sends a delivery: ${proof.kind === "token" ? "it is a token that the app knows" : `\`${textOfProof(proof)}\`${proof.message === undefined ? "" : ` of \`${proof.message}\``}`}`,
          ]),
      ...(challenge === undefined
        ? []
        : [
            `a registration is asked for \`${challenge.place.path.join(".")}\` of the ${challenge.place.part} by ${challenge.method}`,
          ]),
      ...(ping === undefined
        ? []
        : [
            ping.place === undefined
              ? `a ping bears the proof too: ${ping.literals.map(({ path, text }) => `\`${path.join(".")}\` is “${text}”`).join(", ")}`
              : `a ping bears the proof too, and wants \`${ping.place.path.join(".")}\` of its ${ping.place.part} back`,
          ]),
    ],
    assumptions: options.assumptions,
    notTried: [...(pipeline === undefined ? [] : [pipeline]), ...notTried],
    ...explored,
    laws: judgedLaws(laws, explored.failures),
  };
}

/** Why items can't be judged: the pipeline fails on values that nobody but it describes. */
async function pipelineNote(subject: WebhookSubject): Promise<string | undefined> {
  const { kept } = await runWebhook(subject, plainest);
  const failed = kept.find(({ status, isApps }) => status === "failed" && !isApps);
  return failed === undefined
    ? undefined
    : `whether items pass the pipeline, for it fails on the values that were derived from it: ${failed.failure ?? "no reason is known"}`;
}
