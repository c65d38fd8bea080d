import { bytes, countMade, countSize, countSteps } from "./meter.ts";

/** Characters that are converted at once; what comes of them may be many times as long. */
const PIECE = 65_536;

/** Converts a text, counting what it becomes as it grows. No piece ends within a surrogate pair. */
export function inChunks(text: string, convert: (piece: string) => string): string {
  if (text.length <= PIECE) return converted(text, convert);
  let done = "";
  for (let from = 0, to = PIECE; from < text.length; from = to, to += PIECE) {
    const last = text.charCodeAt(to - 1);
    if (last >= 0xd800 && last <= 0xdbff) to++;
    const piece = converted(text.slice(from, to), convert);
    countSize(done.length + piece.length);
    countMade(piece.length * bytes.character);
    done += piece;
  }
  return done;
}

/** What is longer afterwards was converted character by character. */
function converted(text: string, convert: (piece: string) => string): string {
  const result = convert(text);
  if (result.length > text.length) countSteps(result.length - text.length);
  return result;
}
