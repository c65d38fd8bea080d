/** A service that doesn't answer, as all workers of a fleet know it (E39). */
export interface Circuit {
  readonly app: string;
  readonly origin: string;
  /** It is the origin of the app's own API, of all its customers. */
  readonly own: boolean;
  /** How often in a row it was opened. */
  readonly opened: number;
  /** Nothing is sent before, in milliseconds since 1970; from then on one job at a time tries it. */
  readonly until: number;
  /** When the last one was let through that tries it. */
  readonly probed?: number;
}

/** Where several processes tell one another of it. What can't be told is found out by each for itself. */
export interface SharedCircuits {
  read(): Promise<readonly Circuit[]>;
  put(circuit: Circuit): Promise<void>;
  delete(app: string, origin: string): Promise<void>;
}

/** How a request ended: with an answer, with none, or with one that says that the service is overloaded or down. */
export type Outcome = "answered" | "silent" | "refused";

/** A service is taken for down after so many points without an answer in between. */
const POINTS = 5;
const pointsOf = { silent: 2, refused: 1 } as const;

/** Milliseconds for which it is left alone the first time; each further one doubles it, up to the longest. */
const FIRST = 5_000;
const LONGEST = 60_000;
/** Milliseconds in which a job that tries it should have come to an end. */
const PROBE = 45_000;
/** Milliseconds between two looks at what others tell. */
const READ = 1_000;

interface CircuitsOptions {
  readonly now: () => number;
  /** 0 ≤ x < 1 */
  readonly random: () => number;
  readonly shared?: SharedCircuits;
}

/**
 * Which services are left alone because they don't answer, by app and origin (E39). Each answer, whatever it says but that the service can't do it
 * now, ends that.
 */
export class Circuits {
  readonly #options: CircuitsOptions;
  readonly #points = new Map<string, number>();
  #open = new Map<string, Circuit>();
  readonly #reading: NodeJS.Timeout | undefined;

  constructor(options: CircuitsOptions) {
    this.#options = options;
    if (options.shared === undefined) return;
    void this.#read();
    this.#reading = setInterval(() => void this.#read(), READ).unref();
  }

  /** @returns until when nothing is sent there, in milliseconds since 1970; undefined: it may be */
  openUntil(app: string, origin: string): number | undefined {
    const circuit = this.#open.get(idOf(app, origin));
    return circuit !== undefined && circuit.until > this.#options.now() ? circuit.until : undefined;
  }

  /** Whether jobs of an app may be begun: all, none, or one that tries its service. */
  stateOf(app: string): "closed" | "open" | "probe" {
    const now = this.#options.now();
    for (const { app: one, own, until, probed = 0 } of this.#open.values())
      if (one === app && own) return until <= now && probed <= now - PROBE ? "probe" : "open";
    return "closed";
  }

  /** A job was begun that tries the app's service. */
  probed(app: string): void {
    for (const circuit of this.#open.values())
      if (circuit.app === app && circuit.own) this.#put({ ...circuit, probed: this.#options.now() });
  }

  ended(app: string, origin: string, own: boolean, outcome: Outcome): void {
    const id = idOf(app, origin);
    const circuit = this.#open.get(id);
    if (outcome === "answered") {
      this.#points.delete(id);
      if (circuit !== undefined) this.#close(circuit);
      return;
    }
    const { now, random } = this.#options;
    // Of what was under way when it was opened nothing more is learnt.
    if (circuit !== undefined && circuit.until > now()) return;
    const points = (this.#points.get(id) ?? 0) + pointsOf[outcome];
    this.#points.set(id, points);
    if (circuit === undefined && points < POINTS) return;
    const opened = (circuit?.opened ?? 0) + 1;
    const wait = Math.min(LONGEST, FIRST * 2 ** (opened - 1)) * (0.75 + random() / 2);
    this.#put({ app, origin, own, opened, until: now() + wait });
  }

  /** Has all services of an app tried now. */
  retry(app: string): void {
    for (const circuit of this.#open.values()) if (circuit.app === app) this.#close(circuit);
    for (const id of this.#points.keys()) if (id.startsWith(`${app}\n`)) this.#points.delete(id);
  }

  close(): void {
    clearInterval(this.#reading);
  }

  #put(circuit: Circuit): void {
    this.#open.set(idOf(circuit.app, circuit.origin), circuit);
    this.#options.shared?.put(circuit).catch(() => undefined);
  }

  #close({ app, origin }: Circuit): void {
    this.#open.delete(idOf(app, origin));
    this.#points.delete(idOf(app, origin));
    this.#options.shared?.delete(app, origin).catch(() => undefined);
  }

  async #read(): Promise<void> {
    try {
      const circuits = (await this.#options.shared?.read()) ?? [];
      this.#open = new Map(circuits.map((one) => [idOf(one.app, one.origin), one]));
    } catch {
      // The database is away: what was known counts.
    }
  }
}

function idOf(app: string, origin: string): string {
  return `${app}\n${origin}`;
}
