import { MASK } from "@configc/runtime/internal";

export type Redact = (text: string) => string;

/** Whether something of a recorded text was a secret. */
export function isMasked(text: string): boolean {
  return text.includes(MASK);
}
