import type { App, AppWorkflow, WorldFile } from "@configc/compiler";
import { CoverageOf } from "./coverage/coverage.ts";
import { fit, withVariants } from "./fit.ts";
import { exploreOutbound } from "./outbound/explore.ts";
import { explorePolling } from "./polling/explore.ts";
import type { Untried } from "./protocol/protocol.ts";
import type { AnyWorld, PartKind, PartReport, Report } from "./report.ts";
import { exploreSetup } from "./setup/explore.ts";
import { subjectOf } from "./subject.ts";
import { exploreWebhook } from "./webhook/explore.ts";
import { assumptionsTold, settled, settledByProtocol } from "./world/world-file.ts";

/** How an app is simulated. */
export interface SimulateOptions {
  /** Names of workflows and intakes; by default all. */
  readonly only?: readonly string[];
  /** What is known of the service (D50). */
  readonly world?: WorldFile;
  /** Random worlds for each workflow, after the planned ones. Default: as many as there is time for. */
  readonly seeds?: number;
  /** The first seed. Default 1. */
  readonly seed?: number;
  /** Days of the longest world. Default 7. */
  readonly days?: number;
  /** Worlds to try instead of planned and random ones: `world` of an earlier `Failure`, or `readWorld`. */
  readonly worlds?: readonly AnyWorld[];
  /** Milliseconds for all of it; it counts only without `seeds`. Default 10,000. */
  readonly time?: number;
  /** A clock in milliseconds, for `time`: the processor's time is fairer than that of a wall. Default: `Date.now`. */
  readonly now?: () => number;
  readonly signal?: AbortSignal;
  /** Is told after each world. */
  readonly onProgress?: (progress: Progress) => void;
}

/** How far a simulation is. */
export interface Progress {
  readonly workflow: string;
  /** Of that workflow, until now. */
  readonly worlds: number;
  readonly failures: number;
}

/**
 * Runs an app against a service that is derived from it, in many small worlds, and tells the smallest one in which each law is broken.
 * No network is used, and with `seeds` the same report comes out on every machine.
 *
 * @param app from `compile` of `@configc/compiler`; with `withKnown` what documents and samples say of the service counts too
 * @returns what was found; what couldn't be tried says why
 */
export async function simulate(app: App, options: SimulateOptions = {}): Promise<Report> {
  const {
    only = [],
    now = Date.now,
    time = 10_000,
    world,
    seeds,
    seed,
    days,
    worlds,
    signal,
    onProgress,
  } = options;
  const chosen = app.workflows.filter(({ name, intake, historicalIntake }) => {
    const names = [
      name,
      ...[intake, historicalIntake].map((index) =>
        index === undefined ? undefined : app.intakes[index]?.name,
      ),
    ];
    return only.length === 0 || only.some((each) => names.includes(each));
  });
  const began = now();
  const parts: PartReport[] = [];
  const setups: PartReport[] = [];
  const coverage = new CoverageOf(
    app,
    only.length === 0 ? undefined : chosen.flatMap((each) => pointersOf(app, each)),
  );
  for (const [index, workflow] of chosen.entries()) {
    const effort = {
      // What one workflow leaves of its share, the later ones have.
      time: began + (time * (index + 1)) / chosen.length,
      now,
      ...(seeds === undefined ? {} : { seeds }),
      ...(seed === undefined ? {} : { seed }),
      ...(worlds === undefined ? {} : { worlds, seeds: 0 }),
      signal,
      onWorld: (worlds: number, failures: number) =>
        onProgress?.({ workflow: workflow.name, worlds, failures }),
    };
    const setup = await exploreSetup(app, workflow, { ...effort, coverage });
    if (setup !== undefined) setups.push("reason" in setup ? untried("setup", workflow.name, setup) : setup);
    if (app.intakes[workflow.intake ?? -1]?.type === "webhook") {
      const known = world?.intakes[app.intakes[workflow.intake!]!.name];
      const report = await exploreWebhook(app, workflow, {
        ...effort,
        coverage,
        world,
        known,
        assumptions: assumptionsTold(known),
      });
      parts.push("reason" in report ? untried("webhook", workflow.name, report) : report);
      if (workflow.historicalIntake === undefined) continue;
    }
    if (workflow.direction === "outbound") {
      const report = await exploreOutbound(app, workflow, { ...effort, coverage });
      parts.push("reason" in report ? untried("outbound", workflow.name, report) : report);
      continue;
    }
    const subject = subjectOf(app, workflow, world);
    if ("reason" in subject) {
      parts.push(untried(kindOf(app, workflow), workflow.name, subject));
      continue;
    }
    const fitted = await fit(subject);
    if ("reason" in fitted) {
      parts.push(untried(kindOf(app, workflow), workflow.name, fitted));
      continue;
    }
    const { protocol } = fitted.subject;
    const { subject: varied, notTried } =
      fitted.stuck === undefined
        ? await withVariants(fitted.subject, world)
        : { subject: fitted.subject, notTried: [] };
    const known = world?.intakes[protocol.intake.name];
    parts.push(
      await explorePolling(
        { ...varied, coverage },
        {
          pipeline: fitted.pipeline,
          ...effort,
          notTried,
          ...(days === undefined ? {} : { days }),
          ...(fitted.stuck === undefined ? {} : { worlds: [fitted.stuck], isStuck: true }),
          known: { ...settledByProtocol(protocol), ...settled(known, protocol.order.direction) },
          ...(known?.changes === undefined ? {} : { changes: known.changes }),
          ...(known?.records === undefined ? {} : { records: known.records }),
          ...(known?.burst === undefined ? {} : { burst: known.burst }),
          assumptions: assumptionsTold(known),
        },
      ),
    );
    if (signal?.aborted === true) break;
  }
  return { version: 1, parts: [...parts, ...setups], coverage: coverage.result() };
}

/** Where the commands of a workflow and its intakes are. */
function pointersOf({ intakes }: App, { pointer, intake, historicalIntake }: AppWorkflow): readonly string[] {
  return [pointer, ...[intake, historicalIntake].flatMap((index) => intakes[index ?? -1]?.pointer ?? [])];
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
