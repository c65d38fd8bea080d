import { type Trial, type TriedLaw, type WorldChoice, worldsToTry } from "../explore.ts";
import type { Breach } from "../laws/law.ts";
import { outboundFaultLaws, outboundLaws } from "../laws/outbound/index.ts";
import type { OutboundLaw } from "../laws/outbound/law.ts";
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
export interface OutboundTrialOptions extends WorldChoice {
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
  readonly needs = outboundNeeds;
  readonly smaller = smallerOutboundWorlds;
  readonly story = outboundStory;
  readonly #subject: OutboundSubject;
  readonly #options: OutboundTrialOptions;
  readonly #extent: OutboundExtent;

  constructor(subject: OutboundSubject, options: OutboundTrialOptions, extent: OutboundExtent) {
    this.#subject = subject;
    this.#options = options;
    this.#extent = extent;
  }

  worlds(): Generator<OutboundWorld> {
    return worldsToTry("outbound", this.#options, plannedOutboundWorlds(this.#extent), (seed) =>
      randomOutboundWorld(seed, this.#extent),
    );
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

  cost({ exchanges, steps }: OutboundLog): number {
    return exchanges.length + steps.length;
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
