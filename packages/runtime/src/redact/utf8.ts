/** Bytes as text, and where each of its UTF-16 units comes from. */
interface DecodedBytes {
  readonly text: string;
  /** The byte at which a unit's character begins, and behind the last one the number of bytes; undefined where each is one byte. */
  readonly at?: readonly number[];
}

/**
 * Reads bytes as UTF-8. What isn't UTF-8 is taken for Latin-1, so that nothing of it gets lost.
 *
 * @param binary one byte a unit
 */
export function decodeUtf8(binary: string): DecodedBytes {
  if (/^[\0-\x7f]*$/.test(binary)) return { text: binary };
  let text = "";
  const at: number[] = [];
  for (let start = 0; start < binary.length; ) {
    const [point, length] = characterAt(binary, start);
    const character = String.fromCodePoint(point);
    for (let unit = 0; unit < character.length; unit++) at.push(start);
    text += character;
    start += length;
  }
  at.push(binary.length);
  return { text, at };
}

function characterAt(binary: string, start: number): readonly [point: number, length: number] {
  const first = binary.charCodeAt(start);
  const length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
  if (length === 1) return [first, 1];
  let point = first & (0xff >> (length + 1));
  for (let at = start + 1; at < start + length; at++) {
    const next = binary.charCodeAt(at);
    if ((next & 0xc0) !== 0x80) return [first, 1];
    point = (point << 6) | (next & 0x3f);
  }
  return point > 0x10ffff ? [first, 1] : [point, length];
}
