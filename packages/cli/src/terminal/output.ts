import fs from "node:fs";
import type { WriteStream } from "node:tty";
import { harmless, withoutCommands } from "./harmless.ts";

/** Results go to stdout, everything else to stderr. */
export function print(text: string): void {
  process.stdout.write(harmless(text, hasColour(process.stdout)));
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes a part of results that may have no end, and waits until it is taken: what `print` can't hand over at once stays in memory until
 * the program is done.
 *
 * @returns whether anyone still reads them
 */
export function printAndWait(text: string): boolean {
  // As jq writes it for the next program, and harmless for a person.
  const bytes = Buffer.from(process.stdout.isTTY === true ? harmless(text, hasColour(process.stdout)) : text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(process.stdout.fd, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE" || code === "EOF") return false;
      if (code !== "EAGAIN") throw error;
      // The reader has enough to do for now.
      Atomics.wait(pause, 0, 0, 1);
    }
  }
  return true;
}

export function note(text: string): void {
  process.stderr.write(`${withoutCommands(harmless(text, hasColour(process.stderr)))}\n`);
}

/** A reader that has read enough (`configc check | head -1`) is no failure. */
export function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

/** Colour only on a terminal, and never with NO_COLOR. */
export function hasColour(stream: WriteStream): boolean {
  const { NO_COLOR = "", TERM } = process.env;
  return stream.isTTY === true && NO_COLOR === "" && TERM !== "dumb";
}

/** Columns of the terminal, or a width that suits a log. */
export function widthOf(stream: WriteStream): number {
  return Math.max(40, stream.columns || 120);
}
