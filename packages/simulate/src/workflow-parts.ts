import type { App, AppWorkflow, WorldFile } from "@configc/compiler";
import type { CoverageOf } from "./coverage/coverage.ts";
import { withDoubts } from "./doubt.ts";
import type { Effort } from "./explore.ts";
import { fit, withVariants } from "./fit.ts";
import type { KnownApp } from "./known/known-api.ts";
import { exploreOutbound } from "./outbound/explore.ts";
import { explorePolling } from "./polling/explore.ts";
import type { Untried } from "./protocol/protocol.ts";
import type { AnyWorld, PartKind, PartReport } from "./report.ts";
import { exploreSetup } from "./setup/explore.ts";
import { subjectOf } from "./subject.ts";
import { exploreWebhook } from "./webhook/explore.ts";
import { assumptionsTold, settled, settledByProtocol } from "./world/world-file.ts";

/** How much of a workflow is tried. */
interface WorkflowEffort extends Effort {
  readonly seed?: number;
  readonly worlds?: readonly AnyWorld[];
  readonly coverage: CoverageOf;
}

/** Its guided setup; nothing where that asks the service for nothing. */
export async function setupOf(
  app: App,
  workflow: AppWorkflow,
  effort: WorkflowEffort,
): Promise<readonly PartReport[]> {
  const report = await exploreSetup(app, workflow, effort);
  return report === undefined ? [] : [withDoubts(told("setup", workflow, report), isKnown(app))];
}

export function isWebhook({ intakes }: App, { intake }: AppWorkflow): boolean {
  return intakes[intake ?? -1]?.type === "webhook";
}

export async function webhookOf(
  app: App,
  workflow: AppWorkflow,
  effort: WorkflowEffort,
  world: WorldFile | undefined,
): Promise<PartReport> {
  const known = world?.intakes[app.intakes[workflow.intake!]!.name];
  const options = { ...effort, world, known, assumptions: assumptionsTold(known) };
  const report = told("webhook", workflow, await exploreWebhook(app, workflow, options));
  return withDoubts(report, known !== undefined || isKnown(app));
}

export async function outboundOf(
  app: App,
  workflow: AppWorkflow,
  effort: WorkflowEffort,
): Promise<PartReport> {
  return withDoubts(told("outbound", workflow, await exploreOutbound(app, workflow, effort)), isKnown(app));
}

/** Whether a document or samples say what the service answers. */
const isKnown = (app: KnownApp): boolean => app.known !== undefined;

/** Whether a workflow polls, or has to say why it doesn't: a webhook does if it has a history to import. */
export function polls(app: App, workflow: AppWorkflow): boolean {
  if (workflow.direction === "outbound") return false;
  return !isWebhook(app, workflow) || workflow.historicalIntake !== undefined;
}

/** What it polls, or the history that it imports. @param effort `days` of the longest world */
export async function pollingOf(
  app: App,
  workflow: AppWorkflow,
  { coverage, days, ...effort }: WorkflowEffort & { readonly days: number | undefined },
  world: WorldFile | undefined,
): Promise<PartReport> {
  const subject = subjectOf(app, workflow, world);
  if ("reason" in subject) return untried(kindOf(app, workflow), workflow.name, subject);
  const fitted = await fit(subject);
  if ("reason" in fitted) return untried(kindOf(app, workflow), workflow.name, fitted);
  const { stuck, pipeline } = fitted;
  const { protocol } = fitted.subject;
  const { subject: varied, notTried } =
    stuck === undefined
      ? await withVariants(fitted.subject, world)
      : { subject: fitted.subject, notTried: [] };
  const known = world?.intakes[protocol.intake.name];
  const report = await explorePolling(
    { ...varied, coverage },
    {
      pipeline,
      ...effort,
      notTried,
      ...(days === undefined ? {} : { days }),
      ...(stuck === undefined ? {} : { worlds: [stuck], isStuck: true }),
      known: { ...settledByProtocol(protocol), ...settled(known, protocol.order.direction) },
      ...(known?.changes === undefined ? {} : { changes: known.changes }),
      ...(known?.records === undefined ? {} : { records: known.records }),
      ...(known?.burst === undefined ? {} : { burst: known.burst }),
      assumptions: assumptionsTold(known),
    },
  );
  // What fails before any answer fails with every service.
  return withDoubts(report, stuck !== undefined || known !== undefined || protocol.known !== undefined);
}

function told(kind: PartKind, { name }: AppWorkflow, report: PartReport | Untried): PartReport {
  return "reason" in report ? untried(kind, name, report) : report;
}

/** How the data of a workflow comes or goes. */
function kindOf({ intakes }: App, { direction, intake, historicalIntake }: AppWorkflow): PartKind {
  if (direction === "outbound") return "outbound";
  if (historicalIntake !== undefined) return "history";
  return intakes[intake ?? -1]?.type === "webhook" ? "webhook" : "polling";
}

function untried(kind: PartKind, workflow: string, { reason, failsAnyway = false }: Untried): PartReport {
  return {
    kind,
    workflow,
    intake: undefined,
    untried: reason,
    ...(failsAnyway ? { failsAnyway } : {}),
    roles: [],
    assumptions: [],
    notTried: [],
    worlds: 0,
    cycles: 0,
    requests: 0,
    again: 0,
    arrived: 0,
    hypotheses: [],
    laws: [],
    failures: [],
  };
}
