import { RunError } from "../errors.ts";

/** Encrypts what must not be read by those who get hold of the store (D29). */
export interface Vault {
  /** @param label what the text belongs to: it can only be opened for that */
  seal(text: string, label: string): Promise<string>;
  /** @throws RunError `StoreError` if it was sealed by another key or for another label, or was changed */
  open(sealed: string, label: string): Promise<string>;
  /** Of the key that seals: tells keys apart without telling anything of them. */
  name(): Promise<string>;
}

/** The name of the key that sealed a text; undefined for one that isn't sealed. */
export function sealedBy(text: string): string | undefined {
  return /^v1\.([\w-]{8})\.[\w-]+\.[\w-]+$/.exec(text)?.[1];
}

const KEY_BYTES = 32;
/** As AES-GCM wants it. */
const IV_BYTES = 12;

/**
 * A vault with AES-256-GCM.
 *
 * @param keys of 32 random bytes each. The first seals; each opens what it sealed, so that keys can be exchanged.
 * @throws RangeError for a key of another length
 */
export function createVault(...keys: readonly [Uint8Array, ...Uint8Array[]]): Vault {
  for (const key of keys)
    if (key.length !== KEY_BYTES)
      throw new RangeError(`A key of the vault has ${KEY_BYTES} bytes, this one has ${key.length}.`);
  const imported = Promise.all(keys.map(importKey));
  imported.catch(() => undefined);
  return {
    name: async () => ((await imported)[0] as SealingKey).name,
    async seal(text, label) {
      const [first] = await imported;
      const { name, key } = first as SealingKey;
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const sealed = await crypto.subtle.encrypt(parameters(iv, label), key, new TextEncoder().encode(text));
      return ["v1", name, base64url(iv), base64url(new Uint8Array(sealed))].join(".");
    },
    async open(sealed, label) {
      const [version, name, iv, data] = sealed.split(".");
      const known = (await imported).find((one) => one.name === name);
      if (version !== "v1" || known === undefined || iv === undefined || data === undefined)
        throw unopened(
          "it was sealed by a key that wasn't given (as `key`, or among the `oldKeys` of a host)",
        );
      try {
        const text = await crypto.subtle.decrypt(parameters(bytes(iv), label), known.key, bytes(data));
        return new TextDecoder().decode(text);
      } catch (cause) {
        throw unopened("it was changed, or sealed for something else", cause);
      }
    },
  };
}

/** Of the surroundings: with the right key it will do, so nothing may be given up meanwhile. */
function unopened(reason: string, cause?: unknown): RunError {
  const message = `What the store keeps sealed can't be opened: ${reason}.`;
  return new RunError("StoreError", message, undefined, cause === undefined ? {} : { cause });
}

interface SealingKey {
  readonly name: string;
  readonly key: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
}

async function importKey(raw: Uint8Array): Promise<SealingKey> {
  const copy = Uint8Array.from(raw);
  const key = await crypto.subtle.importKey("raw", copy, "AES-GCM", false, ["encrypt", "decrypt"]);
  const digest = await crypto.subtle.digest("SHA-256", copy);
  return { name: base64url(new Uint8Array(digest).subarray(0, 6)), key };
}

function parameters(iv: Uint8Array<ArrayBuffer>, label: string) {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(label) };
}

function base64url(data: Uint8Array): string {
  return btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
