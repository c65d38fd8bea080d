/** A text longer than this, times the remembered instructions, isn't remembered: it would take too much memory. */
const MOST_CELLS = 16_000_000;
/** Searches that end sooner don't need it. */
const PATIENCE = 1_000;

/**
 * Which instructions a search has already tried at which places. What was tried once and is tried again has failed before, or
 * the search would have ended: so a search takes time in proportion to its text, times its program. That holds for instructions
 * whose outcome depends on nothing but their place; the program numbers those.
 */
export class Memory {
  private readonly length: number;
  private readonly count: number;
  /** By place and instruction the number of the search that was there. */
  private cells: Uint32Array | undefined = undefined;
  private visits = 0;
  private search = 0;
  /** By the number of an unbounded run. */
  readonly ends: readonly Ends[];

  constructor(count: number, textLength: number) {
    this.count = count;
    this.length = textLength + 1;
    this.ends = Array.from({ length: count }, () => new Ends());
  }

  /** A found match leaves behind what didn't fail: everything is forgotten. */
  newSearch(): void {
    this.search++;
    this.visits = 0;
    for (const ends of this.ends) ends.set(-1, -2);
  }

  /** Whether an instruction was tried at a place before; from now on it was. Those without a number, -1, never were. */
  seen(instruction: number, at: number): boolean {
    if (instruction < 0) return false;
    if (this.cells === undefined) {
      if (++this.visits < this.length + PATIENCE || this.count * this.length > MOST_CELLS) return false;
      this.cells = new Uint32Array(this.count * this.length);
    }
    const cell = at * this.count + instruction;
    if (this.cells[cell] === this.search) return true;
    this.cells[cell] = this.search;
    return false;
  }
}

/**
 * The places behind a repeated character from which the rest of the pattern was tried last, all from one to another. A run that
 * reaches one of them could only end where one has ended before, since it stops at the same character.
 */
class Ends {
  from = -1;
  to = -2;

  set(from: number, to: number): void {
    this.from = from;
    this.to = to;
  }

  has(at: number): boolean {
    return at >= this.from && at <= this.to;
  }
}
