// The encoding standard's classes, which every runtime has, though the language's own library doesn't.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (
  label: string,
  options: { ignoreBOM?: boolean; fatal?: boolean },
) => { decode(bytes: Uint8Array): string };

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Invalid bytes become U+FFFD. */
export function utf8Text(bytes: Uint8Array): string {
  return strictUtf8Text(bytes) ?? repairedText(bytes);
}

/** As jq replaces what isn't UTF-8: a sequence that is cut off at the end takes all that is left. */
function repairedText(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at]!;
    const length =
      lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    let read = 1;
    while (read < length && at + read < bytes.length && (bytes[at + read]! & 0xc0) === 0x80) read++;
    if (length > 0 && at + length > bytes.length) read = bytes.length - at;
    const whole = read === length ? strictUtf8Text(bytes.subarray(at, at + read)) : undefined;
    text += whole ?? "\ufffd";
    at += read;
  }
  return text;
}

/** Undefined if the bytes aren't UTF-8. */
export function strictUtf8Text(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const base32Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function encodeBase64(bytes: Uint8Array): string {
  const text = encodeBits(bytes, 6, base64Digits);
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=");
}

export function encodeBase32(bytes: Uint8Array): string {
  const text = encodeBits(bytes, 5, base32Digits);
  return text.padEnd(Math.ceil(text.length / 8) * 8, "=");
}

/** `"trailing"`: a last character that holds no whole byte. Undefined: another character. */
export function decodeBase64(text: string): Uint8Array | "trailing" | undefined {
  // What comes after the padding isn't looked at, as in jq.
  const padding = text.indexOf("=");
  const digits = padding === -1 ? text : text.slice(0, padding);
  const bytes = decodeBits(digits, 6, base64Digits);
  return bytes !== undefined && digits.length % 4 === 1 ? "trailing" : bytes;
}

export function decodeBase32(text: string): Uint8Array | undefined {
  return decodeBits(text.replace(/=+$/, ""), 5, base32Digits);
}

function encodeBits(bytes: Uint8Array, width: number, digits: string): string {
  const codes = new Uint8Array(Math.ceil((bytes.length * 8) / width));
  let length = 0;
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    held += 8;
    while (held >= width) {
      held -= width;
      codes[length++] = digits.charCodeAt((bits >> held) & ((1 << width) - 1));
    }
    bits &= (1 << held) - 1;
  }
  if (held > 0) codes[length] = digits.charCodeAt((bits << (width - held)) & ((1 << width) - 1));
  return utf8Text(codes);
}

function decodeBits(text: string, width: number, digits: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * width) / 8));
  let length = 0;
  let bits = 0;
  let held = 0;
  for (let at = 0; at < text.length; at++) {
    const value = digits.indexOf(text[at]!);
    if (value === -1) return undefined;
    bits = ((bits << width) | value) & 0xffff;
    held += width;
    if (held < 8) continue;
    held -= 8;
    bytes[length++] = (bits >> held) & 0xff;
  }
  return bytes;
}
