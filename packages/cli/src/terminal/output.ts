import fs from "node:fs";
import type { WriteStream } from "node:tty";
import { shown, withoutCommands } from "./harmless.ts";

/** The one place where the command writes to a terminal: whatever goes there is made harmless. `test/outputs.test.ts` looks whether anything goes past it. */

/** Results go to stdout, everything else to stderr. */
export function print(text: string): void {
  process.stdout.write(shown(text));
}

/** A report, in lines. */
export function printReport(text: string, stream: WriteStream): void {
  stream.write(shown(text));
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
  const bytes = Buffer.from(process.stdout.isTTY === true ? shown(text) : text);
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
  process.stderr.write(`${withoutCommands(shown(text))}\n`);
}

/** What a program writes to stderr, exactly, as jq does for the next one; harmless for a person. */
export function noteExactly(text: string): void {
  process.stderr.write(process.stderr.isTTY === true ? shown(text) : text);
}

/** A line on stderr that is written over by the next one; an empty one leaves nothing. */
export function noteFleetingly(text: string): void {
  process.stderr.write(`\r\u001b[K${shown(text)}`);
}

/** Only on a terminal. */
export function clearScreen(): void {
  if (process.stdout.isTTY === true) process.stdout.write("\u001b[2J\u001b[3J\u001b[H");
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
