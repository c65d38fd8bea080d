import { canBeEmpty, firstCharacters, isAnchored, sizeOf } from "./analysis.ts";
import { caseVariants } from "./character-sets.ts";
import type { Assertion, CharacterTest, Node, Regex } from "./syntax.ts";

/** Loops of at most so many instructions are written out round by round, and need no counter. */
const MOST_WRITTEN_OUT = 250;

/**
 * An instruction of the matcher. Targets are indexes of instructions. `memo` numbers those whose outcome depends on nothing but
 * the place in the text; it is -1 for others.
 */
export type Instruction =
  | { readonly op: "character"; readonly code: number }
  | { readonly op: "set"; readonly test: CharacterTest }
  /** A single character, repeated: the common loop, with one entry on the stack. */
  | {
      readonly op: "run";
      readonly test: CharacterTest;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
      readonly memo: number;
    }
  | { op: "split"; first: number; second: number; readonly memo: number }
  | { op: "jump"; to: number }
  | { readonly op: "save"; readonly slot: number }
  /** Starts a loop: no rounds yet. */
  | { readonly op: "begin-loop"; readonly loop: number }
  /** Before a round: another one, or on behind the loop. */
  | {
      readonly op: "loop";
      readonly loop: number;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
      readonly round: number;
      exit: number;
      readonly memo: number;
    }
  /** Counts a round. */
  | { readonly op: "round"; readonly loop: number }
  /** What the part up to `end` can match is tried on its own; nothing inside it is tried again. */
  | { readonly op: "atomic"; readonly body: number; readonly end: number }
  | {
      readonly op: "look";
      readonly behind: boolean;
      readonly negate: boolean;
      readonly body: number;
      readonly end: number;
    }
  | { readonly op: "absence"; readonly body: number; readonly end: number }
  | { readonly op: "backreference"; readonly groups: readonly number[]; readonly ignoreCase: boolean }
  | { readonly op: "call"; group: number }
  | { readonly op: "return" }
  | { op: "condition"; readonly groups: readonly number[]; no: number }
  | { readonly op: "keep" }
  | { readonly op: "grapheme" }
  | { readonly op: "assert"; readonly what: Assertion }
  | { readonly op: "fail" }
  | { readonly op: "match" };

export interface Program {
  readonly code: readonly Instruction[];
  /** Start of each called group, by number. */
  readonly entries: readonly number[];
  readonly loops: number;
  /** How many instructions can be remembered by their `memo`. */
  readonly memos: number;
  /** What a match can begin with, if that is known. */
  readonly first: CharacterTest | undefined;
  /** Matches begin at the start of the text only. */
  readonly anchored: boolean;
  readonly names: readonly (string | undefined)[];
}

/** Turns a tree into instructions. */
export function assemble({ body, groups, names }: Regex): Program {
  const assembler = new Assembler();
  assembler.add(body);
  assembler.code.push({ op: "match" });
  const entries: number[] = [];
  for (const group of assembler.called) {
    entries[group] = assembler.code.length;
    // Called groups are captured again, as in Oniguruma.
    assembler.add({ kind: "group", number: group, body: groups[group]! });
    assembler.code.push({ op: "return" });
  }
  return {
    code: assembler.code,
    entries,
    loops: assembler.loops,
    memos: assembler.usesCaptures ? 0 : assembler.memos,
    first: firstCharacters(body),
    anchored: isAnchored(body),
    names,
  };
}

type Split = Extract<Instruction, { op: "split" }>;

class Assembler {
  readonly code: Instruction[] = [];
  /** Grows while the bodies of called groups are added, which call others. */
  readonly called = new Set<number>();
  loops = 0;
  memos = 0;
  /** What was captured, or called, decides what matches: nothing can be remembered. */
  usesCaptures = false;
  /** Inside counted loops, and parts that run by themselves. */
  private enclosed = 0;

  add(node: Node): void {
    const { code } = this;
    switch (node.kind) {
      case "empty":
        return;
      case "never":
        code.push({ op: "fail" });
        return;
      case "character":
      case "set":
        code.push(single(node)!);
        return;
      case "sequence":
        for (const item of node.items) this.add(item);
        return;
      case "alternatives":
        return this.alternatives(node.items);
      case "group":
        code.push({ op: "save", slot: node.number * 2 });
        this.add(node.body);
        code.push({ op: "save", slot: node.number * 2 + 1 });
        return;
      case "repeat":
        return this.repeat(node);
      case "look":
        return this.nested(
          (body, end) => ({ op: "look", behind: node.behind, negate: node.negate, body, end }),
          node.body,
        );
      case "atomic":
        return this.nested((body, end) => ({ op: "atomic", body, end }), node.body);
      case "absence":
        return this.nested((body, end) => ({ op: "absence", body, end }), node.body);
      case "backreference":
        this.usesCaptures = true;
        code.push({ op: "backreference", groups: node.groups, ignoreCase: node.ignoreCase });
        return;
      case "call":
        this.usesCaptures = true;
        this.called.add(node.group);
        code.push({ op: "call", group: node.group });
        return;
      case "condition": {
        this.usesCaptures = true;
        const condition: Instruction = { op: "condition", groups: node.groups, no: 0 };
        code.push(condition);
        this.add(node.yes);
        const jump: Instruction = { op: "jump", to: 0 };
        code.push(jump);
        condition.no = code.length;
        this.add(node.no);
        jump.to = code.length;
        return;
      }
      case "keep":
      case "grapheme":
        code.push({ op: node.kind });
        return;
      case "assertion":
        code.push({ op: "assert", what: node.what });
    }
  }

