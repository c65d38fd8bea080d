import type { Cursor } from "./cursor.ts";
import type { Groups } from "./groups.ts";
import { type Node, RegexError } from "./tree.ts";

/**
 * Reads `\1`, `\k<name>` or `\g<name>`.
 *
 * @returns undefined for anything else
 * @throws RegexError
 */
export function readReference(cursor: Cursor, groups: Groups, ignoreCase: boolean): Node | undefined {
  const rest = cursor.text.slice(cursor.at + 1, cursor.at + 200);
  const number = /^[1-9]\d*/.exec(rest)?.[0];
  if (number !== undefined && (number.length === 1 || Number(number) <= groups.count)) {
    cursor.at += 1 + number.length;
    return groups.refer(Number(number), ignoreCase);
  }
  if (!/^[kg][<']/.test(rest)) return undefined;
  cursor.at += 2;
  return rest.startsWith("k") ? named(cursor, groups, ignoreCase) : groups.call(readName(cursor));
}

/** Behind `\k`: `<name>`, `<1>`, `<-1>`. A level of recursion in it (`+0`) is read, and taken for the innermost one. */
function named(cursor: Cursor, groups: Groups, ignoreCase: boolean): Node {
  const name = readName(cursor);
  if (/^\d+[^\d+-]/.test(name)) throw new RegexError(`invalid group name <${name}>`);
  const plain = name.replace(/(?<=.)[+-]\d+$/, "");
  if (!/^[+-]?[\p{L}\p{M}\p{N}\p{Pc}]+$/u.test(plain))
    throw new RegexError(`invalid char in group name <${name}>`);
  if (/^[+-]?\d+$/.test(plain)) return groups.refer(groups.numbered(plain), ignoreCase);
  const found = groups.named(plain);
  if (found.length === 0) throw new RegexError(`undefined name <${plain}> reference`);
  return found.length === 1 ? groups.refer(found[0]!, ignoreCase) : groups.referToAny(found, ignoreCase);
}

/** The name of a new group, in its brackets or apostrophes. */
export function readGroupName(cursor: Cursor): string {
  if (cursor.at + 1 >= cursor.text.length) throw new RegexError("end pattern with unmatched parenthesis");
  const name = readName(cursor);
  if (/^[\d-]/.test(name)) throw new RegexError(`invalid group name <${name}>`);
  if (!/^[\p{L}\p{M}\p{Pc}]/u.test(name)) throw new RegexError(`invalid char in group name <${name}>`);
  return name;
}

/** The groups of a condition: `(1)`, `(<name>)`, `('name')`. @returns undefined for anything else */
export function readTestedGroups(cursor: Cursor, groups: Groups): readonly number[] | undefined {
  const match = cursor.read(/\((?:<([^<>()]+)>|'([^'()]+)'|([+-]?\d+))\)/y);
  if (match === undefined) return undefined;
  groups.use();
  const name = match[1] ?? match[2] ?? match[3]!;
  if (!/^[+-]?\d+$/.test(name)) {
    const found = groups.named(name);
    if (found.length === 0) throw new RegexError(`undefined name <${name}> reference`);
    return found;
  }
  const group = groups.numbered(name);
  if (group === 0 || group > groups.count) throw new RegexError("invalid backref number/name");
  return [group];
}

/** A name up to its closing `>` or `'`. */
function readName(cursor: Cursor): string {
  const closer = cursor.next() === 0x27 ? "'" : ">";
  const end = cursor.text.slice(cursor.at).search(closer === ">" ? /[>)]/ : /[')]/);
  const name = cursor.text.slice(cursor.at, end < 0 ? undefined : cursor.at + end);
  if (name === "") throw new RegexError("group name is empty");
  cursor.at += name.length;
  if (!cursor.take(closer)) throw new RegexError(`invalid group name <${name}>`);
  return name;
}
