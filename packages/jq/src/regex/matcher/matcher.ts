import { word } from "../syntax/character-sets.ts";
import { type Assertion, RegexError } from "../syntax/tree.ts";
import { fold } from "./case-folding.ts";
import { type CharacterTest, testOf } from "./character-tests.ts";
import { type Ends, Memory } from "./memory.ts";
import type { Instruction, Program } from "./program.ts";

export interface MatchOptions {
  /** Of the matches at a place the longest, not the first. */
  readonly longest: boolean;
  /** Matches of nothing don't count. */
  readonly notEmpty: boolean;
}

/** Start and end of the match, then of each group, in UTF-16 units; -1 where a group took no part. */
export type Slots = readonly number[];

type Run = Extract<Instruction, { op: "run" }>;

/** Kinds of entries on the stack: three numbers, the last one the kind; those of runs have the next instruction below. */
const RESUME = 0;
const RESTORE_SLOT = 1;
const RESTORE_ROUNDS = 2;
const RESTORE_START = 3;
const RESTORE_FRAME = 4;
/** A run of single characters: gives one back (greedy) or takes one more (lazy). */
const SHRINK = 5;
const GROW = 6;

const isWord = testOf(word);

/** More would take too much memory. */
const MOST_STACK = 20_000_000;
const MOST_FRAMES = 200_000;

/** Where a called group returns to, with the loops as they were. Frames are never changed. */
interface Frame {
  readonly to: number;
  readonly rounds: readonly number[];
  readonly starts: readonly number[];
  readonly parent: number;
}

/**
 * Runs a program over a text by backtracking, without recursion but for nested parts of the pattern, and counts its steps: no
 * text makes it run for ever.
 *
 * @param tick is called at each step; it throws when there were too many
 */
export class Matcher {
  private readonly code: readonly Instruction[];
  private readonly entries: readonly number[];
  private readonly text: string;
  private readonly tick: () => void;
  private readonly slots: number[];
  private readonly rounds: number[];
  private readonly starts: number[];
  private readonly stack: number[] = [];
  private readonly frames: Frame[] = [];
  private frame = -1;
  private searchStart = 0;
  private boundaries: Set<number> | undefined;
  private readonly first: CharacterTest | undefined;
  private readonly anchored: boolean;
  private readonly memory: Memory | undefined;
  private remembers = false;

  constructor(program: Program, text: string, tick: () => void) {
    const { code, entries, loops, names, memos, first, anchored } = program;
    this.code = code;
    this.entries = entries;
    this.text = text;
    this.tick = tick;
    this.first = first;
    this.anchored = anchored;
    this.memory = memos > 0 ? new Memory(memos, text.length) : undefined;
    this.slots = new Array<number>((names.length + 1) * 2).fill(-1);
    this.rounds = new Array<number>(loops).fill(0);
    this.starts = new Array<number>(loops).fill(-1);
  }

  /**
   * The first match from a place on.
   *
   * @param from UTF-16 offset
   */
  search(from: number, options: MatchOptions): Slots | undefined {
    this.searchStart = from;
    if (this.anchored && from > 0) return undefined;
    // Whether an end is accepted depends on the start then.
    this.remembers = !options.longest && !options.notEmpty;
    this.memory?.newSearch();
    let best: Slots | undefined;
    for (let at = this.nextStart(from); at >= 0; at = this.nextStart(at + this.width(at))) {
      const found = this.matchAt(at, options);
      if (found !== undefined && (best === undefined || lengthOf(found) > lengthOf(best))) best = found;
      if (this.anchored || (best !== undefined && !options.longest)) break;
    }
    return best;
  }

  /** The first place from here on where a match can begin; -1 if there is none. */
  private nextStart(from: number): number {
    const { text, first } = this;
    this.tick();
    if (from > text.length) return -1;
    if (first === undefined) return from;
    const begins = this.code[0]!;
    if (begins.op === "character")
      return begins.code < 0 ? -1 : text.indexOf(String.fromCodePoint(begins.code), from);
    for (let at = from; at < text.length; at += this.width(at)) {
      if (first(text.codePointAt(at)!)) return at;
      this.tick();
    }
    return -1;
  }

  private matchAt(at: number, { longest, notEmpty }: MatchOptions): Slots | undefined {
    this.slots.fill(-1);
    this.slots[0] = at;
    this.stack.length = 0;
    this.frame = -1;
    this.frames.length = 0;
    let best: number[] | undefined;
    this.run(0, at, (end) => {
      if (notEmpty && end === this.slots[0]) return false;
      if (best === undefined || end > best[1]!) {
        best = [...this.slots];
        best[1] = end;
      }
      return !longest;
    });
    return best;
  }

