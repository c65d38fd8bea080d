import type { AppNode } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "./errors.ts";
import type { AnsweredRequest, Journal } from "./journal.ts";
import { jsonText } from "./json.ts";

/** Characters of all answers that are kept of one item. */
const MOST_KEPT = 1024 * 1024;

/**
 * The requests of an item's pipeline in their order. A pipeline that the surroundings ended in its middle is run again from its
 * beginning, and what it had changed by then must not be changed twice (E20): requests up to the last such one get the answers that
 * they got. Commands are deterministic between their effects, so it comes to the same place with them.
 */
export class AnsweredRequests implements Journal {
  #known: readonly AnsweredRequest[];
  readonly #answered: AnsweredRequest[] = [];

  constructor(known: readonly AnsweredRequest[] = []) {
    this.#known = known;
  }

  /** @throws RunError `DataError` where an earlier try changed something, and nobody knows what was answered */
  async step(place: AppNode, write: boolean, work: () => Promise<Json>): Promise<Json> {
    const { pointer } = place;
    const next = this.#known[this.#answered.length];
    const known = next?.pointer === pointer ? next : undefined;
    // Another request than then: the config is another one, and nothing of what follows is known.
    if (known === undefined) this.#known = [];
    else if (known.write && known.body === undefined)
      throw new RunError(
        "DataError",
        "An earlier try has sent this request, and its answer was too large to keep. Sent again, it would change the same twice. Retry the item to run its whole pipeline.",
        place,
      );
    const body = known?.body === undefined ? await work() : known.body;
    this.#answered.push({ pointer, write, body });
    return body;
  }

  /** The answers that it has for requests to come. */
  get ahead(): readonly AnsweredRequest[] {
    return this.#known.slice(this.#answered.length);
  }

  /** What the next try has to know; undefined if nothing was changed, for then it reads anew. */
  get changes(): readonly AnsweredRequest[] | undefined {
    const all = [...this.#answered, ...this.ahead];
    const last = all.findLastIndex(({ write }) => write);
    return last < 0 ? undefined : bounded(all.slice(0, last + 1));
  }
}

/** Leaves out answers that are too large together: first those that can be asked anew. */
function bounded(requests: readonly AnsweredRequest[]): readonly AnsweredRequest[] {
  let left = MOST_KEPT;
  const kept = new Set<AnsweredRequest>();
  for (const write of [true, false])
    for (const request of requests) {
      if (request.write !== write || request.body === undefined) continue;
      const size = jsonText(request.body).length;
      if (size > left) continue;
      left -= size;
      kept.add(request);
    }
  return requests.map((request) =>
    kept.has(request) ? request : { pointer: request.pointer, write: request.write },
  );
}
