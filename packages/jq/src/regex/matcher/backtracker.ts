import { fold } from "./case-folding.ts";
import { CharacterRuns } from "./character-runs.ts";
import type { Memory } from "./memory.ts";
import type { Instruction, Operation, Program } from "./program.ts";
import type { Subject } from "./subject.ts";
import { entry, type Trail } from "./trail.ts";

/** Runs instructions at a place, going back where they fail; without recursion but for nested parts of the pattern. */
export class Backtracker {
  private readonly code: readonly Instruction[];
  private readonly entries: readonly number[];
  private readonly subject: Subject;
  private readonly trail: Trail;
  private readonly tick: () => void;
  private searchStart = 0;
  private readonly runs: CharacterRuns;
  private memory: Memory | undefined;

  constructor({ code, entries }: Program, subject: Subject, trail: Trail, tick: () => void) {
    this.code = code;
    this.entries = entries;
    this.subject = subject;
    this.trail = trail;
    this.tick = tick;
    this.runs = new CharacterRuns(subject, trail, tick);
  }

  /** @param memory what was tried in this search, if that may be remembered */
  begin(searchStart: number, memory: Memory | undefined): void {
    this.searchStart = searchStart;
    this.memory = memory;
    this.runs.memory = memory;
  }

  /**
   * Runs from an instruction until it accepts an end. Entries that were on the trail before stay there.
   *
   * One function on purpose: with the rarer instructions and the way back as methods of their own, six patterns of all kinds took 9 % more of
   * the processor's time (Node 20, 360 ms for 330).
   *
   * @returns whether an end was accepted; what was captured on the way holds then
   */
  run(start: number, from: number, accept: (end: number) => boolean): boolean {
    const { code, trail } = this;
    const { stack } = trail;
    const { text } = this.subject;
    const base = stack.length;
    let pc = start;
    let at = from;
    for (;;) {
      this.tick();
      trail.checkSize();
      const instruction = code[pc]!;
      let ok = true;
      switch (instruction.op) {
        case "character":
          ok = at < text.length && text.codePointAt(at) === instruction.code;
          if (ok) at += instruction.code > 0xffff ? 2 : 1;
          pc++;
          break;
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
        case "run":
          pc++;
          at = this.runs.end(instruction, pc, at);
          ok = at >= 0;
          break;
        case "split":
          ok = this.memory?.seen(instruction.memo, at) !== true;
          if (!ok) break;
          stack.push(instruction.second, at, entry.resume);
          pc = instruction.first;
          break;
        case "jump":
          pc = instruction.to;
          break;
        case "save":
          trail.setSlot(instruction.slot, at);
          pc++;
          break;
        case "open":
          trail.setStart(instruction.loop, at);
          trail.setSlot(instruction.group * 2 + 1, -1);
          pc++;
          break;
        case "close":
          trail.setSlot(instruction.group * 2, trail.starts[instruction.loop]!);
          trail.setSlot(instruction.group * 2 + 1, at);
          pc++;
          break;
        case "begin-loop":
          trail.setRounds(instruction.loop, 0);
          trail.setStart(instruction.loop, -1);
          pc++;
          break;
        case "loop":
          pc = this.nextRound(instruction, at);
          ok = pc >= 0;
          break;
        case "round":
          trail.setRounds(instruction.loop, trail.rounds[instruction.loop]! + 1);
          trail.setStart(instruction.loop, at);
          pc++;
          break;
        case "atomic":
          at = this.alone(instruction.body, at);
          ok = at >= 0;
          pc = instruction.end;
          break;
        case "look":
          ok = this.looks(instruction, at);
          pc = instruction.end;
          break;
        case "absence": {
          const end = this.absentUpTo(instruction.body, at);
          ok = end >= 0;
          pc = instruction.end;
          if (end > at) stack.push(pc, at, end, entry.shrink);
          at = end;
          break;
        }
        case "backreference":
          at = this.backreferenceEnd(instruction, at);
          ok = at >= 0;
          pc++;
          break;
        case "call":
          trail.call(pc + 1);
          pc = this.entries[instruction.group]!;
          break;
        case "return":
          pc = trail.leave();
          break;
        case "condition":
          pc = instruction.groups.some((group) => trail.slots[group * 2 + 1]! >= 0) ? pc + 1 : instruction.no;
          break;
        case "attempt": {
          const end = this.alone(instruction.body, at);
          pc = end < 0 ? instruction.no : instruction.end;
          at = Math.max(at, end);
          break;
        }
        case "keep":
          trail.setSlot(0, at);
          pc++;
          break;
        case "grapheme":
          at = this.subject.afterGrapheme(at);
          ok = at >= 0;
          pc++;
          break;
        case "assert":
          ok = this.subject.holds(instruction.what, at, this.searchStart);
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
        if (kind === entry.resume) {
          pc = first;
          at = second;
          break;
        }
        if (kind !== entry.shrink && kind !== entry.grow) {
          trail.restore(kind, first, second);
          continue;
        }
        pc = stack.pop()!;
        at =
          kind === entry.shrink
            ? this.runs.shrunk(pc, first, second)
            : this.runs.grown(code[pc - 1] as Operation<"run">, pc, first, second);
        if (at >= 0) break;
      }
    }
  }