  /**
   * Runs from an instruction until it accepts an end. Entries that were on the stack before stay there.
   *
   * @returns whether an end was accepted; what was captured on the way holds then
   */
  private run(start: number, from: number, accept: (end: number) => boolean): boolean {
    const { code, text, stack } = this;
    const base = stack.length;
    let pc = start;
    let at = from;
    for (;;) {
      this.tick();
      if (stack.length > MOST_STACK || this.frames.length > MOST_FRAMES)
        throw new RegexError("Regex failure: match-stack limit over");
      const instruction = code[pc]!;
      let ok = true;
      switch (instruction.op) {
        case "character": {
          ok = at < text.length && text.codePointAt(at) === instruction.code;
          if (ok) at += instruction.code > 0xffff ? 2 : 1;
          pc++;
          break;
        }
        case "set": {
          const next = at < text.length ? text.codePointAt(at)! : -1;
          ok = next >= 0 && instruction.test(next);
          if (ok) at += next > 0xffff ? 2 : 1;
          pc++;
          break;
        }
        case "folded":
          at = this.foldedEnd(instruction.text, at);
          ok = at >= 0;
          pc++;
          break;
        case "run": {
          const { min, max, lazy, memo } = instruction;
          pc++;
          ok = !this.wasTried(memo, at);
          if (!ok) break;
          const least = this.take(instruction, at, min);
          const known = max === Number.POSITIVE_INFINITY ? this.knownEnds(memo) : undefined;
          ok = least >= 0 && !known?.has(least);
          if (!ok) break;
          at = least;
          if (lazy) {
            if (max > min) stack.push(pc, max - min, at, GROW);
            known?.set(least, at);
            break;
          }
          at = this.takeAll(instruction, least, max - min, known?.from ?? -1);
          if (known?.has(at)) {
            // From here on everything was tried.
            known.set(least, known.to);
            at = this.before(at);
          } else known?.set(least, at);
          if (at > least) stack.push(pc, least, at, SHRINK);
          break;
        }
        case "split":
          ok = !this.wasTried(instruction.memo, at);
          if (!ok) break;
          stack.push(instruction.second, at, RESUME);
          pc = instruction.first;
          break;
        case "jump":
          pc = instruction.to;
          break;
        case "save":
          this.setSlot(instruction.slot, at);
          pc++;
          break;
        case "open":
          this.setStart(instruction.loop, at);
          this.setSlot(instruction.group * 2 + 1, -1);
          pc++;
          break;
        case "close":
          this.setSlot(instruction.group * 2, this.starts[instruction.loop]!);
          this.setSlot(instruction.group * 2 + 1, at);
          pc++;
          break;
        case "begin-loop":
          this.setRounds(instruction.loop, 0);
          this.setStart(instruction.loop, -1);
          pc++;
          break;
        case "loop":
          pc = this.decide(instruction, at);
          ok = pc >= 0;
          break;
        case "round":
          this.setRounds(instruction.loop, this.rounds[instruction.loop]! + 1);
          this.setStart(instruction.loop, at);
          pc++;
          break;
        case "atomic": {
          const end = this.alone(instruction.body, at);
          ok = end >= 0;
          if (ok) at = end;
          pc = instruction.end;
          break;
        }
        case "look":
          ok = this.looks(instruction, at);
          pc = instruction.end;
          break;
        case "absence": {
          const end = this.absentUpTo(instruction.body, at);
          ok = end >= 0;
          pc = instruction.end;
          if (end > at) stack.push(pc, at, end, SHRINK);
          at = Math.max(at, end);
          break;
        }
        case "backreference": {
          const end = this.repeatedGroup(instruction, at);
          ok = end >= 0;
          if (ok) at = end;
          pc++;
          break;
        }
        case "call":
          this.frames.push({
            to: pc + 1,
            rounds: [...this.rounds],
            starts: [...this.starts],
            parent: this.frame,
          });
          this.setFrame(this.frames.length - 1);
          pc = this.entries[instruction.group]!;
          break;
        case "return": {
          const { to, rounds, starts, parent } = this.frames[this.frame]!;
          for (const [loop, count] of rounds.entries()) this.setRounds(loop, count);
          for (const [loop, place] of starts.entries()) this.setStart(loop, place);
          this.setFrame(parent);
          pc = to;
          break;
        }
        case "condition":
          pc = instruction.groups.some((group) => this.slots[group * 2 + 1]! >= 0) ? pc + 1 : instruction.no;
          break;
        case "attempt": {
          const end = this.alone(instruction.body, at);
          pc = end < 0 ? instruction.no : instruction.end;
          at = Math.max(at, end);
          break;
        }
        case "keep":
          this.setSlot(0, at);
          pc++;
          break;
        case "grapheme":
          ok = at < text.length;
          if (ok) {
            at++;
            while (!this.graphemes().has(at)) at++;
          }
          pc++;
          break;
        case "assert":
          ok = this.holds(instruction.what, at);
          pc++;
          break;
        case "fail":
          ok = false;
          break;
        case "match":
          if (accept(at)) return true;
          ok = false;
      }
      if (ok) continue;
      // Back to the last place where something else can be tried.
      for (;;) {
        if (stack.length === base) return false;
        this.tick();
        const kind = stack.pop()!;
        const second = stack.pop()!;
        const first = stack.pop()!;
        if (kind === RESUME) {
          pc = first;
          at = second;
          break;
        }
        if (kind !== SHRINK && kind !== GROW) this.restore(kind, first, second);
        else {
          const next = stack.pop()!;
          const resumed = kind === SHRINK ? this.before(second) : this.grow(code[next - 1] as Run, second);
          if (resumed < 0) continue;
          if (kind === SHRINK && resumed > first) stack.push(next, first, resumed, SHRINK);
          if (kind === GROW && first > 1) stack.push(next, first - 1, resumed, GROW);
          pc = next;
          at = resumed;
          break;
        }
      }
    }
  }

