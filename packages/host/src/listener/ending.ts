const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/**
 * When a process is to end: at the first SIGTERM or SIGINT, from the moment at which this is made. The first process of a container has no
 * other way: without a handler signals pass it by.
 */
export class Ending {
  /** What the process is to exit with; undefined: it goes on. */
  status: number | undefined;
  readonly ended: Promise<number>;
  #resolve = (_status: number): void => undefined;
  #tell: ((signal: string) => void) | undefined;
  #signal: string | undefined;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    for (const signal of SIGNALS) process.on(signal, this.#heard);
  }

  /** Has somebody told of the signal, also of one that came before. */
  told(tell: (signal: string) => void): void {
    this.#tell = tell;
    if (this.#signal !== undefined) tell(this.#signal);
  }

  end(status: number): void {
    this.status ??= status;
    this.#resolve(this.status);
  }

  close(): void {
    for (const signal of SIGNALS) process.off(signal, this.#heard);
  }

  readonly #heard = (signal: string): void => {
    // Whoever asks twice doesn't want to wait.
    if (this.#signal !== undefined) process.exit(1);
    this.#signal = signal;
    this.#tell?.(signal);
    this.end(0);
  };
}
