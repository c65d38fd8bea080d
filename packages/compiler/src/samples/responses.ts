import type { Command } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { Sample } from "../options/samples.ts";
import type { Learned } from "./evidence.ts";
import { learnedType } from "./learned-type.ts";
import type { RequestPattern } from "./request-pattern.ts";
import { requestsOfSample } from "./requests.ts";
import { responseOf } from "./response.ts";
import { keptShape } from "./shape.ts";

/** What the samples say of the responses to one `!http`. */
interface LearnedResponse extends Learned {
  readonly pattern: RequestPattern;
  readonly samples: readonly Sample[];
}

const nothing: ReadonlyMap<Command, LearnedResponse> = new Map();

/** What is learned from the samples of a model: only successful responses count, since others fail the command (D21). */
export const learnedResponses: (model: Model) => ReadonlyMap<Command, LearnedResponse> = derived((model) => {
  const samples = model.samples.responses.filter(({ status }) => status >= 200 && status < 300);
  return samples.length === 0 ? nothing : learn(model, samples);
});

function learn(model: Model, samples: readonly Sample[]): Map<Command, LearnedResponse> {
  const owned = new Map<Command, { readonly pattern: RequestPattern; readonly found: Sample[] }>();
  for (const sample of samples)
    for (const { command, pattern } of requestsOfSample(sample, model)) {
      const known = owned.get(command);
      if (known === undefined) owned.set(command, { pattern, found: [sample] });
      else known.found.push(sample);
    }
  const learned = new Map<Command, LearnedResponse>();
  for (const [command, { pattern, found }] of owned) {
    const shape = keptShape(found, ({ body }) => body);
    if (shape === undefined) continue;
    const type = responseOf(learnedType(shape));
    learned.set(command, { pattern, type, shape, samples: found });
  }
  return learned;
}
