import type { Vault } from "@configc/runtime";
import type { Database } from "../postgres/database.ts";
import type { Runs } from "../runs/runs.ts";
import type { PostgresStore } from "../store/index.ts";

/** Whom an act is about: everything that has all that is given. */
export interface Target {
  readonly app?: string;
  readonly customer?: string;
  readonly installation?: string;
  /** What failed in this way at this place. */
  readonly fingerprint?: string;
  readonly item?: string;
}

/** What an act changed, or would change. */
export interface Affected {
  readonly affected: number;
  /** Ids of some of them. */
  readonly examples: readonly string[];
  /** What else there is to know, a sentence. */
  readonly note?: string;
}

/** What acts work with. */
export interface ActContext {
  readonly database: Database;
  readonly store: PostgresStore;
  readonly runs: Runs;
  /** Where the key is given. */
  readonly vault: Vault | undefined;
  readonly now: () => number;
  /** Why it is done, for who meets what it left. */
  readonly why: string;
}

/** Something that operators do, with one or with many. What has been done already is left alone, so it may be done again. */
export interface Act {
  readonly name: string;
  /** What is changed, one and several. */
  readonly of: readonly [one: string, many: string];
  /** Which parts of a target it knows; at least one has to be given. */
  readonly targets: readonly (keyof Target)[];
  /** Says what it would change. */
  plan(context: ActContext, target: Target): Promise<Affected>;
  perform(context: ActContext, target: Target): Promise<Affected>;
}

/** Ids that are told of. */
const EXAMPLES = 5;

/** Counts what was changed. */
export class Tally {
  #affected = 0;
  readonly #examples: string[] = [];

  add(id: string): void {
    this.#affected++;
    if (this.#examples.length < EXAMPLES) this.#examples.push(id);
  }

  result(note?: string): Affected {
    return {
      affected: this.#affected,
      examples: this.#examples,
      ...(note === undefined ? {} : { note }),
    };
  }
}
