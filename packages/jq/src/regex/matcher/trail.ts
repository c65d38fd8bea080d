import { RegexError } from "../syntax/tree.ts";

/** Start and end of the match, then of each group, in UTF-16 units; -1 where a group took no part. */
export type Slots = readonly number[];

/**
 * What an entry of the trail is, the last of its numbers. Choices come first; the others take back a change.
 *
 * - `resume`: instruction, place
 * - `shrink`, `grow`: a run of single characters that gives one back or takes one more; the instruction behind it, least place or
 *   how many more it may take, place
 * - the rest: index, value before
 */
export const entry = { resume: 0, shrink: 1, grow: 2, slot: 3, rounds: 4, start: 5, frame: 6 } as const;

/** More would take too much memory. */
const MOST_ENTRIES = 20_000_000;
const MOST_FRAMES = 200_000;

/** Where a called group returns to, with the loops as they were. Frames are never changed. */
interface Frame {
  readonly to: number;
  readonly rounds: readonly number[];
  readonly starts: readonly number[];
  readonly parent: number;
}

/** What a try has captured and counted so far, what else could be tried, and how to go back to there. */
export class Trail {
  /** Entries of two or three numbers and their kind. */
  readonly stack: number[] = [];
  readonly slots: number[];
  /** By number of a loop: rounds so far, and where the last one began. */
  readonly rounds: number[];
  readonly starts: number[];
  private readonly frames: Frame[] = [];
  private frame = -1;

  constructor(groups: number, loops: number) {
    this.slots = new Array<number>((groups + 1) * 2).fill(-1);
    this.rounds = new Array<number>(loops).fill(0);
    this.starts = new Array<number>(loops).fill(-1);
  }

  /** Begins a new try. */
  clear(start: number): void {
    this.slots.fill(-1);
    this.slots[0] = start;
    this.stack.length = 0;
    this.frame = -1;
    this.frames.length = 0;
  }

  /** @throws RegexError */
  checkSize(): void {
    if (this.stack.length > MOST_ENTRIES || this.frames.length > MOST_FRAMES)
      throw new RegexError("Regex failure: match-stack limit over");
  }

  setSlot(slot: number, at: number): void {
    this.stack.push(slot, this.slots[slot]!, entry.slot);
    this.slots[slot] = at;
  }

  setRounds(loop: number, count: number): void {
    this.stack.push(loop, this.rounds[loop]!, entry.rounds);
    this.rounds[loop] = count;
  }

  setStart(loop: number, at: number): void {
    this.stack.push(loop, this.starts[loop]!, entry.start);
    this.starts[loop] = at;
  }

  private setFrame(frame: number): void {
    this.stack.push(0, this.frame, entry.frame);
    this.frame = frame;
  }

  /** Enters a called group. */
  call(to: number): void {
    this.frames.push({ to, rounds: [...this.rounds], starts: [...this.starts], parent: this.frame });
    this.setFrame(this.frames.length - 1);
  }

  /** Leaves it. @returns the next instruction */
  leave(): number {
    const { to, rounds, starts, parent } = this.frames[this.frame]!;
    for (const [loop, count] of rounds.entries()) this.setRounds(loop, count);
    for (const [loop, place] of starts.entries()) this.setStart(loop, place);
    this.setFrame(parent);
    return to;
  }

  /** Drops what could be tried again above a height of the stack, and keeps how to take back what was captured. */
  commit(base: number): void {
    const { stack } = this;
    const kept: number[] = [];
    while (stack.length > base) {
      const kind = stack.pop()!;
      const second = stack.pop()!;
      const first = stack.pop()!;
      if (kind === entry.shrink || kind === entry.grow) stack.pop();
      else if (kind !== entry.resume) kept.push(kind, second, first);
    }
    for (let i = kept.length - 1; i >= 0; i--) stack.push(kept[i]!);
  }

  /** Takes back everything down to a height of the stack. */
  undo(base: number): void {
    const { stack } = this;
    while (stack.length > base) {
      const kind = stack.pop()!;
      const second = stack.pop()!;
      const first = stack.pop()!;
      if (kind === entry.shrink || kind === entry.grow) stack.pop();
      else this.restore(kind, first, second);
    }
  }

  /** Takes back a change; of a choice there is nothing to take back. */
  restore(kind: number, index: number, value: number): void {
    if (kind === entry.slot) this.slots[index] = value;
    else if (kind === entry.rounds) this.rounds[index] = value;
    else if (kind === entry.start) this.starts[index] = value;
    else if (kind === entry.frame) this.frame = value;
  }
}