  /** Exactly so many characters of a run. @returns the end, or -1 */
  private take({ test }: Run, from: number, count: number): number {
    const { text } = this;
    let at = from;
    for (let taken = 0; taken < count; taken++) {
      this.tick();
      const code = at < text.length ? text.codePointAt(at)! : -1;
      if (code < 0 || !test(code)) return -1;
      at += code > 0xffff ? 2 : 1;
    }
    return at;
  }

  /** One more character of a lazy run. @returns the end, or -1 */
  private grow(run: Run, from: number): number {
    const end = this.take(run, from, 1);
    const known = this.knownEnds(run.memo);
    if (end >= 0 && known?.to === from) known.to = end;
    return end;
  }

  private wasTried(memo: number, at: number): boolean {
    return memo >= 0 && this.remembers && this.memory?.seen(memo, at) === true;
  }

  private knownEnds(memo: number): Ends | undefined {
    return this.remembers ? this.memory?.ends[memo] : undefined;
  }

  /** As many characters of a run as there are, or up to a place. */
  private takeAll({ test }: Run, from: number, most: number, upTo: number): number {
    const { text } = this;
    let at = from;
    for (let taken = 0; taken < most && at < text.length && at !== upTo; taken++) {
      this.tick();
      const code = text.codePointAt(at)!;
      if (!test(code)) break;
      at += code > 0xffff ? 2 : 1;
    }
    return at;
  }

  /** @returns the next instruction: another round of the loop, or the one behind it; -1 if both were tried before */
  private decide(
    { loop, min, max, lazy, round, exit, memo }: Extract<Instruction, { op: "loop" }>,
    at: number,
  ): number {
    const rounds = this.rounds[loop]!;
    // A round that matched nothing would go on for ever.
    if (rounds >= max || (rounds > 0 && this.starts[loop] === at)) return exit;
    if (rounds < min) return round;
    if (this.wasTried(memo, at)) return -1;
    this.stack.push(lazy ? round : exit, at, RESUME);
    return lazy ? exit : round;
  }

  /** Runs a part of the pattern by itself: nothing inside it is tried again. @returns its end, or -1 */
  private alone(body: number, from: number, accept: (end: number) => boolean = () => true): number {
    const base = this.stack.length;
    let end = -1;
    const found = this.run(body, from, (at) => {
      if (!accept(at)) return false;
      end = at;
      return true;
    });
    if (found) this.commit(base);
    return end;
  }

  private looks({ behind, negate, length, body }: Extract<Instruction, { op: "look" }>, at: number): boolean {
    const base = this.stack.length;
    const found = behind ? this.endsHere(body, at, length) : this.alone(body, at) >= 0;
    if (negate && found) this.undo(base);
    return found !== negate;
  }

  /** Whether a part of the pattern matches so many characters before a place. */
  private endsHere(body: number, at: number, length: number): boolean {
    let from = at;
    for (let i = 0; i < length; i++) {
      if (from === 0) return false;
      this.tick();
      from = this.before(from);
    }
    return this.alone(body, from, (end) => end === at) >= 0;
  }

  /** @returns where a text ends here that is equal to this one when case doesn't count; -1 if there is none */
  private foldedEnd(wanted: string, from: number): number {
    const { text } = this;
    let at = from;
    for (let done = 0; done < wanted.length; ) {
      if (at >= text.length) return -1;
      this.tick();
      const code = text.codePointAt(at)!;
      const folded = fold(code);
      if (!wanted.startsWith(folded, done)) return -1;
      done += folded.length;
      at += code > 0xffff ? 2 : 1;
    }
    return at;
  }

