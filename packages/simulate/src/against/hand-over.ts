import type { App, AppWorkflow } from "@configc/compiler";
import { type Effort, explore } from "../explore.ts";
import { nothingAgain } from "../laws/nothing-again.ts";
import { runOutbound } from "../outbound/run.ts";
import { outboundSubjectOf } from "../outbound/subject.ts";
import { OutboundTrial, plainRuns } from "../outbound/trial.ts";
import { explorePolling } from "../polling/explore.ts";
import { runWorld, type WorldLog } from "../polling/run.ts";
import type { PartReport } from "../report.ts";
import type { SimulateOptions } from "../simulate.ts";
import { subjectOf } from "../subject.ts";
import { webhookSubjectOf } from "../webhook/probe.ts";
import { runWebhook } from "../webhook/run.ts";
import { WebhookTrial } from "../webhook/trial.ts";
import type { World } from "../world/world.ts";
import { assumptionsTold, settled } from "../world/world-file.ts";

/** One workflow in two versions of an app. */
interface Versions {
  readonly app: App;
  readonly old: App;
  /** Of the new version. */
  readonly workflow: AppWorkflow;
  /** Of the old one. */
  readonly before: AppWorkflow;
}

/** How the hand-over is tried. */
export type HandOverOptions = SimulateOptions & Required<Pick<SimulateOptions, "now" | "time">>;

/** What broke where the new version goes on half-way with what the old one kept; or why that wasn't tried. */
type HandOver = Pick<PartReport, "worlds" | "failures"> | { readonly reason: string; readonly worlds: 0 };

/** Lets the new version take over in the middle of each world. */
export async function handOver(versions: Versions, options: HandOverOptions): Promise<HandOver> {
  const { app, old, workflow, before } = versions;
  const typeOf = (of: App, { direction, intake }: AppWorkflow): string =>
    direction === "outbound" ? "outbound" : (of.intakes[intake ?? -1]?.type ?? "nothing");
  const type = typeOf(app, workflow);
  if (type !== typeOf(old, before))
    return { reason: "data comes or goes in another way than in the old version", worlds: 0 };
  if (type === "outbound") return await ofContacts(versions, options);
  return type === "webhook" ? await ofDeliveries(versions, options) : await ofCycles(versions, options);
}

function effortOf({ now, time, seeds, signal }: HandOverOptions): Effort {
  return { now, time: now() + time, signal, ...(seeds === undefined ? {} : { seeds }) };
}

function seedsOf({ seeds, seed }: HandOverOptions): Pick<SimulateOptions, "seeds" | "seed"> {
  return { ...(seeds === undefined ? {} : { seeds }), ...(seed === undefined ? {} : { seed }) };
}

async function ofContacts({ app, old, workflow, before }: Versions, options: HandOverOptions) {
  const subject = outboundSubjectOf(app, workflow);
  const first = outboundSubjectOf(old, before);
  const { extent } = await plainRuns(first);
  const trial = new OutboundTrial(
    subject,
    {
      ...seedsOf(options),
      run: (world) => runOutbound(first, world, { subject, after: world.events.length >> 1 }),
    },
    extent,
  );
  return await explore(trial, effortOf(options));
}

async function ofDeliveries(
  { app, old, workflow, before }: Versions,
  options: HandOverOptions,
): Promise<HandOver> {
  const found = await webhookSubjectOf(app, workflow, options.world);
  const first = await webhookSubjectOf(old, before, options.world);
  if ("reason" in found) return { reason: found.reason, worlds: 0 };
  if ("reason" in first) return { reason: first.reason, worlds: 0 };
  const { subject } = found;
  const changes = options.world?.intakes[subject.protocol.intake.name]?.changes;
  const trial = new WebhookTrial(subject, {
    ...seedsOf(options),
    ...(changes === undefined ? {} : { changes }),
    run: (world) => runWebhook(first.subject, world, { subject, after: world.events.length >> 1 }),
  });
  return await explore(trial, effortOf(options));
}

async function ofCycles(
  { app, old, workflow, before }: Versions,
  options: HandOverOptions,
): Promise<HandOver> {
  const { world: file, days } = options;
  const subject = subjectOf(app, workflow, file);
  const first = subjectOf(old, before, file);
  if ("reason" in subject) return { reason: subject.reason, worlds: 0 };
  if ("reason" in first) return { reason: first.reason, worlds: 0 };
  const known = file?.intakes[subject.protocol.intake.name];
  const alone = new WeakMap<WorldLog, readonly WorldLog[]>();
  return await explorePolling(subject, {
    ...effortOf(options),
    ...seedsOf(options),
    ...(days === undefined ? {} : { days }),
    known: settled(known, subject.protocol.order.direction),
    ...(known?.changes === undefined ? {} : { changes: known.changes }),
    ...(known?.burst === undefined ? {} : { burst: known.burst }),
    assumptions: assumptionsTold(known),
    run: async (world) => {
      const log = await runWorld(first, world, { subject, after: halfOf(world) });
      alone.set(log, [await runWorld(first, world), await runWorld(subject, world)]);
      return log;
    },
    laws: [
      nothingAgain(
        ({ world }) => halfOf(world),
        (log) => alone.get(log) ?? [],
      ),
    ],
  });
}

/** The last cycle of the old version. */
function halfOf({ cycles }: World): number {
  return Math.max(1, Math.floor(cycles / 2));
}
