import { canBeEmpty } from "../syntax/emptiness.ts";
import type { Node } from "../syntax/tree.ts";
import { fold, foldAll } from "./case-folding.ts";
import { type CharacterTest, testOf } from "./character-tests.ts";

/**
 * What a match can begin with.
 *
 * @returns undefined if it may begin with anything, or match nothing
 */
export function firstCharacters(node: Node): CharacterTest | undefined {
  switch (node.kind) {
    case "never":
      return () => false;
    case "character":
      return (code) => code === node.code;
    case "folded": {
      const text = foldAll(node.codes);
      return (code) => text.startsWith(fold(code));
    }
    case "set":
      return testOf(node.set);
    case "group":
    case "atomic":
      return firstCharacters(node.body);
    case "repeat":
      return node.min === 0 ? undefined : firstCharacters(node.body);
    case "alternatives":
      return anyOf(node.items.map(firstCharacters));
    case "sequence": {
      const tests: (CharacterTest | undefined)[] = [];
      for (const item of node.items) {
        if (takesNoText(item)) continue;
        if (!canBeEmpty(item)) return anyOf([...tests, firstCharacters(item)]);
        tests.push(item.kind === "repeat" ? firstCharacters(item.body) : undefined);
      }
      return undefined;
    }
    default:
      return undefined;
  }
}

function anyOf(tests: readonly (CharacterTest | undefined)[]): CharacterTest | undefined {
  const known = tests.filter((test) => test !== undefined);
  if (known.length < tests.length) return undefined;
  return known.length === 1 ? known[0] : (code) => known.some((test) => test(code));
}

function takesNoText({ kind }: Node): boolean {
  return kind === "assertion" || kind === "look" || kind === "keep" || kind === "empty";
}

/** Whether a match begins at the start of the text only. */
export function isAnchored(node: Node): boolean {
  switch (node.kind) {
    case "assertion":
      return node.what === "text-start";
    case "group":
    case "atomic":
      return isAnchored(node.body);
    case "alternatives":
      return node.items.every(isAnchored);
    case "sequence": {
      const first = node.items.find((item) => item.kind !== "empty");
      return first !== undefined && isAnchored(first);
    }
    default:
      return false;
  }
}

/** How many instructions a part takes, about; used to decide what is written out several times. */
export function sizeOf(node: Node): number {
  switch (node.kind) {
    case "sequence":
    case "alternatives":
      return node.items.reduce((sum, item) => sum + sizeOf(item), 1);
    case "repeat":
      return (
        (sizeOf(node.body) + 1) * Math.max(1, node.min, node.max === Number.POSITIVE_INFINITY ? 1 : node.max)
      );
    case "group":
    case "atomic":
    case "look":
    case "absence":
      return sizeOf(node.body) + 2;
    case "condition":
      return sizeOf(node.yes) + sizeOf(node.no) + ("kind" in node.test ? sizeOf(node.test) : 0) + 2;
    default:
      return 1;
  }
}
