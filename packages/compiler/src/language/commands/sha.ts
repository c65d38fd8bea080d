import type { CommandSpec, Section } from "../schema.ts";
import { section, template, text } from "../values.ts";

export const hashAlgorithms = [
  "md5",
  "sha1",
  "sha224",
  "sha256",
  "sha384",
  "sha512",
  "sha3_224",
  "sha3_256",
  "sha3_384",
  "sha3_512",
  "shake_128",
  "shake_256",
  "blake2b",
  "blake2s",
] as const;

/** Two inputs with the same hash can be made on purpose. */
export const weakHashes: readonly string[] = ["md5", "sha1"];
/** They take no key, so there is no HMAC of them. */
export const unkeyedHashes: readonly string[] = ["shake_128", "shake_256"];

const shaArgument: Section = {
  name: "!sha",
  title: "`!sha`",
  doc: "How to hash.",
  source: "D26",
  members: {
    algorithm: {
      value: text({ oneOf: hashAlgorithms }),
      required: true,
      tier: "ext",
      doc: "Hash algorithm.",
      example: "sha256",
    },
    secret: {
      value: template({ format: "secret" }),
      tier: "ext",
      doc: "Key of an HMAC; not with shake.",
      example: "<SIGNING_SECRET>",
    },
  },
};

export const sha: CommandSpec = {
  key: "!sha",
  tier: "ext",
  source: "D26",
  doc: "Hashes `value_to_encrypt` of its input; with `secret`, as an HMAC.",
  argument: section(() => shaArgument),
  input: "`{value_to_encrypt: string}`",
  output: "`{value_to_encrypt, hash}`, the hash in lower-case hex.",
  example: { "!sha": { algorithm: "sha256" } },
};
