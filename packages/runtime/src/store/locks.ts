import { abortable } from "../abort.ts";

/** Lines of work by key, within one process: first come, first served. */
export class Locks {
  /** Of each key, when its line will have ended; a line of one has promised that to nobody. */
  readonly #lines = new Map<string, Line>();

  /**
   * @param signal ends the waiting, not the work
   * @throws the signal's reason, or what the work throws
   */
  async run<R>(key: string, work: () => Promise<R>, signal?: AbortSignal): Promise<R> {
    const before = this.#lines.get(key);
    const own = new Line(before?.ended());
    this.#lines.set(key, own);
    try {
      const { before: others } = own;
      if (others !== undefined) await (signal === undefined ? others : abortable(others, signal));
      signal?.throwIfAborted();
      return await work();
    } finally {
      own.end();
      if (this.#lines.get(key) === own) this.#lines.delete(key);
    }
  }

  /** Resolves when all that was begun before has ended. */
  async idle(): Promise<void> {
    await Promise.all([...this.#lines.values()].map((line) => line.ended()));
  }
}

/** A place in a line, with those before it. */
class Line {
  readonly before: Promise<void> | undefined;
  #ended: Promise<void> | undefined;
  #release: (() => void) | undefined;

  constructor(before: Promise<void> | undefined) {
    this.before = before;
  }

  /** Who gives up waiting doesn't let the next one pass those before. */
  ended(): Promise<void> {
    this.#ended ??= this.#whenEnded();
    return this.#ended;
  }

  async #whenEnded(): Promise<void> {
    await Promise.all([
      this.before,
      new Promise<void>((resolve) => {
        this.#release = resolve;
      }),
    ]);
  }

  end(): void {
    this.#release?.();
  }
}
