/** What stands for a secret. */
export const MASK = "[secret]";

/** Shorter ones would mask half of every text and protect nothing that can be guessed so fast. */
const SHORTEST = 4;

/**
 * Headers whose value is a secret, whatever it is, also with the name of a service before it: `X-Acme-Access-Token`. The compiler
 * has those that a config must not spell out; it isn't part of the runtime, which takes only types from there.
 */
const secretHeader =
  /^(?:set-)?cookie2?$|(?:^|[-_])(?:authorization|(?:api|auth|access|client|csrf|private|secret|security|session|subscription)[-_]?(?:key|token|secret))$/i;

/** Whether a header of that name carries a secret, so that its value is masked wherever it is shown (D29). */
export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name);
}

const secretParameter =
  /^(?:api|auth|access|refresh|client)?[-_]?(?:key|token|secret)$|^(?:password|signature|code)$/i;

/** A URL for people: without the values of parameters that authorise, and without user and password. */
export function shownUrl(url: string): string {
  return url
    .replace(/^([a-z]+:\/\/)[^/?#]*@/i, `$1${MASK}@`)
    .replace(/([?&])([^=&#]+)=([^&#]*)/g, (all, mark: string, name: string) =>
      secretParameter.test(name) ? `${mark}${name}=${MASK}` : all,
    );
}

/** Masks secrets in texts, in the encodings in which a response may echo them (D29). */
export class Redactor {
  private readonly variants = new Set<string>();
  private pattern: RegExp | undefined;

  /** A text that must not appear, from now on. Blanks around it come from copying, and a service may echo it without them. */
  add(text: string): void {
    const secret = text.trim();
    if (secret.length < SHORTEST || this.variants.has(secret)) return;
    for (const variant of variantsOf(secret)) this.variants.add(variant);
    this.pattern = undefined;
  }

  /** @param longest UTF-16 units of the text that are looked at; what comes behind them is left out */
  redact(text: string, longest = text.length): string {
    if (text.length > longest) return this.redact(this.withoutHalfSecret(text.slice(0, longest)));
    if (this.variants.size === 0 || text.length < SHORTEST) return text;
    this.pattern ??= new RegExp(
      [...this.variants]
        .sort((a, b) => b.length - a.length)
        .map(escapePattern)
        .join("|"),
      "g",
    );
    return text.replace(this.pattern, MASK);
  }

  /** A cut may go through a secret: what stands before it is one too. */
  private withoutHalfSecret(text: string): string {
    let half = 0;
    for (const variant of this.variants) {
      let known = Math.min(variant.length - 1, text.length);
      while (known > half && !text.endsWith(variant.slice(0, known))) known--;
      half = Math.max(half, known);
    }
    return text.slice(0, text.length - half);
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** A secret as it is, URL-encoded, as a form field, inside JSON, in base64 (alone or inside a longer text) and in hex. */
function variantsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const wellFormed = secret.replace(/\p{Surrogate}/gu, "\ufffd");
  const encoded = encodeURIComponent(wellFormed);
  const strict = encoded.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const json = JSON.stringify(secret).slice(1, -1);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const texts = [secret, json, json.replaceAll("/", "\\/"), hex, hex.toUpperCase()];
  for (const url of [encoded, strict, strict.replaceAll("%20", "+")])
    texts.push(
      url,
      url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    );
  texts.push(...base64Forms(bytes));
  return texts.filter((text) => text.length >= SHORTEST);
}

/** The characters that stand for the bytes at each of the three alignments, in both alphabets. */
function base64Forms(bytes: Uint8Array): string[] {
  const forms: string[] = [];
  for (const offset of [0, 1, 2]) {
    const padded = new Uint8Array(offset + bytes.length);
    padded.set(bytes, offset);
    const text = base64(padded);
    // Characters that also depend on what stands before or behind are left out, unless the secret stands alone.
    const first = offset === 0 ? 0 : offset + 1;
    const rest = (offset + bytes.length) % 3;
    const inner = text.slice(first, rest === 0 ? text.length : text.length - (rest === 1 ? 3 : 2));
    for (const form of offset === 0 ? [text, text.replace(/=+$/, ""), inner] : [inner])
      if (form.length >= SHORTEST) forms.push(form, form.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}

/** Base64 of bytes, with padding. */
export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x2000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  return btoa(binary);
}
