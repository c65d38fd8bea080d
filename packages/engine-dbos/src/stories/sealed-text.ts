import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw } from "node:zlib";
import type { Json, Vault } from "@configc/runtime";
import { parseExact, printExact } from "@configc/runtime";

const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);

/** Bytes up to which packing at once is cheaper than handing it to another thread. */
const SMALL = 32 * 1024;
/** What a small text doesn't need, costs the most. */
const LITTLE_MEMORY = { windowBits: 12, memLevel: 5 };

/** Bytes that a text may have when it is unpacked: it was written by a worker, but by one of whatever version. */
const LARGEST = 64 * 2 ** 20;

/** A value as it is kept: packed, then sealed. What is sealed can't be packed any more. */
export async function sealValue(vault: Vault, value: unknown, label: string): Promise<string> {
  const text = Buffer.from(printExact(value as Json));
  const packed = text.length <= SMALL ? deflateRawSync(text, LITTLE_MEMORY) : await pack(text);
  return await vault.seal(packed.toString("base64"), label);
}

/** @throws RunError `StoreError` if it was sealed by a key that isn't there */
export async function openValue(vault: Vault, sealed: string, label: string): Promise<Json> {
  const packed = Buffer.from(await vault.open(sealed, label), "base64");
  return parseExact((await unpack(packed, { maxOutputLength: LARGEST })).toString("utf8"));
}
