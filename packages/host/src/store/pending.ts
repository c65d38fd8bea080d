import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import * as zlib from "node:zlib";
import { decodeRow } from "@configc/runtime/internal";
import type { Change } from "./change.ts";

/** Bytes before a record's text: its length, a checksum of all that follows, the epoch, its number in the epoch. */
const HEAD = 20;
const LENGTH = 0;
const SUM = 4;
const EPOCH = 8;
const NUMBER = 16;

/**
 * One record: what one transaction changed.
 *
 * @param epoch of the database's commit that it follows, a whole number
 * @param number of its record in the epoch, from 0
 */
export function encodeRecord(epoch: number, number: number, changes: readonly Change[]): Buffer {
  const text = JSON.stringify(changes.map(({ table, id, text }) => [table, id, text ?? null]));
  const length = Buffer.byteLength(text);
  const record = Buffer.allocUnsafe(HEAD + length);
  record.writeUInt32LE(length, LENGTH);
  record.writeDoubleLE(epoch, EPOCH);
  record.writeUInt32LE(number, NUMBER);
  record.write(text, HEAD);
  record.writeUInt32LE(checksum(record), SUM);
  return record;
}

/**
 * What was promised after a commit, in its order. It ends with the first record that isn't whole, isn't of this epoch, or isn't the
 * next one: what a torn, short, repeated or reordered end of a file may have behind that was never promised on top of it.
 *
 * @param epoch of the last commit in the database
 */
export function decodeRecords(bytes: Buffer, epoch: number): Change[] {
  const changes: Change[] = [];
  for (let at = 0, number = 0; at + HEAD <= bytes.length; number++) {
    const end = at + HEAD + bytes.readUInt32LE(at + LENGTH);
    if (end > bytes.length) break;
    const record = bytes.subarray(at, end);
    if (record.readDoubleLE(EPOCH) !== epoch || record.readUInt32LE(NUMBER) !== number) break;
    if (record.readUInt32LE(SUM) !== checksum(record)) break;
    const kept = JSON.parse(record.toString("utf8", HEAD)) as [Change["table"], string, string | null][];
    for (const [table, id, text] of kept)
      changes.push(text === null ? { table, id } : { table, id, text, row: decodeRow(text) as object });
    at = end;
  }
  return changes;
}

/** CRC-32 of what follows the checksum, and the length. */
function checksum(record: Buffer): number {
  // Node's own is many times as fast; the first versions of 20 don't have it.
  if (zlib.crc32 !== undefined) return zlib.crc32(record.subarray(EPOCH), record.readUInt32LE(LENGTH));
  let sum = ~record.readUInt32LE(LENGTH);
  for (let at = EPOCH; at < record.length; at++)
    sum = (sums[(sum ^ (record[at] as number)) & 0xff] as number) ^ (sum >>> 8);
  return ~sum >>> 0;
}

const sums = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xed_b8_83_20 : sum >>> 1;
  return sum;
});

/**
 * The file beside a database with what was promised and isn't committed yet. A record is there, for whoever opens the database next, as soon
 * as the call that writes it returns, however the process ends; the machine may lose it unless the call has waited for the disk. A commit makes
 * all of it void by counting the epoch on, so nothing has to be removed: the next record is written over the first.
 */
export class PendingFile {
  readonly #file: string;
  readonly #descriptor: number;
  #end = 0;
  #number = 0;

  /**
   * Opens it, for its owner only, or makes it.
   *
   * @throws Error of the system; for a link too
   */
  constructor(file: string) {
    this.#file = file;
    this.#descriptor = openSync(
      file,
      constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0),
      0o600,
    );
    // A umask may have taken even this from the owner.
    fchmodSync(this.#descriptor, 0o600);
    syncFolder(dirname(file));
  }

  /** What it holds on top of the commit of that epoch. */
  read(epoch: number): Change[] {
    return decodeRecords(readFileSync(this.#descriptor), epoch);
  }

  /**
   * @param durable waits for the disk, which has all records up to this one then
   * @returns how long it is with that, in bytes
   * @throws Error of the system; what was written of the record counts as torn, and the next one takes its place
   */
  append(epoch: number, changes: readonly Change[], durable: boolean): number {
    const record = encodeRecord(epoch, this.#number, changes);
    for (let done = 0; done < record.length; )
      done += writeSync(this.#descriptor, record, done, record.length - done, this.#end + done);
    if (durable) this.#sync();
    this.#end += record.length;
    this.#number++;
    return this.#end;
  }

  /** Whoever is told that the last record isn't durable mustn't find it at the next start, so it is taken back. */
  #sync(): void {
    try {
      fdatasyncSync(this.#descriptor);
    } catch (error) {
      writeSync(this.#descriptor, Buffer.alloc(HEAD), 0, HEAD, this.#end);
      throw error;
    }
  }

  /** To be called after a commit that counted the epoch on. */
  begin(): void {
    this.#end = 0;
    this.#number = 0;
  }

  /** Makes it empty, which nothing but its size depends on. */
  clear(): void {
    ftruncateSync(this.#descriptor);
    this.begin();
  }

  /** @param remove there is nothing left in it that counts */
  close(remove: boolean): void {
    closeSync(this.#descriptor);
    if (remove) unlinkSync(this.#file);
  }
}

/** A file that was made is there after a loss of power if its folder was written too. Windows sees to that by itself. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
