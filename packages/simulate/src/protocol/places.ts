import type { CommandWalk, Parameter } from "../symbolic/command.ts";
import { type Atom, atomsOf, isPlaceOf, type Path, type Value } from "../symbolic/value.ts";

export interface Found {
  readonly exchange: number;
  readonly path: Path;
}

/** The list of an answer that results are made of. */
export function listOf(results: Value): Found | undefined {
  const item: Value = results.kind === "list" ? results.item : results;
  for (const atom of atomsOf(item)) {
    if (!isPlaceOf(atom, "response")) continue;
    const at = results.kind === "list" ? atom.path.indexOf("[]") : atom.path.length;
    // The programs look at records: `[]` may stand in their paths further down.
    if (at >= 0) return { exchange: atom.root.exchange, path: cleaned(atom.path.slice(0, at)) };
  }
  return undefined;
}

/** `.body` is the answer itself (D20). */
export function cleaned(path: Path): Path {
  return path[0] === "body" ? path.slice(1) : path;
}

export function isBelow(path: Path, list: Path): boolean {
  return path.length > list.length && list.every((name, index) => path[index] === name);
}

export function nameOf({ path }: Pick<Parameter, "path">): string {
  return path.join(".");
}

export interface Context extends Found {
  readonly walk: CommandWalk;
}

/** Atoms that are the value, not what decides it or is only counted. */
export function valueAtoms(value: Value): readonly Atom[] {
  switch (value.kind) {
    case "choice":
      return value.of.flatMap(valueAtoms);
    case "made":
      return value.by === "length" || value.by === "boolean" ? [] : value.of.flatMap(valueAtoms);
    case "list":
      return valueAtoms(value.item);
    default:
      return atomsOf(value);
  }
}
