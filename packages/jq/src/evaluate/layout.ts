import { escapeText } from "../format.ts";
import type { Json } from "../json.ts";
import { asExact } from "./exact-number.ts";
import { isArray, isObject } from "./kinds.ts";
import { numberText } from "./number-text.ts";
import { compareStrings } from "./ordering.ts";

/** How `writeJson` sets a value out. */
export interface Layout {
  /** What each level is indented by; undefined for a value on one line. */
  readonly indent?: string | undefined;
  /** Members in the order of their names' code points. */
  readonly sortKeys?: boolean;
  /** Characters beyond ASCII as `\u` escapes. */
  readonly ascii?: boolean;
  /** What each token is painted with; without it, nothing is. */
  readonly colors?: Colors | undefined;
}

/** What stands before a token of each kind, such as `\x1b[1m`, and `off` behind it. */
export type Colors = Readonly<
  Record<"null" | "false" | "true" | "number" | "string" | "array" | "object" | "key" | "off", string>
>;

const plain: Colors = {
  null: "",
  false: "",
  true: "",
  number: "",
  string: "",
  array: "",
  object: "",
  key: "",
  off: "",
};

/** Characters that are written at once, about. */
const PIECE = 65_536;

/** Names that are kept as they are printed: those of records come again and again. */
const MOST_NAMES = 2_000;
const LONGEST_NAME = 100;

/** An array or object that is being printed. */
interface Opened {
  readonly items: readonly Json[];
  readonly names: readonly string[] | undefined;
  readonly brackets: Brackets;
  next: number;
}

/** The tokens of arrays, or of objects. */
interface Brackets {
  readonly open: string;
  readonly separator: string;
  readonly close: string;
}

/**
 * Prints a value piece by piece, so that no text of it as a whole is made: it may be longer than a string can be. Without
 * recursion, so any depth will do; exact numbers as they were written.
 *
 * One function on purpose: with names and tokens in functions of their own, one series of measurements took as long and another one 5 % longer
 * (Node 20).
 *
 * @param write takes the next piece; it says whether more is wanted
 * @returns whether all of it was
 */
export function writeJson(value: Json, layout: Layout, write: (piece: string) => boolean): boolean {
  const { indent, sortKeys = false, ascii = false, colors = plain } = layout;
  const { off } = colors;
  const bracketsOf = (color: string, open: string, close: string): Brackets => ({
    open: color + open + off,
    separator: `${color},${off}`,
    close: color + close + off,
  });
  const ofArrays = bracketsOf(colors.array, "[", "]");
  const ofObjects = bracketsOf(colors.object, "{", "}");
  const nullText = `${colors.null}null${off}`;
  const falseText = `${colors.false}false${off}`;
  const trueText = `${colors.true}true${off}`;
  const text = (string: string): string => `"${ascii ? escapeUnits(escaped(string)) : escaped(string)}"`;
  const colon = `${colors.object}:${off}${indent === undefined ? "" : " "}`;
  const known = new Map<string, string>();
  const nameText = (name: string): string => {
    let printed = known.get(name);
    if (printed === undefined) {
      printed = colors.key + text(name) + off + colon;
      if (name.length <= LONGEST_NAME && known.size < MOST_NAMES) known.set(name, printed);
    }
    return printed;
  };
  /** What stands before a part at each depth. */
  const breaks: string[] = [""];
  const lineAt = (depth: number): string => {
    if (indent === undefined) return "";
    while (breaks.length <= depth) breaks.push(`\n${indent.repeat(breaks.length)}`);
    return depth === 0 ? "\n" : breaks[depth]!;
  };
  const stack: Opened[] = [];
  let out = "";
  const open = (item: Json): void => {
    if (typeof item === "string") {
      if (item.length > PIECE) writeText(item);
      else out += colors.string + text(item) + off;
    } else if (typeof item === "number") out += colors.number + numberText(item) + off;
    else if (item === null) out += nullText;
    else if (typeof item === "boolean") out += item ? trueText : falseText;
    else if (isArray(item)) {
      if (item.length === 0) out += `${colors.array}[]${off}`;
      else {
        out += ofArrays.open;
        stack.push({ items: item, names: undefined, brackets: ofArrays, next: 0 });
      }
    } else if (isObject(item)) {
      const names = Object.keys(item);
      if (sortKeys) names.sort(compareStrings);
      if (names.length === 0) out += `${colors.object}{}${off}`;
      else {
        out += ofObjects.open;
        const items = sortKeys ? names.map((name) => item[name]!) : Object.values(item);
        stack.push({ items, names, brackets: ofObjects, next: 0 });
      }
    } else out += colors.number + asExact(item)!.text + off;
  };
  /** A long text; no piece ends within a surrogate pair. */
  const writeText = (string: string): void => {
    out += `${colors.string}"`;
    for (let from = 0, to = PIECE; from < string.length && isWanted; from = to, to += PIECE) {
      if ((string.charCodeAt(to - 1) & 0xfc00) === 0xd800) to++;
      out += text(string.slice(from, to)).slice(1, -1);
      isWanted = write(out);
      out = "";
    }
    out += `"${off}`;
  };
  let isWanted = true;
  open(value);
  for (let top = stack.at(-1); top !== undefined && isWanted; top = stack[stack.length - 1]) {
    if (out.length >= PIECE) {
      isWanted = write(out);
      out = "";
    }
    const { items, names, brackets } = top;
    const at = top.next++;
    if (at === items.length) {
      stack.pop();
      out += lineAt(stack.length) + brackets.close;
      continue;
    }
    if (at > 0) out += brackets.separator;
    out += lineAt(stack.length);
    if (names !== undefined) out += nameText(names[at]!);
    open(items[at]!);
  }
  return isWanted && (out === "" || write(out));
}

const toEscape = /["\\\u0000-\u001f\u007f]/;

function escaped(text: string): string {
  return toEscape.test(text) ? escapeText(text) : text;
}

function escapeUnits(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
