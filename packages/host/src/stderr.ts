import { harmlessLine } from "@configc/runtime/internal";

/** One line on standard error. What apps, services and customers wrote stands in it and does nothing. */
export function tell(text: string): void {
  process.stderr.write(`${harmlessLine(text)}\n`);
}
