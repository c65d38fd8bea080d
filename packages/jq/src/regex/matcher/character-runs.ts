import type { CharacterTest } from "./character-tests.ts";
import type { Memory } from "./memory.ts";
import type { Operation } from "./program.ts";
import type { Subject } from "./subject.ts";
import { entry, type Trail } from "./trail.ts";

/** Repeated single characters: the common loop, which needs one entry on the trail, whatever its length. */
export class CharacterRuns {
  private readonly subject: Subject;
  private readonly trail: Trail;
  private readonly tick: () => void;
  memory: Memory | undefined;

  constructor(subject: Subject, trail: Trail, tick: () => void) {
    this.subject = subject;
    this.trail = trail;
    this.tick = tick;
  }

  /**
   * Begins a run: as long as it may be, or as short if it is lazy.
   *
   * @param next the instruction behind it
   * @returns its end; -1 if there is none to try
   */
  end(run: Operation<"run">, next: number, from: number): number {
    const { test, min, max, lazy, memo } = run;
    const { memory, trail } = this;
    if (memory?.seen(memo, from)) return -1;
    const least = this.take(test, from, min);
    const known = max === Number.POSITIVE_INFINITY ? memory?.ends[memo] : undefined;
    if (least < 0 || known?.has(least)) return -1;
    if (lazy) {
      if (max > min) trail.stack.push(next, max - min, least, entry.grow);
      known?.set(least, least);
      return least;
    }
    let end = this.takeAll(test, least, max - min, known?.from ?? -1);
    if (known?.has(end)) {
      // From here on everything was tried.
      known.set(least, known.to);
      end = this.subject.before(end);
    } else known?.set(least, end);
    if (end > least) trail.stack.push(next, least, end, entry.shrink);
    return end;
  }

  /** A greedy run gives back a character. @returns its end */
  shrunk(next: number, least: number, end: number): number {
    const at = this.subject.before(end);
    if (at > least) this.trail.stack.push(next, least, at, entry.shrink);
    return at;
  }

  /** A lazy run takes a character more. @returns its end, or -1 */
  grown({ test, memo }: Operation<"run">, next: number, more: number, from: number): number {
    const end = this.take(test, from, 1);
    if (end < 0) return -1;
    const known = this.memory?.ends[memo];
    if (known?.to === from) known.to = end;
    if (more > 1) this.trail.stack.push(next, more - 1, end, entry.grow);
    return end;
  }

  /** Exactly so many characters of a set. @returns the end, or -1 */
  private take(test: CharacterTest, from: number, count: number): number {
    const { text } = this.subject;
    let at = from;
    for (let taken = 0; taken < count; taken++) {
      this.tick();
      const code = at < text.length ? text.codePointAt(at)! : -1;
      if (code < 0 || !test(code)) return -1;
      at += code > 0xffff ? 2 : 1;
    }
    return at;
  }

  /** As many characters of a set as there are, or up to a place. */
  private takeAll(test: CharacterTest, from: number, most: number, upTo: number): number {
    const { text } = this.subject;
    let at = from;
    for (let taken = 0; taken < most && at < text.length && at !== upTo; taken++) {
      this.tick();
      const code = text.codePointAt(at)!;
      if (!test(code)) break;
      at += code > 0xffff ? 2 : 1;
    }
    return at;
  }
}
