/** The jobs that are being done in this process, by queue and share. */
export class Working {
  readonly #queues = new Map<string, Map<string, number>>();

  add(queue: string, share: string, jobs: 1 | -1): void {
    const shares = this.#queues.get(queue) ?? new Map<string, number>();
    this.#queues.set(queue, shares);
    const now = (shares.get(share) ?? 0) + jobs;
    if (now > 0) shares.set(share, now);
    else shares.delete(share);
  }

  /** How many there are of a queue. */
  of(queue: string): number {
    return [...(this.#queues.get(queue)?.values() ?? [])].reduce((sum, jobs) => sum + jobs, 0);
  }

  /** How many the share has that has most. */
  most(queue: string): number {
    return Math.max(0, ...(this.#queues.get(queue)?.values() ?? []));
  }
}
