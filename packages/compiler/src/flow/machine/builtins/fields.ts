import { isKind, type TextValue, UNKNOWN, type Value } from "../value.ts";

/** What patterns take out of a text that is written as `t=1,v1=2`, and out of one part of it, `t=1`. */

/** A capturing group of a pattern. */
interface Group {
  readonly name: string | undefined;
  /** What it takes, as it is written: `[0-9]+`. */
  readonly takes: string;
  /** The name in `t=([0-9]+)`. */
  readonly behind: string | undefined;
  /** Whether it stands behind another one and a sign: `(\w+)=(\w+)`. */
  readonly isSecond: boolean;
}

/** The capturing groups of a pattern, none of which is in another; undefined where some are. */
function groupsOf(pattern: string): readonly Group[] | undefined {
  const groups: Group[] = [];
  const opening = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?!\?[:=!])(?:\?<(\w+)>)?|\(\?[:=!]/g;
  let end = 0;
  for (let found = opening.exec(pattern); found !== null; found = opening.exec(pattern)) {
    if (!found[0].startsWith("(")) continue;
    const [closing] =
      /^(?:\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^()\\[])*\)/.exec(pattern.slice(opening.lastIndex)) ?? [];
    if (closing === undefined) return undefined;
    const before = pattern.slice(end, found.index);
    opening.lastIndex += closing.length;
    end = opening.lastIndex;
    // What isn't captured counts as what stands before the next one.
    if (/^\(\?[:=!]/.test(found[0])) continue;
    groups.push({
      name: found[1],
      takes: closing.slice(0, -1),
      behind: /(?:^|[^\w\\-])([A-Za-z][\w-]*)\\?=$/.exec(before)?.[1],
      isSecond: /^\\?[=:]$/.test(before) && groups.length > 0,
    });
  }
  return groups;
}

/** The name and the value that a pattern of two groups takes: `^(?<k>[a-z0-9]+)=(?<v>.*)$`. */
function pairIn(groups: readonly Group[]): readonly [Group, Group] | undefined {
  const [name, value, ...others] = groups;
  if (name === undefined || value?.isSecond !== true || others.length > 0 || name.behind !== undefined)
    return undefined;
  return /^(?:\\w|\[[^\]]+\]|\.)[+*]\??$/.test(name.takes) ? [name, value] : undefined;
}

const digits = /^(?:\[0-9\]|\\d)(?:[+*]|\{[\d,]+\})$/;
const hexadecimal = /^\[(?:0-9|[aA]-[fF]|[aA]-[zZ]|[+/=_-])+\](?:[+*]|\{[\d,]+\})=*$/;

/** What a group takes of a text with several parts: by the name before it, or by what only one of them is written with. */
function taken({ name, behind, takes }: Group, fields: ReadonlyMap<string, Value>): Value {
  const known = fields.get(behind ?? name ?? "");
  if (known !== undefined) return known;
  if (digits.test(takes)) return fields.get("t") ?? UNKNOWN;
  return (hexadecimal.test(takes) ? fields.get("signature") : undefined) ?? UNKNOWN;
}

/** What `capture` gives of such a text; undefined where that isn't known. */
export function captured({ fields, field }: TextValue, pattern: Value | undefined): Value | undefined {
  const groups = typeof pattern === "string" ? groupsOf(pattern) : undefined;
  const pair = groups === undefined ? undefined : pairIn(groups);
  const members = new Map<string, Value>();
  if (field !== undefined && pair !== undefined) {
    for (const [at, { name }] of pair.entries()) if (name !== undefined) members.set(name, field[at]!);
    return { kind: "record", members, open: false };
  }
  if (fields === undefined || pair !== undefined) return undefined;
  for (const group of groups ?? [])
    if (group.name !== undefined) members.set(group.name, taken(group, fields));
  // By what it names, whatever isn't read of the pattern.
  for (const [name, value] of fields) if (!members.has(name)) members.set(name, value);
  return { kind: "record", members, open: true };
}

/** All that `scan` gives of such a text, as a list; unknown where that isn't known. */
export function scanned(text: Value, pattern: Value | undefined): Value {
  const fields = isKind(text, "text") ? text.fields : undefined;
  const groups = typeof pattern === "string" ? groupsOf(pattern) : undefined;
  if (fields === undefined || groups === undefined) return UNKNOWN;
  if (pairIn(groups) !== undefined)
    return { kind: "unknown", entries: [...fields].map((items) => ({ kind: "list", items })) };
  // Others, as in `(^|,)t=([0-9]+)`, take what nobody asks for.
  const named = groups.map((group) => (group.behind === undefined ? UNKNOWN : taken(group, fields)));
  const items = groups.length === 1 && groups[0]!.behind === undefined ? [taken(groups[0]!, fields)] : named;
  return items.every((item) => item === UNKNOWN)
    ? UNKNOWN
    : { kind: "list", items: [{ kind: "list", items }] };
}
