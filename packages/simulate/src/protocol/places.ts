import { VALUES } from "../service/json.ts";
import type { CommandWalk } from "../symbolic/command.ts";
import type { Parameter } from "../symbolic/url.ts";
import { type Atom, atomsOf, isPlaceOf, type Path, type Value } from "../symbolic/value.ts";

export interface Found {
  readonly exchange: number;
  readonly path: Path;
}

/**
 * The list of an answer that results are made of, and others of it that they are made of as well.
 *
 * @param isIndexed whether the items of a list are found by a value of theirs: records name them, and aren't they
 * @param isMapToo whether members of an object are items too, whatever their names
 * @param counted places whose items are counted: of several lists that make a record (rows and their columns), it is that one
 */
export function listsOf(
  results: Value,
  counted: readonly Path[],
  isIndexed: (list: Found) => boolean = () => false,
  isMapToo = false,
): (Found & { readonly others: readonly Path[] }) | undefined {
  const found = alternativesOf(results).flatMap(({ value, isList }): Found[] => {
    const isItems = (name: string): boolean => name === "[]" || (isMapToo && name === VALUES);
    const listsIn = (atoms: readonly Atom[]): readonly Found[] =>
      atoms.flatMap((atom) => {
        if (!isPlaceOf(atom, "response")) return [];
        const at = isList ? atom.path.findIndex(isItems) : atom.path.length;
        // The programs look at records: `[]` may stand in their paths further down.
        return at < 0 ? [] : [{ exchange: atom.root.exchange, path: cleaned(atom.path.slice(0, at)) }];
      });
    const spine = spineOf(value);
    const lists = [...(spine === undefined ? [] : listsIn([spine])), ...listsIn(atomsOf(value))];
    const isCounted = ({ path }: Found): boolean =>
      counted.some((each) => each.join("\0") === path.join("\0"));
    const list = lists.find(isCounted) ?? lists.find((each) => !isIndexed(each)) ?? lists[0];
    return list === undefined ? [] : [list];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const others = new Map<string, Path>();
  for (const { exchange, path } of found)
    if (exchange === first.exchange && path.join("\0") !== first.path.join("\0"))
      others.set(path.join("\0"), path);
  return { ...first, others: [...others.values()] };
}

/** What a record is itself, where programs only add members to it. */
function spineOf(value: Value): Atom | undefined {
  if (value.kind === "place") return value;
  return value.kind === "object" && value.base !== undefined ? spineOf(value.base) : undefined;
}

function alternativesOf(results: Value): readonly { readonly value: Value; readonly isList: boolean }[] {
  if (results.kind === "choice" || (results.kind === "made" && results.by === "sum"))
    return results.of.flatMap(alternativesOf);
  if (results.kind !== "list") return [{ value: results, isList: false }];
  const { item } = results;
  return (item.kind === "choice" ? item.of : [item]).map((value) => ({ value, isList: true }));
}

/** Places of answers whose items are counted somewhere in a value. */
export function countedIn(value: Value): readonly Path[] {
  switch (value.kind) {
    case "made":
      return value.by === "length"
        ? value.of.flatMap((each) => (isPlaceOf(each, "response") ? [cleaned(each.path)] : []))
        : value.of.flatMap(countedIn);
    case "choice":
      return value.of.flatMap(countedIn);
    case "object":
      return [...value.members.values()].flatMap(countedIn);
    default:
      return [];
  }
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

/** Values that are passed on as they are, not reckoned with. */
export function plainAtoms(value: Value): readonly Atom[] {
  if (value.kind === "choice") return value.of.flatMap(plainAtoms);
  return value.kind === "made" ? [] : valueAtoms(value);
}
