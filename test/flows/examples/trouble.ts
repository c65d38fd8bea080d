import { expect } from "vitest";
import { cutShort, type Fault, half, late, status, truncated } from "../../api/faults.ts";
import type { Exchange } from "../../api/request.ts";
import type { ThirdParty, ThirdPartyServer } from "../../api/third-party.ts";

interface Kind {
  readonly name: string;
  readonly fault: Fault;
  /** The service has done what it was asked for. */
  readonly done: boolean;
}

const kinds: readonly Kind[] = [
  { name: "429", done: false, fault: status(429, '{"error": "slow_down"}', { "retry-after": "2" }) },
  {
    name: "502",
    done: false,
    fault: status(502, "<html>Bad gateway</html>", { "content-type": "text/html" }),
  },
  { name: "cut off", done: false, fault: truncated },
  { name: "cut off, but done", done: true, fault: cutShort },
  { name: "half an answer", done: true, fault: half },
  { name: "late", done: true, fault: late(60) },
];

/** Requests from one that fails to the next, at most. */
const LONGEST_GAP = 9;

/** Requests that can't be done twice, and the others, each with troubles of their own. */
interface Line {
  readonly kinds: readonly Kind[];
  /** What is still to come before each kind has come equally often. */
  readonly deck: Kind[];
  /** Requests until the next one fails. */
  gap: number;
}

/** Has requests fail at random; the same ones each time for a seed. */
export class Trouble {
  readonly isOn: boolean;
  readonly #random: () => number;
  readonly #met = new Set<string>();
  readonly #often: Line;
  readonly #once: Line;

  constructor(server: ThirdPartyServer<ThirdParty>, seed: number | undefined) {
    this.isOn = seed !== undefined;
    this.#random = generator(seed ?? 0);
    this.#often = { kinds, deck: [], gap: this.#below(LONGEST_GAP) };
    this.#once = { kinds: kinds.filter(({ done }) => !done), deck: [], gap: this.#below(LONGEST_GAP) };
    if (!this.isOn) return;
    let next: Fault = truncated;
    const strikes = (_: string, { method, path }: Exchange): boolean => {
      const line = server.party.once.test(`${method} ${path}`) ? this.#once : this.#often;
      if (line.gap-- > 0) return false;
      line.gap = this.#below(LONGEST_GAP);
      next = this.#draw(line).fault;
      return true;
    };
    const arm = (): void =>
      server.fault({ test: strikes }, (exchange, response, answer) => {
        arm();
        return next(exchange, response, answer);
      });
    arm();
  }

  /** Fails if a kind never came, for then nothing is shown about it. */
  wasMet(): void {
    if (this.isOn) expect([...this.#met].toSorted()).toEqual(kinds.map(({ name }) => name).toSorted());
  }

  #draw({ kinds, deck }: Line): Kind {
    if (deck.length === 0) deck.push(...kinds);
    const [kind] = deck.splice(this.#below(deck.length), 1);
    if (kind === undefined) throw new Error("The deck is empty.");
    this.#met.add(kind.name);
    return kind;
  }

  /** A whole number from 0. */
  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

/** Numbers from 0 to 1, the same ones for a seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
