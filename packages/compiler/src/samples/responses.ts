import { derived } from "../bind/derived.ts";
import type { Command, Model } from "../bind/model.ts";
import type { Learned } from "./evidence.ts";
import { learnedType } from "./learned-type.ts";
import { matchSample } from "./match.ts";
import { type RequestPattern, requestPattern } from "./request-pattern.ts";
import { responseOf } from "./response.ts";
import type { Sample } from "./samples.ts";
import { keptShape } from "./shape.ts";

/** What the samples say of the responses to one `!http`. */
export interface LearnedResponse extends Learned {
  readonly command: Command;
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
  const learned = new Map<Command, LearnedResponse>();
  for (const [command, { pattern, found }] of assigned(model, samples)) {
    const shape = keptShape(found, ({ body }) => body);
    if (shape === undefined) continue;
    const type = responseOf(learnedType(shape));
    learned.set(command, { command, pattern, type, shape, samples: found });
  }
  return learned;
}

/** The samples of each `!http`: each belongs to those whose path says most of it. */
function assigned(
  model: Model,
  samples: readonly Sample[],
): Map<Command, { readonly pattern: RequestPattern; readonly found: Sample[] }> {
  const requests = model.commands.flatMap((command) => {
    const pattern = command.key === "!http" ? requestPattern(command, model) : undefined;
    return pattern === undefined ? [] : [{ command, pattern, found: [] as Sample[] }];
  });
  for (const sample of samples) {
    let best = -1;
    let owners: typeof requests = [];
    for (const request of requests) {
      const fixed = matchSample(request.pattern, sample, model);
      if (fixed === undefined || fixed < best) continue;
      if (fixed > best) owners = [];
      best = fixed;
      owners.push(request);
    }
    for (const { found } of owners) found.push(sample);
  }
  return new Map(
    requests.flatMap((request) => (request.found.length === 0 ? [] : [[request.command, request] as const])),
  );
}
