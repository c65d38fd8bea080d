import type { AppNode } from "@configc/compiler";
import type { Json } from "@configc/jq";
import type { Journal } from "./step.ts";

/** A request of a run that came to its answer. */
export interface AnsweredRequest {
  /** JSON Pointer of its command. */
  readonly pointer: string;
  /** Whether it may have changed something. */
  readonly write: boolean;
  /** What the answer says. */
  readonly body: Json;
}

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

  async step({ pointer }: AppNode, write: boolean, work: () => Promise<Json>): Promise<Json> {
    const known = this.#known[this.#answered.length];
    // Another request than then: the config is another one, and nothing of what follows is known.
    if (known?.pointer !== pointer) this.#known = [];
    const body = known?.pointer === pointer ? known.body : await work();
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
    return last < 0 ? undefined : all.slice(0, last + 1);
  }
}
