import { bundled } from "../support/bundled.ts";
import type { Target } from "./announce.ts";
import { type Kill, type Life, live } from "./life.ts";
import { type Phase, phases } from "./phases.ts";

/** Kills in one life of a service, before it may finish. */
const KILLS = 4;

export interface CrashOptions {
  /** Processes that are ended. */
  readonly points: number;
  readonly seed: number;
  /** How many the third party has: the amount of work. */
  readonly people?: number;
  readonly contacts?: number;
  readonly progress?: (points: number) => void;
}

export interface CrashReport {
  readonly kills: readonly Kill[];
  readonly reconnected: number;
  readonly orphans: readonly string[];
  /** Where a state was wrong, with the number of its life. */
  readonly problems: readonly string[];
}

/**
 * Ends a service at points of each phase in turn while it renews tokens, registers, changes and removes webhooks, polls, imports history and
 * takes deliveries and contacts, starts it again, and in the end compares what its target has got with what the third party has (design.md,
 * "State").
 */
export async function crash({
  points,
  seed,
  people = 120,
  contacts = 4,
  progress,
}: CrashOptions): Promise<CrashReport> {
  const bundle = bundled("test/crash/crash-worker.ts");
  const random = randomOf(seed);
  // The first life isn't ended: it tells how much there is to aim at.
  const first = await live({ bundle, targets: [], people, contacts });
  const lives: Life[] = [first];
  const queue = Array.from({ length: points }, (_, index): Target => {
    const phase = phases[index % phases.length]!;
    return { phase, nth: 1 + Math.floor(random() * (first.counts[phase] ?? 1)) };
  });
  for (let done = 0; done < points; ) {
    if (lives.length > points + phases.length)
      throw new Error(`No process comes to ${JSON.stringify(queue)}.`);
    const targets = queue.splice(0, KILLS).sort((one, other) => order(one.phase) - order(other.phase));
    const life = await live({ bundle, targets, people, contacts });
    lives.push(life);
    // Later processes of a life have less to do: the point was one that they no longer came to.
    queue.unshift(...life.missed.map(({ phase, nth }) => ({ phase, nth: Math.max(1, nth >> 1) })));
    done += life.kills.length;
    progress?.(done);
  }
  return {
    kills: lives.flatMap(({ kills }) => kills),
    reconnected: lives.reduce((sum, { reconnected }) => sum + reconnected, 0),
    orphans: lives.flatMap(({ orphans }) => orphans),
    problems: lives.flatMap(({ problems, kills }, life) =>
      problems.map((problem) => `life ${life} (${kills.map(nameOf).join(", ")}): ${problem}`),
    ),
  };
}

function nameOf({ phase, point }: Kill): string {
  return `${phase} ${point}`;
}

function order(phase: Phase): number {
  return phases.indexOf(phase);
}

/** Mulberry32: the same points for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
