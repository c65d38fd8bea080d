import type { AppCommand } from "@configc/compiler";
import { blake2b, blake2s } from "@noble/hashes/blake2";
import { hmac } from "@noble/hashes/hmac";
import { md5, sha1 } from "@noble/hashes/legacy";
import { sha224, sha256, sha384, sha512 } from "@noble/hashes/sha2";
import { sha3_224, sha3_256, sha3_384, sha3_512, shake128, shake256 } from "@noble/hashes/sha3";
import { bytesToHex, type CHash } from "@noble/hashes/utils";
import { RunError } from "../errors.ts";
import { isObject, ownMember } from "../json.ts";
import type { Frame, Step } from "../step.ts";
import { compileText } from "../template.ts";
import { literalText, membersOf, templateOf } from "./argument.ts";
import { failingStep } from "./failing-step.ts";

/** Hashes with a fixed size, of which there are HMACs. */
const keyed: ReadonlyMap<string, CHash> = new Map<string, CHash>([
  ["md5", md5],
  ["sha1", sha1],
  ["sha224", sha224],
  ["sha256", sha256],
  ["sha384", sha384],
  ["sha512", sha512],
  ["sha3_224", sha3_224],
  ["sha3_256", sha3_256],
  ["sha3_384", sha3_384],
  ["sha3_512", sha3_512],
  // 512 and 256 bits are their defaults.
  ["blake2b", blake2b as unknown as CHash],
  ["blake2s", blake2s as unknown as CHash],
]);

type Hash = (message: Uint8Array) => Uint8Array;

/** Hashes whose size is chosen: twice the strength in their name. */
const unkeyed: ReadonlyMap<string, Hash> = new Map<string, Hash>([
  ["shake_128", (message) => shake128(message, { dkLen: 256 / 8 })],
  ["shake_256", (message) => shake256(message, { dkLen: 512 / 8 })],
]);

/** D26: the hash of `value_to_encrypt` in lower-case hex, as an HMAC if there is a `secret`. */
export function makeSha(command: AppCommand): Step {
  const algorithm = literalText(command, "algorithm") ?? "";
  const template = templateOf(membersOf(command.argument).get("secret"));
  const digest = digestOf(algorithm, template !== undefined);
  if (digest === undefined) {
    const withKey = template !== undefined && unkeyed.has(algorithm);
    return failingStep(
      command,
      withKey ? `there is no HMAC of ${algorithm}` : `\`${algorithm}\` isn't an algorithm it knows`,
    );
  }
  const secret = template === undefined ? undefined : compileText(template, command, "the secret");
  return (input, frame) => {
    const value = isObject(input) ? ownMember(input, "value_to_encrypt") : undefined;
    if (typeof value !== "string")
      throw new RunError("DataError", "!sha takes `{value_to_encrypt}` with a string.", command);
    const key = secret === undefined ? undefined : secretKey(secret(frame), frame);
    const make = (): string => bytesToHex(digest(new TextEncoder().encode(value), key));
    const { sign } = frame.effects;
    return { value_to_encrypt: value, hash: key === undefined || sign === undefined ? make() : sign(make) };
  };
}

function secretKey(secret: string, { tracer }: Frame): Uint8Array {
  tracer.secret(secret);
  return new TextEncoder().encode(secret);
}

function digestOf(
  algorithm: string,
  withKey: boolean,
): ((message: Uint8Array, key: Uint8Array | undefined) => Uint8Array) | undefined {
  const hash = keyed.get(algorithm);
  if (hash !== undefined)
    return (message, key) => (key === undefined ? hash(message) : hmac(hash, key, message));
  return withKey ? undefined : unkeyed.get(algorithm);
}
