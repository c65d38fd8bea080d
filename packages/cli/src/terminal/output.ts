import type { WriteStream } from "node:tty";

/**
 * Results go to stdout, everything else to stderr.
 *
 * @returns whether anyone still reads them
 */
export function print(text: string): boolean {
  process.stdout.write(text);
  return process.stdout.writable;
}

export function note(text: string): void {
  process.stderr.write(`${text}\n`);
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
