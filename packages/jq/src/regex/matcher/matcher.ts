import { Backtracker } from "./backtracker.ts";
import type { CharacterTest } from "./character-tests.ts";
import { Memory } from "./memory.ts";
import type { Program } from "./program.ts";
import { Subject } from "./subject.ts";
import { type Slots, Trail } from "./trail.ts";

export interface MatchOptions {
  /** Of the matches at a place the longest, not the first. */
  readonly longest: boolean;
  /** Matches of nothing don't count. */
  readonly notEmpty: boolean;
}

/**
 * Searches a text for what a program matches, and counts its steps: no pattern and no text makes it run for ever.
 *
 * @param tick is called at each step; it throws when there were too many
 */
export class Matcher {
  private readonly program: Program;
  private readonly subject: Subject;
  private readonly tick: () => void;
  private readonly trail: Trail;
  private readonly backtracker: Backtracker;
  private readonly memory: Memory | undefined;
  private readonly first: CharacterTest | undefined;

  constructor(program: Program, text: string, tick: () => void) {
    const { loops, names, memos, first } = program;
    this.program = program;
    this.subject = new Subject(text);
    this.tick = tick;
    this.first = first;
    this.memory = memos > 0 ? new Memory(memos, text.length) : undefined;
    this.trail = new Trail(names.length, loops);
    this.backtracker = new Backtracker(program, this.subject, this.trail, tick);
  }

  /**
   * The first match from a place on.
   *
   * @param from UTF-16 offset
   */
  search(from: number, options: MatchOptions): Slots | undefined {
    const { anchored } = this.program;
    if (anchored && from > 0) return undefined;
    this.memory?.newSearch();
    // Whether an end is accepted depends on the start then.
    const remembers = !options.longest && !options.notEmpty;
    this.backtracker.begin(from, remembers ? this.memory : undefined);
    let best: Slots | undefined;
    for (let at = this.nextStart(from); at >= 0; at = this.nextStart(this.subject.after(at))) {
      const found = this.matchAt(at, options);
      if (found !== undefined && (best === undefined || lengthOf(found) > lengthOf(best))) best = found;
      if (anchored || (best !== undefined && !options.longest)) break;
    }
    return best;
  }

  /** The first place from here on where a match can begin; -1 if there is none. */
  private nextStart(from: number): number {
    const { first, subject } = this;
    const { text } = subject;
    this.tick();
    if (from > text.length) return -1;
    if (first === undefined) return from;
    const begins = this.program.code[0]!;
    if (begins.op === "character")
      return begins.code < 0 ? -1 : text.indexOf(String.fromCodePoint(begins.code), from);
    for (let at = from; at < text.length; at = subject.after(at)) {
      if (first(text.codePointAt(at)!)) return at;
      this.tick();
    }
    return -1;
  }

  private matchAt(at: number, { longest, notEmpty }: MatchOptions): Slots | undefined {
    const { trail } = this;
    trail.clear(at);
    let best: number[] | undefined;
    this.backtracker.run(0, at, (end) => {
      if (notEmpty && end === trail.slots[0]) return false;
      if (best === undefined || end > best[1]!) {
        best = [...trail.slots];
        best[1] = end;
      }
      return !longest;
    });
    return best;
  }
}

function lengthOf(slots: Slots): number {
  return slots[1]! - slots[0]!;
}
