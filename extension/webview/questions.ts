import type { FromPanel, Question, ToPanel } from "../src/messages.ts";

type Answer = Extract<ToPanel, { kind: "answer" }>;

/** What the panel asks the editor about the values of a run. */
export class Questions {
  readonly #post: (message: FromPanel) => void;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #last = 0;

  constructor(post: (message: FromPanel) => void) {
    this.#post = post;
  }

  /** @throws Error for people: where it isn't kept, or was cancelled by another question of its kind */
  ask<Result>(question: Question): Promise<Result> {
    const id = ++this.#last;
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#post({ kind: "ask", id, ...question });
    });
  }

  answered({ id, value, error }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }
}
