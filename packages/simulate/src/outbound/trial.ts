import { type Trial, type WorldChoice, worldsToTry } from "../explore.ts";
import type { Breach } from "../laws/law.ts";
import { outboundFaultLaws, outboundLaws } from "../laws/outbound/index.ts";
import type { OutboundContext, OutboundLaw } from "../laws/outbound/law.ts";
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
export class OutboundTrial implements Trial<OutboundWorld, OutboundLog, OutboundContext> {
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

  laws({ faults }: OutboundWorld): readonly OutboundLaw[] {
    return faults.length > 0 ? outboundFaultLaws : outboundLaws;
  }

  cost({ exchanges, steps }: OutboundLog): number {
    return exchanges.length + steps.length;
  }

  cure(law: string, log: OutboundLog, breach: Breach): Cure {
    return outboundCure(law, log, breach, this.#subject);
  }

  sums({ steps, exchanges, deeds }: OutboundLog) {
    const posts = deeds.filter(({ method }) => method === "POST");
    const writes = new Set(posts.map(({ step, pointer, url }) => `${step} ${pointer} ${url}`));
    return {
      cycles: steps.length,
      requests: exchanges.length,
      arrived: deeds.length,
      again: posts.length - writes.size,
    };
  }

  async breach(law: OutboundLaw, log: OutboundLog): Promise<Breach | undefined> {
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