  private alternatives(items: readonly Node[]): void {
    const { code } = this;
    const jumps: Extract<Instruction, { op: "jump" }>[] = [];
    for (const [index, item] of items.entries()) {
      if (index === items.length - 1) {
        this.add(item);
        continue;
      }
      const split: Instruction = { op: "split", first: code.length + 1, second: 0, memo: this.memo() };
      code.push(split);
      this.add(item);
      const jump: Extract<Instruction, { op: "jump" }> = { op: "jump", to: 0 };
      code.push(jump);
      jumps.push(jump);
      split.second = code.length;
    }
    for (const jump of jumps) jump.to = code.length;
  }

  private repeat({ min, max, mode, body }: Extract<Node, { kind: "repeat" }>): void {
    if (mode === "possessive") {
      return this.nested((start, end) => ({ op: "atomic", body: start, end }), {
        kind: "repeat",
        min,
        max,
        mode: "greedy",
        body,
      });
    }
    if (max === 0) return;
    const lazy = mode === "lazy";
    const test = testOf(body);
    if (test !== undefined) {
      this.code.push({ op: "run", test, min, max, lazy, memo: this.memo() });
      return;
    }
    const plain = max === 1 || !canBeEmpty(body);
    const rounds = max === Number.POSITIVE_INFINITY ? Math.max(1, min) : max;
    if (plain && (rounds === 1 || sizeOf(body) * rounds <= MOST_WRITTEN_OUT))
      this.written(body, min, max, lazy);
    else this.counted(body, min, max, lazy);
  }

  /** A loop without a counter: as many rounds as are needed one after the other. */
  private written(body: Node, min: number, max: number, lazy: boolean): void {
    const { code } = this;
    const splits: Split[] = [];
    const choose = (round: number): void => {
      const split: Split = { op: "split", first: round, second: round, memo: this.memo() };
      code.push(split);
      splits.push(split);
    };
    const unbounded = max === Number.POSITIVE_INFINITY;
    for (let round = 1; round <= (unbounded ? Math.max(1, min) : max); round++) {
      if (round > min) choose(code.length + 1);
      const start = code.length;
      this.add(body);
      // The last round is repeated.
      if (unbounded && round >= min) {
        if (min === 0) code.push({ op: "jump", to: start - 1 });
        else choose(start);
      }
    }
    for (const split of splits) {
      if (lazy) split.first = code.length;
      else split.second = code.length;
    }
  }

  private counted(body: Node, min: number, max: number, lazy: boolean): void {
    const { code } = this;
    // Between rounds an unbounded loop depends on its place only.
    const memo = max === Number.POSITIVE_INFINITY ? this.memo() : -1;
    const loop = this.loops++;
    code.push({ op: "begin-loop", loop });
    const start = code.length;
    const instruction: Instruction = { op: "loop", loop, min, max, lazy, round: start + 1, exit: 0, memo };
    code.push(instruction, { op: "round", loop });
    this.enclosed++;
    this.add(body);
    this.enclosed--;
    code.push({ op: "jump", to: start });
    instruction.exit = code.length;
  }

  private memo(): number {
    return this.enclosed > 0 ? -1 : this.memos++;
  }

  /** Instructions that run by themselves, behind one that jumps over them. */
  private nested(make: (body: number, end: number) => Instruction, body: Node): void {
    const at = this.code.length;
    this.code.push({ op: "fail" });
    this.enclosed++;
    this.add(body);
    this.enclosed--;
    this.code.push({ op: "match" });
    this.code[at] = make(at + 1, this.code.length);
  }
}

function single(node: Extract<Node, { kind: "character" | "set" }>): Instruction {
  if (node.kind === "character" && !node.ignoreCase) return { op: "character", code: node.code };
  return { op: "set", test: testOf(node)! };
}

function testOf(node: Node): CharacterTest | undefined {
  if (node.kind === "set") return node.test;
  if (node.kind !== "character") return undefined;
  const { code } = node;
  if (!node.ignoreCase) return (other) => other === code;
  const variants = new Set(caseVariants(code));
  return (other) => variants.has(other);
}
