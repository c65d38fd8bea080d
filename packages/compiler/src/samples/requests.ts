import type { Command } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { Sample } from "../options/samples.ts";
import { matchSample } from "./match.ts";
import { type RequestPattern, requestPattern } from "./request-pattern.ts";

/** An `!http` whose text says what it asks for. */
interface PatternedRequest {
  readonly command: Command;
  readonly pattern: RequestPattern;
}

/** The requests of a model that samples and documents can be told by. */
export const requestsOf: (model: Model) => readonly PatternedRequest[] = derived((model) =>
  model.commands.flatMap((command) => {
    const pattern = command.key === "!http" ? requestPattern(command, model) : undefined;
    return pattern === undefined ? [] : [{ command, pattern }];
  }),
);

/** The requests that a sample belongs to: those whose path says most of it; none if the config doesn't ask for it. */
export function requestsOfSample(sample: Sample, model: Model): readonly PatternedRequest[] {
  let best = -1;
  let owners: PatternedRequest[] = [];
  for (const request of requestsOf(model)) {
    const fixed = matchSample(request.pattern, sample, model);
    if (fixed === undefined || fixed < best) continue;
    if (fixed > best) owners = [];
    best = fixed;
    owners.push(request);
  }
  return owners;
}
