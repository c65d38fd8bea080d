import type { Expression, ObjectConstruction } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { fit, isNamedAfter, isSettled } from "../../../flow/exchange/fit.ts";
import { type Given, givenBy, givenByConstant, givenByText } from "../../../flow/exchange/given.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { textAt } from "../../../flow/nodes.ts";
import { areOpposite, poleOf } from "../../../flow/poles.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import type { ObjectNode } from "../../../parse/syntax-tree.ts";

/** A member of an object, with what it is given. */
export interface Entry {
  readonly member: string;
  readonly given: Given;
  /** How the value is written. */
  readonly text: string;
}

/** Two members of which each has what goes with the other's name, and not with its own. */
export interface Exchange {
  readonly first: Entry;
  readonly second: Entry;
}

/** The members of an object in a program, without those that are read under their own names: nearly all are. */
export function entriesIn({ entries }: ObjectConstruction, program: JqProgram): readonly Entry[] {
  const odd: { readonly member: string; readonly value: Expression; readonly text: string }[] = [];
  for (const { key, value } of entries) {
    const member = value === undefined ? undefined : nameOf(key);
    if (member === undefined || value === undefined) continue;
    const text = textAt(value, program);
    if (value.kind === "String" || !hasWord(text, member)) odd.push({ member, value, text });
  }
  // It takes two.
  if (odd.length < 2) return [];
  // Options are made of nothing else.
  if (odd.every(({ member }) => isDirection(member)) && odd.some(({ value }) => !isText(value))) return [];
  return odd.map(({ member, value, text }) => ({ member, given: givenBy(value, program), text }));
}

const isText = (value: Expression): boolean => typeof constantOf(value) === "string";

/** The same of a request's `params`, or of an object in its `body`. */
export function entriesOf({ members }: ObjectNode): readonly Entry[] {
  const odd: { readonly member: string; readonly value: string | number | boolean }[] = [];
  for (const { name: member, value } of members)
    if (value?.kind === "string") {
      const isOwn = value.value.startsWith("$") && hasWord(value.value, member);
      if (!isOwn) odd.push({ member, value: value.value });
    } else if (value?.kind === "number" || value?.kind === "boolean")
      odd.push({ member, value: value.value });
  // It takes two.
  if (odd.length < 2) return [];
  return odd.map(({ member, value }) => ({
    member,
    given: typeof value === "string" ? givenByText(value) : givenByConstant(value),
    text: `${value}`,
  }));
}

/** Whether a name stands in a text as a word of its own. */
function hasWord(text: string, name: string): boolean {
  const at = text.indexOf(name);
  if (at < 0 || name === "") return false;
  return !isLetter(text.charCodeAt(at - 1)) && !isLetter(text.charCodeAt(at + name.length));
}

/** Whether a character is one of `\w`. */
const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;

/** If more don't go with their names, the names are in another language, or are codes. */
const most = 8;

/**
 * Two members whose values are exchanged.
 * @param isState whether it may be what is kept between polls: there, one takes what another was on purpose
 */
export function exchangeIn(
  entries: readonly Entry[],
  isState: () => boolean = () => false,
): Exchange | undefined {
  if (entries.length < 2) return undefined;
  // Nearly all values go with the names of their members: only the others are looked at in pairs.
  const odd = entries.filter(({ member, given }) => !isSettled(member, given));
  if (odd.length === 0 || odd.length > most) return undefined;
  // What goes with its name stays, unless it is written there and may be nearly anything.
  const movable = entries.filter((entry) => entry.given.constant !== undefined || odd.includes(entry));
  for (const first of odd)
    for (const second of movable)
      if (first !== second && areExchanged(first, second, isState))
        return entries.indexOf(first) < entries.indexOf(second)
          ? { first, second }
          : { first: second, second: first };
  return entries.every(({ given }) => given.constant !== undefined) ? exchangedConstants(entries) : undefined;
}

/** Names that are exchanged on purpose. */
const directions: ReadonlySet<string> = new Set(
  "display value key old new previous current sender recipient source target origin destination debit credit payer payee debtor creditor".split(
    " ",
  ),
);
const isDirection = (name: string): boolean => directions.has(name.toLowerCase());

function areExchanged(first: Entry, second: Entry, isState: () => boolean): boolean {
  if (first.text === second.text) return false;
  if (isDirection(first.member) && isDirection(second.member)) return false;
  // The start and the end of two things: what lies between them begins where the first ends.
  if (areOpposite(poleOf(first.member), poleOf(second.member))) return false;
  const own = [fit(first.member, first.given), fit(second.member, second.given)] as const;
  // A value that goes with its name stays, unless it is a constant that may be nearly anything.
  if (isSettled(second.member, second.given) && (second.given.constant === undefined || own[0] > -2))
    return false;
  const crossed = [fit(first.member, second.given), fit(second.member, first.given)] as const;
  if (Math.min(...crossed) < 0 || Math.max(...crossed) === 0) return false;
  const sum = own[0] + own[1];
  // Both say it, or one can't be what it is and goes with the other.
  const isSaid = crossed[0] + crossed[1] - sum >= 3 && (Math.min(...crossed) > 0 || sum < -1);
  return isSaid && (sum < 0 || !isState());
}

/** Two texts of a table that are called as each other's keys, where others are called as their own. */
function exchangedConstants(entries: readonly Entry[]): Exchange | undefined {
  const named = ({ member }: Entry, { given }: Entry): boolean => isNamedAfter(member, given.constant ?? "");
  const odd = entries.filter((entry) => !named(entry, entry));
  for (const [index, first] of odd.entries())
    for (const second of odd.slice(index + 1)) {
      if (!named(first, second) || !named(second, first)) continue;
      // What turns each into the other is meant: `{asc: "desc", desc: "asc"}`.
      const isTurned = isWord(first, second) && isWord(second, first);
      const isAlone = odd.length === entries.length;
      if (!isTurned && !(isAlone && (hasOpposites(first) || hasOpposites(second)))) return { first, second };
    }
  return undefined;
}

const isWord = ({ member }: Entry, { given }: Entry): boolean =>
  member.toLowerCase() === given.constant?.toLowerCase();

const opposites =
  /\b(?:in|out|on|off|buy|sell|open|closed?|debit|credit|incoming|outgoing|start|end|enter|leave|inbound|outbound|old|new|from|to)\b/;

const hasOpposites = ({ member }: Entry): boolean => opposites.test(wordsOf(member).join(" "));
