import { type Compilation, compile } from "../compile.ts";
import { fixesOf } from "../findings/diagnostic.ts";
import type { Edit } from "../findings/rule.ts";
import type { Settings } from "../options/settings.ts";

/** A document to which fixes were applied. */
export interface FixedText {
  readonly text: string;
  /** How many fixes were applied. */
  readonly fixed: number;
}

/** Enough for fixes that make way for others; a document that needs more is left as it is then. */
const MAX_ROUNDS = 20;

/**
 * Applies the safe fixes of a document until there are none left. In a round, fixes whose edits meet those of another one wait
 * for the next. A round that makes anything worse is taken back and its fixes are tried one by one.
 *
 * @param source bytes that aren't UTF-8 are returned as they are decoded, with nothing fixed: writing them would lose data
 */
export function fixText(path: string, source: string | Uint8Array, settings: Partial<Settings>): FixedText {
  const check = (text: string | Uint8Array): Compilation => compile(text, { uri: path, settings });
  const original = check(source);
  let before = original;
  let fixed = 0;
  const seen = new Set<string>();
  if (before.model.document.problems.some(({ kind }) => kind === "encoding")) {
    return { text: before.model.document.text, fixed };
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { text } = before.model.document;
    seen.add(text);
    const improved = improve(before, compatible(safeFixes(before)), check);
    // Two rules that undo each other would go on for ever.
    if (improved === undefined || seen.has(improved.after.model.document.text)) break;
    before = improved.after;
    fixed += improved.count;
  }
  // A fix may only turn a mistake into the next one, for a later round to repair. If none did, nothing is gained by it.
  const moreReadable = before.model.document.problems.length < original.model.document.problems.length;
  if (!moreReadable && before.diagnostics.length >= original.diagnostics.length)
    return { text: original.model.document.text, fixed: 0 };
  return { text: before.model.document.text, fixed };
}

type EditGroup = readonly Edit[];

interface Improvement {
  readonly after: Compilation;
  readonly count: number;
}

/** The edits of each finding's first safe fix. */
function safeFixes({ model, diagnostics }: Compilation): EditGroup[] {
  return diagnostics.flatMap((diagnostic) => {
    const fix = fixesOf(model, diagnostic).find(({ safe }) => safe);
    return fix === undefined || fix.edits.length === 0 ? [] : [fix.edits];
  });
}

/** Those of the groups, from the first one on, whose edits don't meet. */
function compatible(groups: readonly EditGroup[]): EditGroup[] {
  const taken: Edit[] = [];
  return groups.filter((group) => {
    if (group.some((edit) => taken.some((other) => meet(edit, other)))) return false;
    taken.push(...group);
    return true;
  });
}

/** Whether the order of two edits would matter. */
function meet(a: Edit, b: Edit): boolean {
  return a.start <= b.end && b.start <= a.end;
}

/** The document with as many of the edits as make nothing worse; undefined if that is none. */
function improve(
  before: Compilation,
  groups: readonly EditGroup[],
  check: (text: string) => Compilation,
): Improvement | undefined {
  const { text } = before.model.document;
  let best: Improvement | undefined;
  // Halves instead of one by one: a document may have thousands of fixes, and nearly always all of them are good.
  const add = (more: readonly EditGroup[], accepted: readonly EditGroup[]): readonly EditGroup[] => {
    if (more.length === 0) return accepted;
    const all = [...accepted, ...more];
    const changed = applyEdits(text, all.flat());
    const after = changed === text ? before : check(changed);
    if (after !== before && !isWorse(before, after)) {
      best = { after, count: all.length };
      return all;
    }
    if (more.length === 1) return accepted;
    const half = more.length >> 1;
    return add(more.slice(half), add(more.slice(0, half), accepted));
  };
  add(groups, []);
  return best;
}

/** A fix may uncover findings by making more of the document readable, but nothing else may grow. */
function isWorse(before: Compilation, after: Compilation): boolean {
  const problems = after.model.document.problems.length - before.model.document.problems.length;
  return problems > 0 || (problems === 0 && failures(after) > failures(before));
}

function failures({ diagnostics }: Compilation): number {
  return diagnostics.filter(({ severity }) => severity === "error" || severity === "warning").length;
}

/**
 * The text with edits made: offsets are UTF-16 units of the text before any of them.
 *
 * @param edits that don't meet, in any order
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, newText } of [...edits].sort((a, b) => a.start - b.start)) {
    parts.push(text.slice(at, start), newText);
    at = end;
  }
  return parts.join("") + text.slice(at);
}