  /** @returns the next instruction: another round of the loop, or the one behind it; -1 if both were tried before */
  private nextRound({ loop, min, max, lazy, round, exit, memo }: Operation<"loop">, at: number): number {
    const { trail } = this;
    const rounds = trail.rounds[loop]!;
    // A round that matched nothing would go on for ever.
    if (rounds >= max || (rounds > 0 && trail.starts[loop] === at)) return exit;
    if (rounds < min) return round;
    if (this.memory?.seen(memo, at)) return -1;
    trail.stack.push(lazy ? round : exit, at, entry.resume);
    return lazy ? exit : round;
  }

  /** Runs a part of the pattern by itself: nothing inside it is tried again. @returns its end, or -1 */
  private alone(body: number, from: number, accept: (end: number) => boolean = () => true): number {
    const base = this.trail.stack.length;
    let end = -1;
    const found = this.run(body, from, (at) => {
      if (!accept(at)) return false;
      end = at;
      return true;
    });
    if (found) this.trail.commit(base);
    return end;
  }

  private looks({ behind, negate, length, body }: Operation<"look">, at: number): boolean {
    const base = this.trail.stack.length;
    const found = behind ? this.endsHere(body, at, length) : this.alone(body, at) >= 0;
    if (negate && found) this.trail.undo(base);
    return found !== negate;
  }

  /** Whether a part of the pattern matches so many characters before a place. */
  private endsHere(body: number, at: number, length: number): boolean {
    let from = at;
    for (let i = 0; i < length; i++) {
      if (from === 0) return false;
      this.tick();
      from = this.subject.before(from);
    }
    return this.alone(body, from, (end) => end === at) >= 0;
  }

  /** The first place from which the body matches, or the end of the text; -1 if the body matches nothing at all there. */
  private absentUpTo(body: number, from: number): number {
    const { subject, trail } = this;
    const base = trail.stack.length;
    for (let at = from; at < subject.text.length; at = subject.after(at)) {
      this.tick();
      const end = this.alone(body, at);
      trail.undo(base);
      if (end === at) return -1;
      if (end >= 0) return at;
    }
    return subject.text.length;
  }

  /** @returns where a text ends here that is equal to this one when case doesn't count; -1 if there is none */
  private foldedEnd(wanted: string, from: number): number {
    const { text } = this.subject;
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

  /** @returns where the text of the last of some groups that took part ends when it is repeated here; -1 if it isn't */
  private backreferenceEnd({ groups, ignoreCase }: Operation<"backreference">, at: number): number {
    const { slots } = this.trail;
    const { text } = this.subject;
    for (const group of groups.toReversed()) {
      const [start, end] = [slots[group * 2]!, slots[group * 2 + 1]!];
      if (start < 0 || end < 0) continue;
      const wanted = text.slice(start, end);
      const found = text.slice(at, at + wanted.length);
      if (ignoreCase ? found.toLowerCase() === wanted.toLowerCase() : found === wanted)
        return at + wanted.length;
    }
    return -1;
  }
}
