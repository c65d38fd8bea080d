import { isIdName } from "../id-names.ts";
import { boundName } from "../protocol/bound-names.ts";
import { pagesName } from "../protocol/forms.ts";
import { isKind, type Source, UNKNOWN, type Value } from "./value.ts";

/**
 * What a service answers where a cycle or the whole reading begins: another one each time, of which nothing is known. What a state keeps of it
 * stays the same, though.
 */
export class LifecycleAnswer implements Source {
  private readonly kept = new Set<string>();

  /** A list that is made ready has three pages or parts, as each that is read. */
  resolve(path: readonly string[]): Value {
    const name = path.at(-1) ?? "";
    return pagesName.test(name) || partsName.test(name) ? 3 : UNKNOWN;
  }

  isThere(path: readonly string[]): boolean {
    return this.kept.has(path.join("\n"));
  }

  /** A part is kept as an end of a window, so the service gives a time there, or as the id of what was made. */
  isKeptAs(path: readonly string[]): void {
    this.kept.add(path.join("\n"));
  }
}

const partsName = /^(?:(?:total|num|number_?of)_?)?(?:parts|chunks|files)$|^(?:part|chunk|file)_?count$/i;

/** Notes which answers a state keeps as ends of windows, or as ids. */
export function noteKept(state: Value): void {
  if (!isKind(state, "record")) return;
  for (const [key, value] of state.members)
    if (isKind(value, "part") && value.source instanceof LifecycleAnswer)
      if (boundName(key) !== undefined || isIdName(value.path.at(-1) ?? ""))
        value.source.isKeptAs(value.path);
}
