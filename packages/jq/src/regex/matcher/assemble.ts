import { canBeEmpty } from "../syntax/emptiness.ts";
import type { Node, Regex } from "../syntax/tree.ts";
import { firstCharacters, isAnchored, sizeOf } from "./analysis.ts";
import { fold, foldAll } from "./case-folding.ts";
import { type CharacterTest, tabulated, testOf } from "./character-tests.ts";
import type { Instruction, Operation, Program } from "./program.ts";

/** Loops of at most so many instructions are written out round by round, and need no counter. */
const MOST_WRITTEN_OUT = 250;

/** Turns a tree into instructions. */
export function assemble({ body, groups, names, usesGroups }: Regex): Program {
  const assembler = new Assembler(usesGroups);
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
    memos: usesGroups ? 0 : assembler.memos,
    first: firstCharacters(body),
    anchored: isAnchored(body),
    names,
  };
}

class Assembler {
  readonly code: Instruction[] = [];
  /** Grows while the bodies of called groups are added, which call others. */
  readonly called = new Set<number>();
  loops = 0;
  memos = 0;
  private readonly usesGroups: boolean;
  /** Inside counted loops, and parts that run by themselves. */
  private enclosed = 0;

  constructor(usesGroups: boolean) {
    this.usesGroups = usesGroups;
  }

  add(node: Node): void {
    const { code } = this;
    switch (node.kind) {
      case "empty":
        return;
      case "never":
        code.push({ op: "fail" });
        return;
      case "character":
        code.push({ op: "character", code: node.code });
        return;
      case "set":
        code.push({ op: "set", test: testOf(node.set) });
        return;
      case "folded":
        code.push({ op: "folded", text: foldAll(node.codes) });
        return;
      case "sequence":
        for (const item of node.items) this.add(item);
        return;
      case "alternatives":
        return this.alternatives(node.items);
      case "group":
        return this.group(node);
      case "repeat":
        return this.repeat(node);
      case "look":
        return this.nested(
          (body, end) => ({
            op: "look",
            behind: node.behind,
            negate: node.negate,
            length: node.length,
            body,
            end,
          }),
          node.body,
        );
      case "atomic":
        return this.nested((body, end) => ({ op: "atomic", body, end }), node.body);
      case "absence":
        return this.nested((body, end) => ({ op: "absence", body, end }), node.body);
      case "backreference":
        code.push({ op: "backreference", groups: node.groups, ignoreCase: node.ignoreCase });
        return;
      case "call":
        this.called.add(node.group);
        code.push({ op: "call", group: node.group });
        return;
      case "condition":
        return this.condition(node);
      case "keep":
      case "grapheme":
        code.push({ op: node.kind });
        return;
      case "assertion":
        code.push({ op: "assert", what: node.what });
    }
  }

  private group({ number, body }: Extract<Node, { kind: "group" }>): void {
    const { code } = this;
    const loop = this.usesGroups ? this.loops++ : -1;
    code.push(loop < 0 ? { op: "save", slot: number * 2 } : { op: "open", group: number, loop });
    this.add(body);
    code.push(loop < 0 ? { op: "save", slot: number * 2 + 1 } : { op: "close", group: number, loop });
  }

  private condition({ test, yes, no }: Extract<Node, { kind: "condition" }>): void {
    const { code } = this;
    const at = code.length;
    if ("kind" in test) this.nested((body, end) => ({ op: "attempt", body, end, no: 0 }), test);
    else code.push({ op: "condition", groups: test, no: 0 });
    const start = code[at] as Operation<"condition" | "attempt">;
    this.add(yes);
    const jump: Instruction = { op: "jump", to: 0 };
    code.push(jump);
    start.no = code.length;
    this.add(no);
    jump.to = code.length;
  }

  private alternatives(items: readonly Node[]): void {
    const { code } = this;
    const jumps: Operation<"jump">[] = [];
    for (const [index, item] of items.entries()) {
      if (index === items.length - 1) {
        this.add(item);
        continue;
      }
      const split: Instruction = { op: "split", first: code.length + 1, second: 0, memo: this.memo() };
      code.push(split);
      this.add(item);
      const jump: Operation<"jump"> = { op: "jump", to: 0 };
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
    const test = singleTest(body);
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
    const splits: Operation<"split">[] = [];
    const choose = (round: number): void => {
      const split: Operation<"split"> = { op: "split", first: round, second: round, memo: this.memo() };
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

/** A part that takes one character of a set each time. */
function singleTest(node: Node): CharacterTest | undefined {
  switch (node.kind) {
    case "set":
      return testOf(node.set);
    case "character": {
      const { code } = node;
      return (other) => other === code;
    }
    case "folded": {
      const text = foldAll(node.codes);
      // `ß` matches two characters too.
      if (node.codes.length !== 1 || [...text].length !== 1) return undefined;
      return tabulated((other) => fold(other) === text);
    }
    default:
      return undefined;
  }
}
