import { boundName } from "../protocol/bound-names.ts";
import { isKind, type Source, UNKNOWN, type Value } from "./value.ts";

/**
 * What a service answers where a cycle or the whole reading begins: another one each time, of which nothing is known. What a state keeps of it
 * stays the same, though.
 */
export class LifecycleAnswer implements Source {
  private readonly bounds = new Set<string>();

  resolve(): Value {
    return UNKNOWN;
  }

  isThere(path: readonly string[]): boolean {
    return this.bounds.has(path.join("\n"));
  }

  /** A part is kept as an end of a window, so the service gives a time there. */
  isBound(path: readonly string[]): void {
    this.bounds.add(path.join("\n"));
  }
}

/** Notes which answers a state keeps as ends of windows. */
export function noteBounds(state: Value): void {
  if (!isKind(state, "record")) return;
  for (const [key, value] of state.members)
    if (isKind(value, "part") && value.source instanceof LifecycleAnswer && boundName(key) !== undefined)
      value.source.isBound(value.path);
}