  /** The first place from which the body matches, or the end of the text; -1 if the body matches nothing at all there. */
  private absentUpTo(body: number, from: number): number {
    const base = this.stack.length;
    for (let at = from; at < this.text.length; at += this.width(at)) {
      this.tick();
      const end = this.alone(body, at);
      this.undo(base);
      if (end === at) return -1;
      if (end >= 0) return at;
    }
    return this.text.length;
  }

  private repeatedGroup(
    { groups, ignoreCase }: Extract<Instruction, { op: "backreference" }>,
    at: number,
  ): number {
    for (const group of groups.toReversed()) {
      const [start, end] = [this.slots[group * 2]!, this.slots[group * 2 + 1]!];
      if (start < 0 || end < 0) continue;
      const wanted = this.text.slice(start, end);
      const found = this.text.slice(at, at + wanted.length);
      if (ignoreCase ? found.toLowerCase() === wanted.toLowerCase() : found === wanted)
        return at + wanted.length;
    }
    return -1;
  }

  private holds(what: Assertion, at: number): boolean {
    const { text } = this;
    switch (what) {
      case "text-start":
        return at === 0;
      case "text-end":
        return at === text.length;
      case "text-end-or-newline":
        return at === text.length || (at === text.length - 1 && text[at] === "\n");
      case "line-start":
        return at === 0 || (text[at - 1] === "\n" && at < text.length);
      case "line-end":
        return at === text.length || text[at] === "\n";
      case "search-start":
        return at === this.searchStart;
      case "word-boundary":
        return this.isWordBoundary(at);
      case "no-word-boundary":
        return !this.isWordBoundary(at);
      case "grapheme-boundary":
        return this.graphemes().has(at);
      case "no-grapheme-boundary":
        return !this.graphemes().has(at);
    }
  }

  private isWordBoundary(at: number): boolean {
    const { text } = this;
    const after = at < text.length && isWord(text.codePointAt(at)!);
    const before = at > 0 && isWord(text.codePointAt(this.before(at))!);
    return after !== before;
  }

  /** Offsets between user-perceived characters. */
  private graphemes(): Set<number> {
    if (this.boundaries === undefined) {
      const segments = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(this.text);
      this.boundaries = new Set([this.text.length]);
      for (const { index } of segments) this.boundaries.add(index);
    }
    return this.boundaries;
  }

  private width(at: number): number {
    return (this.text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }

  /** The offset of the character before. */
  private before(at: number): number {
    const low = this.text.charCodeAt(at - 1);
    const high = at > 1 ? this.text.charCodeAt(at - 2) : 0;
    return at - ((low & 0xfc00) === 0xdc00 && (high & 0xfc00) === 0xd800 ? 2 : 1);
  }

  /** Drops what could be tried again, and keeps how to take back what was captured. */
  private commit(base: number): void {
    const { stack } = this;
    const kept: number[] = [];
    while (stack.length > base) {
      const kind = stack.pop()!;
      const second = stack.pop()!;
      const first = stack.pop()!;
      if (kind === SHRINK || kind === GROW) stack.pop();
      else if (kind !== RESUME) kept.push(kind, second, first);
    }
    for (let i = kept.length - 1; i >= 0; i--) stack.push(kept[i]!);
  }

  /** Takes back everything down to a height of the stack. */
  private undo(base: number): void {
    const { stack } = this;
    while (stack.length > base) {
      const kind = stack.pop()!;
      const second = stack.pop()!;
      const first = stack.pop()!;
      if (kind === SHRINK || kind === GROW) stack.pop();
      else this.restore(kind, first, second);
    }
  }

  private restore(kind: number, first: number, second: number): void {
    if (kind === RESTORE_SLOT) this.slots[first] = second;
    else if (kind === RESTORE_ROUNDS) this.rounds[first] = second;
    else if (kind === RESTORE_START) this.starts[first] = second;
    else if (kind === RESTORE_FRAME) this.frame = second;
  }

  private setSlot(slot: number, at: number): void {
    this.stack.push(slot, this.slots[slot]!, RESTORE_SLOT);
    this.slots[slot] = at;
  }

  private setRounds(loop: number, count: number): void {
    this.stack.push(loop, this.rounds[loop]!, RESTORE_ROUNDS);
    this.rounds[loop] = count;
  }

  private setStart(loop: number, at: number): void {
    this.stack.push(loop, this.starts[loop]!, RESTORE_START);
    this.starts[loop] = at;
  }

  private setFrame(frame: number): void {
    this.stack.push(0, this.frame, RESTORE_FRAME);
    this.frame = frame;
  }
}

function lengthOf(slots: Slots): number {
  return slots[1]! - slots[0]!;
}
