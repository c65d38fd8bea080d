import { type Trial, type WorldChoice, worldsToTry } from "../explore.ts";
import type { Breach } from "../laws/law.ts";
import { webhookFaultLaws, webhookLaws } from "../laws/webhook/index.ts";
import type { WebhookLaw } from "../laws/webhook/law.ts";
import { errorBodyOf } from "../service/error-body.ts";
import type { Cure } from "../story/cure.ts";
import type { WebhookLog } from "./log.ts";
import { runWebhook } from "./run.ts";
import { webhookCure, webhookNeeds, webhookStory } from "./story.ts";
import type { WebhookSubject } from "./subject.ts";
import type { WebhookEvent, WebhookWorld } from "./world.ts";
import {
  plannedWebhookWorlds,
  randomWebhookWorld,
  smallerWebhookWorlds,
  type WebhookExtent,
} from "./worlds.ts";

/** What is tried of an app with a webhook. */
export interface WebhookTrialOptions extends WorldChoice {
  /** What happens to records; by default all of it. */
  readonly changes?: readonly WebhookEvent["what"][];
  /** How a world is run; by default with this app from its beginning to its end. */
  readonly run?: (world: WebhookWorld) => Promise<WebhookLog>;
  /** Why items can't be judged. */
  readonly pipeline?: string | undefined;
}

/** An app that is called, in world after world. */
export class WebhookTrial implements Trial<WebhookWorld, WebhookLog, WebhookSubject> {
  readonly needs = webhookNeeds;
  readonly smaller = smallerWebhookWorlds;
  readonly story = webhookStory;
  readonly #subject: WebhookSubject;
  readonly #options: WebhookTrialOptions;

  constructor(subject: WebhookSubject, options: WebhookTrialOptions) {
    this.#subject = subject;
    this.#options = options;
  }

  worlds(): Generator<WebhookWorld> {
    const { proof, history, protocol } = this.#subject;
    const extent: WebhookExtent = {
      hasHistory: history !== undefined,
      isProved: proof !== undefined,
      // A signature in the body covers what the service says that it covers: never itself.
      isSigned: proof?.kind === "signature" && proof.body === undefined,
      hasErrorBody: protocol.answered.some(({ answer }) => errorBodyOf(answer) !== undefined),
      changes: this.#options.changes ?? ["create", "update", "delete"],
    };
    return worldsToTry("webhook", this.#options, plannedWebhookWorlds(extent), (seed) =>
      randomWebhookWorld(seed, extent),
    );
  }

  run(world: WebhookWorld): Promise<WebhookLog> {
    return this.#options.run?.(world) ?? runWebhook(this.#subject, world);
  }

  laws({ faults }: WebhookWorld): readonly WebhookLaw[] {
    return faults.length > 0 ? webhookFaultLaws : webhookLaws;
  }

  cost({ exchanges, kept }: WebhookLog): number {
    return exchanges.length + kept.length;
  }

  cure(law: string, log: WebhookLog, breach: Breach): Cure {
    return webhookCure(law, log, breach, this.#subject.protocol);
  }

  sums({ steps, exchanges, kept }: WebhookLog) {
    const settled = new Map<string, string>();
    for (const { id, status, text, installation, origin } of kept)
      if (status === "delivered" || status === "skipped" || status === "failed")
        settled.set(id, `${installation} ${origin} ${text}`);
    return {
      cycles: steps.length,
      requests: exchanges.length,
      arrived: settled.size,
      again: settled.size - new Set(settled.values()).size,
    };
  }

  async breach(law: WebhookLaw, log: WebhookLog): Promise<Breach | undefined> {
    const breach = law.broken(log, this.#subject);
    if (breach === undefined) return undefined;
    // Where it fails in the plainest world already, it is unknown on what.
    if (law.name === "runs-succeed" && this.#options.pipeline !== undefined && breach.records.length > 0)
      return undefined;
    if (log.world.faults.length === 0) return breach;
    // What breaks without the fault too isn't its doing.
    const calm = await this.run({ ...log.world, faults: [] });
    return webhookLaws.some((each) => each.broken(calm, this.#subject) !== undefined) ? undefined : breach;
  }
}
