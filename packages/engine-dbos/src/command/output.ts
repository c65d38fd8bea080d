import { harmless, harmlessLine } from "@configc/runtime/internal";

/** The one place where `configc-host` writes: what apps, services and customers wrote does nothing to who reads it. */

/** Results, which may have several lines. */
export function print(text: string): void {
  process.stdout.write(`${harmless(text)}\n`);
}

/** An entry of the log. */
export function printLine(text: string): void {
  process.stdout.write(`${harmlessLine(text)}\n`);
}

/** What went wrong. */
export function note(text: string): void {
  process.stderr.write(`${harmless(text)}\n`);
}

let survives = false;

/** A reader that has read enough (`configc-host inspect | head -1`) is no failure. */
export function surviveClosedPipes(): void {
  if (survives) return;
  survives = true;
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
}
