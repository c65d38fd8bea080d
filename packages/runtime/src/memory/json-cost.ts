import { ExactNumber } from "@configc/jq";

/** Bytes of an object in the heap, as an engine keeps it. Measured with V8, which Node and half of the browsers use; others need less. */
const OBJECT = 64;
const ARRAY = 56;
const STRING = 24;
/** A place in an array or object, and the number in it if it is no small integer. */
const SLOT = 8;
const NUMBER = 16;
/** A member where no object before had the same ones up to it: a shape, its description, and the name. */
const NEW_MEMBER = 184;

/** What a text of that many characters costs at most where each is an object of its own; small ones aren't looked at. */
const DEAREST = 40;
const SMALL = 4_096;

/** How many shapes are remembered. Engines know more, but who needs more than that is dear anyway. */
const SHAPES = 4_096;
/** Objects that are nested deeper have no shapes. */
const DEEPEST = 1_000;

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN_ARRAY, OPEN_OBJECT, CLOSE_OBJECT, POINT, UPPER_E, LOWER_E] = [91, 123, 125, 46, 69, 101];

/**
 * Estimates the bytes that the value of a JSON text takes up in memory, by one look at its signs: `[[],[],…]` is 28 times as large as its text,
 * a long string as large. It isn't lower than what V8 needs; objects whose members all have names of their own are the dearest.
 *
 * @param text JSON; anything else gets an estimate too
 */
export function jsonCost(text: string): number {
  const { length } = text;
  if (length <= SMALL) return length * DEAREST;
  const known = new Int32Array(SHAPES);
  const shapes: number[] = [];
  let bytes = length;
  let shape = 0;
  let name = 0;
  let isNumber = false;
  for (let at = 0; at < length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        bytes += STRING;
        name = 1;
        isNumber = isDigit(text.charCodeAt(at + 1));
        for (at++; at < length; at++) {
          const code = text.charCodeAt(at);
          if (code === QUOTE) break;
          if (code === BACKSLASH) at++;
          name = (Math.imul(name, 31) + code) | 0;
        }
        break;
      }
      case COLON: {
        // The name was counted as a text; where it is a number, engines keep the member in a table.
        shape = (Math.imul(shape, 0x01000193) ^ name) | 1;
        const place = (shape ^ (shape >>> 15)) & (SHAPES - 1);
        const isKnown = known[place] === shape;
        known[place] = shape;
        bytes += isKnown && !isNumber ? SLOT - STRING : NEW_MEMBER;
        break;
      }
      case OPEN_OBJECT:
        bytes += OBJECT + SLOT;
        if (shapes.length < DEEPEST) shapes.push(shape);
        shape = 0;
        break;
      case CLOSE_OBJECT:
        shape = shapes.pop() ?? at;
        break;
      case OPEN_ARRAY:
        bytes += ARRAY + SLOT;
        break;
      case COMMA:
        bytes += SLOT;
        break;
      case POINT:
      case UPPER_E:
      case LOWER_E:
        bytes += NUMBER;
    }
  }
  return bytes;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The same for a value that is there already. */
/**
 * The same for a value that is there already. What stands in it at several places counts at each, as it does when the value is written out: a small
 * value may be without an end then, so whoever doesn't know where it comes from gives a limit.
 *
 * @param most bytes at which it is enough: what is given then is more than that
 */
export function valueCost(value: unknown, most = Number.POSITIVE_INFINITY): number {
  let bytes = 0;
  const opened: Opened[] = [];
  const count = (item: unknown): void => {
    bytes += SLOT;
    if (typeof item === "string") bytes += STRING + 2 * item.length;
    else if (typeof item !== "object" || item === null) return;
    else if (item instanceof ExactNumber) bytes += OBJECT + STRING + item.text.length;
    else if (Array.isArray(item)) {
      bytes += ARRAY;
      if (item.length > 0) opened.push({ items: item, next: 0 });
    } else {
      const names = Object.keys(item);
      bytes += OBJECT;
      for (const name of names) bytes += SLOT + name.length;
      if (names.length > 0) opened.push({ items: Object.values(item), next: 0 });
    }
  };
  count(value);
  for (let top = opened.at(-1); top !== undefined && bytes <= most; top = opened.at(-1)) {
    if (top.next === top.items.length) opened.pop();
    else count(top.items[top.next++]);
  }
  return bytes;
}

/** A list or an object whose items are being looked at. */
interface Opened {
  readonly items: readonly unknown[];
  next: number;
}
