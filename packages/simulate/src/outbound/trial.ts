import type { Trial, TriedLaw } from "../explore.ts";
import type { Breach } from "../laws/law.ts";
import { outboundFaultLaws, outboundLaws } from "../laws/outbound/index.ts";
import type { OutboundLaw } from "../laws/outbound/law.ts";
import type { AnyWorld } from "../report.ts";
import { errorBodyOf } from "../service/error-body.ts";
import type { Cure } from "../story/cure.ts";
import { type OutboundLog, runOutbound } from "./run.ts";
import { outboundCure, outboundNeeds, outboundStory } from "./story.ts";
import type { OutboundSubject } from "./subject.ts";
import {
  type OutboundExtent,
  type OutboundWorld,
  plainContact,
  plannedOutboundWorlds,
  randomOutboundWorld,
  smallerOutboundWorlds,
} from "./world.ts";

/** What is tried of an outbound workflow. */
export interface OutboundTrialOptions {
  readonly seeds?: number;
  /** The first of the seeds. Default 1. */
  readonly seed?: number;
  /** Instead of planned and random ones. */
  readonly worlds?: readonly AnyWorld[];
  /** How a world is run; by default with this app from its beginning to its end. */
  readonly run?: (world: OutboundWorld) => Promise<OutboundLog>;
}

/** One contact whom the service doesn't know, one whom it knows, and what follows from them for what is worth trying. */
export async function plainRuns(
  subject: OutboundSubject,
): Promise<{ readonly plain: OutboundLog; readonly known: OutboundLog; readonly extent: OutboundExtent }> {
  const plain = await runOutbound(subject, plainContact);
  const known = await runOutbound(subject, { ...plainContact, known: 1 });
  return {
    plain,
    known,
    extent: {
      requests: Math.max(plain.exchanges.length, known.exchanges.length),
      hasOptionalFields: subject.skipped !== undefined,
      hasErrorBody: subject.answered.some(({ answer }) => errorBodyOf(answer) !== undefined),
    },
  };
}

/** An outbound workflow, in world after world. */
export class OutboundTrial implements Trial<OutboundWorld, OutboundLog> {
  steps = 0;
  requests = 0;
  arrived = 0;
  again = 0;
  readonly #subject: OutboundSubject;
  readonly #options: OutboundTrialOptions;
  readonly #extent: OutboundExtent;

  constructor(subject: OutboundSubject, options: OutboundTrialOptions, extent: OutboundExtent) {
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
    return this.#options.run?.(world) ?? runOutbound(this.#subject, world);
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
