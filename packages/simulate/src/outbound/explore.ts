import type { App, AppWorkflow } from "@configc/compiler";
import type { CoverageOf } from "../coverage/coverage.ts";
import { type Effort, explore, type Trial, type TriedLaw } from "../explore.ts";
import type { Breach } from "../laws/law.ts";
import { outboundFaultLaws, outboundLaws } from "../laws/outbound/index.ts";
import type { OutboundLaw } from "../laws/outbound/law.ts";
import type { Untried } from "../protocol/protocol.ts";
import type { AnyWorld, PartReport } from "../report.ts";
import { errorBodyOf } from "../service/error-body.ts";
import type { Cure } from "../story/cure.ts";
import { type OutboundLog, runOutbound } from "./run.ts";
import { outboundCure, outboundNeeds, outboundRoles, outboundStory } from "./story.ts";
import { type OutboundSubject, outboundSubjectOf } from "./subject.ts";
import {
  type OutboundExtent,
  type OutboundWorld,
  plainContact,
  plannedOutboundWorlds,
  randomOutboundWorld,
  smallerOutboundWorlds,
} from "./world.ts";

/** How an outbound workflow is tried. */
export interface OutboundOptions extends Effort {
  /** The first of the seeds. Default 1. */
  readonly seed?: number;
  /** Instead of planned and random ones. */
  readonly worlds?: readonly AnyWorld[];
  readonly coverage?: CoverageOf;
}

/** Tries an outbound workflow, and tells what was found. */
export async function exploreOutbound(
  app: App,
  workflow: AppWorkflow,
  options: OutboundOptions,
): Promise<PartReport | Untried> {
  const derived = outboundSubjectOf(app, workflow);
  const { coverage } = options;
  const subject: OutboundSubject = coverage === undefined ? derived : { ...derived, coverage };
  if (subject.answered.length === 0) return { reason: "no request of the pipeline is known" };
  // One whom the service doesn't know, and one whom it knows: where both fail, the derivation is more likely wrong than the app.
  const plain = await runOutbound(subject, plainContact);
  const known = await runOutbound(subject, { ...plainContact, known: 1 });
  const failures = [plain, known].map(({ steps }) =>
    steps.find(({ failure }) => failure !== undefined && !failure.isApps),
  );
  if (failures.every((failure) => failure !== undefined))
    return {
      reason: `the service that was derived doesn't fit the app. Where nothing is special, the pipeline fails: ${failures[0]!.failure!.message}`,
    };
  const trial = new OutboundTrial(subject, options, {
    requests: Math.max(plain.exchanges.length, known.exchanges.length),
    hasOptionalFields: subject.skipped !== undefined,
    hasErrorBody: subject.answered.some(({ answer }) => errorBodyOf(answer) !== undefined),
  });
  const explored = await explore(trial, options);
  const laws = new Map([...outboundLaws, ...outboundFaultLaws].map((law) => [law.name, law]));
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
      ...(trial.again > 0
        ? [
            "whether the service knows again what it is sent twice, where an answer got lost and the app sends no key",
          ]
        : []),
    ],
    worlds: explored.worlds,
    cycles: trial.steps,
    requests: trial.requests,
    arrived: trial.arrived,
    again: trial.again,
    hypotheses: explored.hypotheses,
    laws: [...laws.values()].map(({ name, summary }) => ({
      name,
      summary,
      isBroken: explored.failures.some(({ law }) => law === name),
    })),
    failures: explored.failures,
  };
}

/** An outbound workflow, in world after world. */
class OutboundTrial implements Trial<OutboundWorld, OutboundLog> {
  steps = 0;
  requests = 0;
  arrived = 0;
  again = 0;
  readonly #subject: OutboundSubject;
  readonly #options: Pick<OutboundOptions, "seed" | "seeds" | "worlds">;
  readonly #extent: OutboundExtent;

  constructor(
    subject: OutboundSubject,
    options: Pick<OutboundOptions, "seed" | "seeds" | "worlds">,
    extent: OutboundExtent,
  ) {
    this.#subject = subject;
    this.#options = options;
    this.#extent = extent;
  }

  *worlds(): Generator<OutboundWorld> {
    const { worlds, seeds = Number.POSITIVE_INFINITY, seed = 1 } = this.#options;
    if (worlds !== undefined) {
      for (const world of worlds) if (world.kind === "outbound") yield world;
      return;
    }
    yield* plannedOutboundWorlds(this.#extent);
    for (let index = 0; index < seeds; index++) yield randomOutboundWorld(seed + index, this.#extent);
  }

  run(world: OutboundWorld): Promise<OutboundLog> {
    return runOutbound(this.#subject, world);
  }

  laws({ faults }: OutboundWorld): readonly TriedLaw<OutboundLog>[] {
    return (faults.length > 0 ? outboundFaultLaws : outboundLaws).map((law) => ({
      name: law.name,
      breach: (log) => this.#breach(law, log),
    }));
  }

  needs(log: OutboundLog): readonly string[] {
    return outboundNeeds(log);
  }

  smaller(world: OutboundWorld): Iterable<OutboundWorld> {
    return smallerOutboundWorlds(world);
  }

  cost({ exchanges, steps }: OutboundLog): number {
    return exchanges.length + steps.length;
  }

  story(log: OutboundLog, breach: Breach): readonly string[] {
    return outboundStory(log, breach);
  }

  cure(law: string, log: OutboundLog, breach: Breach): Cure {
    return outboundCure(law, log, breach, this.#subject);
  }

  count({ steps, exchanges, deeds }: OutboundLog): void {
    this.steps += steps.length;
    this.requests += exchanges.length;
    const posts = deeds.filter(({ method }) => method === "POST");
    this.arrived += deeds.length;
    this.again +=
      posts.length - new Set(posts.map(({ step, pointer, url }) => `${step} ${pointer} ${url}`)).size;
  }

  async #breach(law: OutboundLaw, log: OutboundLog): Promise<Breach | undefined> {
    const { faults } = log.world;
    const calm = faults.length === 0 ? log : await this.run({ ...log.world, faults: [] });
    const breach = law.broken(log, { ...this.#subject, calm });
    if (breach === undefined || faults.length === 0) return breach;
    // What breaks without the fault too isn't its doing.
    return outboundLaws.some((each) => each.broken(calm, { ...this.#subject, calm }) !== undefined)
      ? undefined
      : breach;
  }
}
