import { groupBy } from "@configc/jq/internal";
import type { IntakeSymbol } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { PayloadSample } from "../options/samples.ts";
import type { Learned } from "./evidence.ts";
import { learnedType } from "./learned-type.ts";
import { keptShape } from "./shape.ts";

/** What the samples say of the payloads of one webhook intake. */
interface LearnedPayload extends Learned {
  readonly samples: readonly PayloadSample[];
}

const nothing: ReadonlyMap<IntakeSymbol, LearnedPayload> = new Map();

/**
 * What is learned of the webhooks of a model, by intake: a sample belongs to the one of its name. The body of a delivery is the
 * payload, an array as a whole (D31).
 */
export const learnedPayloads: (model: Model) => ReadonlyMap<IntakeSymbol, LearnedPayload> = derived(
  (model) => {
    const { payloads } = model.samples;
    if (payloads.length === 0) return nothing;
    const byName = groupBy(payloads, ({ webhook }) => webhook);
    const learned = new Map<IntakeSymbol, LearnedPayload>();
    for (const intake of model.intakes) {
      if (intake.type !== "webhook" || intake.name === undefined) continue;
      const samples = byName.get(intake.name) ?? [];
      const shape = keptShape(samples, ({ payload }) => payload);
      if (shape !== undefined) learned.set(intake, { type: learnedType(shape), shape, samples });
    }
    return learned;
  },
);
