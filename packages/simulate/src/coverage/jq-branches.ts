import type { AppProgram } from "@configc/compiler";
import { compile, type Expression, type Filter, JqError, type Postfix, parse, walk } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { ProgramRun } from "@configc/runtime";

/** What a jq program does only in some cases. */
export interface JqBranch {
  /**
   * `value` is what stands before a `//`: it is used if it gives something; `default` is what stands for it otherwise. `dropped` is an
   * error that `?`, or `try` without `catch`, drops.
   */
  readonly kind: "then" | "else" | "value" | "default" | "catch" | "dropped";
  /** UTF-16 offsets in the program. An `else` that isn't written is the `end` in whose place it would stand. */
  readonly start: number;
  readonly end: number;
  /** Of an error that is dropped: where what may fail stands. */
  readonly fails?: Fails;
}

/** What fails, from the beginning of `start` on. `isStep`: it is a step of a path, and an error of what stands before it isn't dropped. */
interface Fails {
  readonly start: number;
  readonly end: number;
  readonly isStep: boolean;
}

/** The branches of a program, in source order. */
export function branchesOf({ text, holes }: AppProgram): readonly JqBranch[] {
  const found: JqBranch[] = [];
  const add = (kind: JqBranch["kind"], { start, end }: Expression): void =>
    void found.push({ kind, start, end });
  walk(parse(text, { holes }).program, {
    enter(node) {
      if (node.kind === "If") {
        for (const { body } of node.branches) add("then", body);
        if (node.otherwise !== undefined) add("else", node.otherwise);
        else found.push({ kind: "else", start: node.end - "end".length, end: node.end });
      } else if (node.kind === "Alternative") {
        for (const [index, operand] of node.operands.entries())
          add(index < node.operands.length - 1 ? "value" : "default", operand);
      } else if (node.kind === "Try" && node.handler !== undefined) add("catch", node.handler);
      else if (node.kind === "Try") {
        const { start, end } = node.body;
        found.push({ kind: "dropped", start, end, fails: { start, end, isStep: false } });
      } else if (node.kind === "Postfix") found.push(...droppedIn(node));
      return undefined;
    },
  });
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** The `?` of a path; those behind an index that is computed are left out, since it is computed of the input of the whole. */
function droppedIn({ start, suffixes }: Postfix): readonly JqBranch[] {
  return suffixes.flatMap((suffix, index): JqBranch[] => {
    if (suffix.kind !== "Optional") return [];
    const { end } = suffix;
    const step = suffixes[index - 1];
    if (step === undefined)
      return [{ kind: "dropped", start, end, fails: { start, end: suffix.start, isStep: false } }];
    const isPlain =
      step.kind === "Iterate" ||
      (step.kind === "Field" && step.key.kind === "Name") ||
      (step.kind === "Index" && constantOf(step.index) !== undefined);
    return isPlain
      ? [{ kind: "dropped", start, end, fails: { start: step.start, end: step.end, isStep: true } }]
      : [];
  });
}

/**
 * The indexes of the branches that a run took. The program is run again with a mark in each of them: in its own run nothing may cost
 * more because somebody counts.
 */
export function branchesTaken(
  { holes, input, now }: ProgramRun,
  { filter }: MarkedProgram,
): ReadonlySet<number> {
  const taken = new Set<number>();
  try {
    filter?.first(input, {
      bindings: { holes },
      clock: () => now / 1_000,
      timeZone: "UTC",
      io: { debug: (mark) => void taken.add(Number(mark)) },
      budget: { steps: 50_000_000, milliseconds: 10_000, memory: 1_000_000_000 },
    });
  } catch (error) {
    // It failed in its own run too, and took branches until then.
    if (!(error instanceof JqError)) throw error;
  }
  return taken;
}

/** A program that tells which of its branches it takes. */
export interface MarkedProgram {
  /** Undefined where the program itself can't run. */
  readonly filter: Filter | undefined;
}

/** A name of our own for `debug`: the app may give that to something else. */
const MARK = "__configc_branch";
const DEFINITION = `def ${MARK}($n): debug($n); `;

/** The program with a mark in each branch, which changes nothing of what it gives, nor of the paths that it names. */
export function marked({ text, holes }: AppProgram, branches: readonly JqBranch[]): MarkedProgram {
  const insertions: Insertion[] = [];
  for (const [index, { kind, start, end, fails }] of branches.entries()) {
    const mark = `${MARK}(${index})`;
    // Branches come before those in them: their beginnings stay in this order, their ends turn round.
    const open = (added: string): void =>
      void insertions.push({ at: start, text: added, closes: false, rank: index });
    // What it closes may end in a comment.
    const close = (added: string): void =>
      void insertions.push({ at: end, text: `\n${added})`, closes: true, rank: -index });
    if (fails !== undefined) {
      const caught = `\n) catch (${mark} | empty)`;
      const insert = (at: number, added: string, closes: boolean): void =>
        void insertions.push({ at, text: added, closes, rank: closes ? -index : index });
      if (fails.end === end) {
        // `try` without `catch`: its own drops nothing any more.
        insert(start, "(try (", false);
        insert(end, `${caught})`, true);
      } else {
        if (!fails.isStep || fails.start === start) insert(start, "((try (", false);
        else {
          insert(start, "(", false);
          insert(fails.start, ` | (try (${text[fails.start] === "." ? "" : "."}`, false);
        }
        // Neither does the `?` that follows.
        insert(fails.end, `${caught}) | .`, true);
        insert(end, ")", true);
      }
    } else if (kind === "else" && text.slice(start, end) === "end") open(` else ${mark} `);
    else if (kind === "value") {
      open("(");
      close(`| if . then ${mark} else . end`);
    } else {
      open(`(${mark} | `);
      close("");
    }
  }
  insertions.sort((a, b) => a.at - b.at || Number(b.closes) - Number(a.closes) || a.rank - b.rank);
  return inserted(text, holes, insertions);
}

interface Insertion {
  readonly at: number;
  readonly text: string;
  readonly closes: boolean;
  readonly rank: number;
}

/** @param insertions by place */
function inserted(text: string, holes: AppProgram["holes"], insertions: readonly Insertion[]): MarkedProgram {
  let result = DEFINITION;
  let from = 0;
  for (const { at, text: added } of insertions) {
    result += text.slice(from, at) + added;
    from = at;
  }
  const shift = (offset: number): number =>
    insertions.reduce(
      (sum, { at, text: added }) => (at <= offset ? sum + added.length : sum),
      offset + DEFINITION.length,
    );
  const places = holes.map(({ start, end }) => ({ start: shift(start), end: shift(start) + end - start }));
  return { filter: compile(result + text.slice(from), { holes: places, exact: true }).filter };
}
