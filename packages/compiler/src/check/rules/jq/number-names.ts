import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { derivedInPlace } from "../../../bind/derived.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { isPlural } from "../../../flow/nouns.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { roleOf } from "../../../flow/value-role.ts";
import { nameRead } from "../../../flow/vocabulary.ts";

/**
 * Whether a member has a number by what its pipeline does with others of its name: it writes numbers under it, `{priority: 4}`, or compares it
 * with them; or counts of its noun are reckoned with: `free_bottles` beside `.wine.bottles_per_case`. A 1 or a 0 may be a flag, and whether a
 * time is there is often asked.
 */
export function isNumber(name: string, program: JqProgram): boolean {
  const role = roleOf(name);
  if (role === "flag" || role === "time" || role === "id") return false;
  const { names, nouns } = numbersAround(program);
  if (names.has(name)) return true;
  const words = wordsOf(name);
  const noun = words.at(-1) ?? "";
  return words.length === 2 && isPlural(noun) && !ofFlags.test(words[0]!) && nouns.has(noun);
}

/** `needs_seats` asks whether any are needed. */
const ofFlags = /s$|^(?:has|can|may|with|allow|include|need|use|show|auto|no|any)$/;

interface Numbers {
  readonly names: ReadonlySet<string>;
  /** What is counted: `bottles` of `bottles_per_case`. */
  readonly nouns: ReadonlySet<string>;
}

const numbersAround = derivedInPlace((program: JqProgram): Numbers => {
  const names = new Set<string>();
  const nouns = new Set<string>();
  for (const each of programsAround(program)) {
    for (const { key, value } of nodesOfKind(each, "Entry")) {
      const name = nameOf(key);
      const number = value === undefined ? undefined : numberOf(value);
      if (name !== undefined && number !== undefined && Math.abs(number) > 1) names.add(name);
    }
    for (const { left, right, operator } of nodesOfKind(each, "Comparison"))
      for (const [read, constant] of [
        [left, right],
        [right, left],
      ] as const) {
        const number = numberOf(constant);
        const name = number === undefined ? undefined : nameIn(read, each);
        if (name === undefined) continue;
        const isEquality = operator === "==" || operator === "!=";
        if (!isEquality || Math.abs(number!) > 1) names.add(name);
      }
    for (const [, noun = ""] of each.node.value.matchAll(/\b([a-z]{3,30}s)_per_[a-z]/g)) nouns.add(noun);
  }
  return { names, nouns };
});

const nameIn = (read: Expression, program: JqProgram): string | undefined => {
  const node = bare(read);
  return node.kind === "Postfix" || node.kind === "Hole" ? nameRead(node, program) : undefined;
};

/** The programs of the pipelines that a program stands in. */
function programsAround(program: JqProgram): readonly JqProgram[] {
  const found = new Set<JqProgram>([program]);
  for (let at = program.command.pipe; at !== undefined; at = at.parent?.pipe)
    for (const step of at.children) if (step?.program !== undefined) found.add(step.program);
  return [...found];
}
