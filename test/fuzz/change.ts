import { sparks } from "../properties/arbitraries.ts";
import type { Random } from "./random.ts";

/** A document after one to five changes at random; some keep it JSON, so that what comes after parsing is reached. */
export function changed(text: string, others: readonly string[], random: Random): string {
  let result = text;
  for (let count = 1 + random.below(5); count > 0; count--)
    result = random.pick(changes)(result, others, random);
  return result;
}

type Change = (text: string, others: readonly string[], random: Random) => string;

const anywhere: Change = (text, _, random) =>
  insert(text, random.below(text.length + 1), random.pick(sparks));

const cut: Change = (text, _, random) => {
  const at = random.below(text.length);
  return text.slice(0, at) + text.slice(at + random.below(200));
};

const splice: Change = (text, others, random) => {
  const other = random.pick(others);
  const from = random.below(other.length);
  return insert(text, random.below(text.length + 1), other.slice(from, from + random.below(400)));
};

/** Some JSON value or name in place of another one, of this document or of another. */
const exchange: Change = (text, others, random) => {
  const place = token(text, random);
  const other = random.pick(others);
  const [start, end] = token(other, random);
  return place[0] === place[1]
    ? text
    : text.slice(0, place[0]) + other.slice(start, end) + text.slice(place[1]);
};

const insideString: Change = (text, _, random) => {
  const [start, end] = token(text, random);
  if (text.charAt(start) !== '"' || end - start < 2) return text;
  const spark = JSON.stringify(random.pick(sparks)).slice(1, -1);
  return insert(text, start + 1 + random.below(end - start - 1), spark);
};

const doubleLine: Change = (text, _, random) => {
  const lines = text.split("\n");
  const at = random.below(lines.length);
  return [...lines.slice(0, at), lines[at]!, ...lines.slice(at)].join("\n");
};

const lostLine: Change = (text, _, random) => {
  const lines = text.split("\n");
  const at = random.below(lines.length);
  return [...lines.slice(0, at), ...lines.slice(at + 1)].join("\n");
};

const changes: readonly Change[] = [
  anywhere,
  cut,
  splice,
  exchange,
  exchange,
  exchange,
  insideString,
  insideString,
  insideString,
  doubleLine,
  lostLine,
];

function insert(text: string, at: number, piece: string): string {
  return text.slice(0, at) + piece + text.slice(at);
}

/** Span of a string, a number or a literal near a place. */
function token(text: string, random: Random): [number, number] {
  const from = random.below(text.length);
  const match = /"(?:[^"\\\n]|\\.)*"|-?\d+|true|false|null/.exec(text.slice(from, from + 500));
  return match === null ? [0, 0] : [from + match.index, from + match.index + match[0].length];
}
