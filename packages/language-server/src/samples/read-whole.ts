import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";

/** Bytes that a device or a pipe may give: a repository can link a config or a sample to `/dev/zero`, which gives them for ever. */
const LIMIT = 64 * 2 ** 20;
const BLOCK = 1 << 16;

/**
 * Reads a file that somebody else may have put there.
 *
 * @throws Error with a `syscall` if it can't be read; its `code` is `EFBIG` for a device or pipe that gives more than 64 MiB
 */
export function readWhole(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    return fstatSync(file).isFile() ? readFileSync(file) : readStream(file);
  } finally {
    closeSync(file);
  }
}

function readStream(file: number): Buffer {
  const blocks: Buffer[] = [];
  for (let size = 0; size <= LIMIT; ) {
    const block = Buffer.alloc(BLOCK);
    const count = readSync(file, block, 0, BLOCK, null);
    if (count === 0) return Buffer.concat(blocks);
    // A pipe gives what it has: many small parts must not keep whole blocks.
    blocks.push(count < BLOCK ? Buffer.from(block.subarray(0, count)) : block);
    size += count;
  }
  throw Object.assign(new Error("it isn't a file, and gives more than 64 MiB"), {
    code: "EFBIG",
    syscall: "read",
  });
}
