import type { ParameterMeaning } from "@configc/compiler";
import {
  countNames,
  cursorNames,
  exclusiveNames,
  hasWord,
  inclusiveNames,
  offsetNames,
  pageNames,
  sizeNames,
  wordsOf,
} from "../service/names.ts";
import type { Parameter } from "../symbolic/command.ts";
import { type Atom, atomsOf, isPlaceOf, type Value } from "../symbolic/value.ts";
import { atomsIncludeTime, fieldAt, fieldBeside, isFieldAtom, isId, isTimeText, isUntil } from "./fields.ts";
import { type Context, cleaned, isBelow, nameOf, valueAtoms } from "./places.ts";
import type { Role } from "./protocol.ts";
import { closure, type StateSources, stateKeys } from "./state-sources.ts";

export function roleOf(parameter: Parameter, states: StateSources, found: Context): Role | undefined {
  const { value } = parameter;
  const name = nameOf(parameter);
  if (value.kind === "literal") {
    const { value: constant } = value;
    const number = Number(constant);
    const isSize =
      wordsOf(name).some((word) => sizeNames.has(word)) || /per_?page|page_?size|max_?results/i.test(name);
    return isSize && number > 0 ? { kind: "size", size: number } : undefined;
  }
  const keys = stateKeys(value);
  const clock = atomsOf(value).some((atom) => isPlaceOf(atom, "clock"));
  if (keys.length === 0 && !clock) return undefined;
  const sources = closure(keys, states);
  const own = sources.filter(({ value: each }) => each.kind !== "literal");
  const atoms = [...own.flatMap(({ value: each }) => valueAtoms(each)), ...(clock ? valueAtoms(value) : [])];
  const responses = atoms.filter((atom) => isPlaceOf(atom, "response"));
  const inItems = responses.filter((atom) => isBelow(cleaned(atom.path), found.path));
  const outside = responses.filter(
    (atom) => !isBelow(cleaned(atom.path), found.path) && !isIndicatorOnly(atom),
  );
  const isText = (value.kind === "choice" ? value.of : [value]).some(
    (each) => each.kind === "made" && each.by === "text",
  );
  const counted = counts(
    own.map(({ value: each }) => each),
    keys,
  );
  if (counted !== undefined && !atomsIncludeTime(inItems, found) && !clock) {
    const isPage = counted === "one" && !hasWord(name, offsetNames);
    return isPage || hasWord(name, pageNames)
      ? { kind: "page", start: startOf(sources) }
      : { kind: "offset" };
  }
  const timed = inItems.find((atom) => isFieldAtom(atom, found));
  const isClock = clock || atoms.some((atom) => isPlaceOf(atom, "clock"));
  const literals = sources
    .flatMap(({ value: each }) => atomsOf(each))
    .filter((atom) => atom.kind === "literal");
  const looksTimed = literals.some(({ value: constant }) => isTimeText(constant));
  if (timed !== undefined || isClock || (inItems.length > 0 && !isId(inItems[0]!)) || looksTimed) {
    const atom = timed ?? inItems[0];
    const field =
      atom === undefined
        ? fieldBeside(parameter, found)
        : fieldAt(cleaned(atom.path).slice(found.path.length + 1), timed !== undefined);
    if (isText) return { kind: "filter", field };
    const isInclusive = hasWord(name, inclusiveNames)
      ? true
      : hasWord(name, exclusiveNames)
        ? false
        : undefined;
    return {
      kind: isUntil(name) ? "to" : "from",
      field,
      ...(isInclusive === undefined ? {} : { isInclusive }),
    };
  }
  if (inItems.length > 0) return { kind: "after" };
  if (outside.length > 0) {
    if (hasWord(name, offsetNames) && !hasWord(name, cursorNames) && counted !== undefined)
      return { kind: "offset" };
    return hasWord(name, pageNames) &&
      wordsOf(name).length === 1 &&
      literals.some(({ value: each }) => typeof each === "number")
      ? { kind: "page", start: startOf(sources) }
      : { kind: "cursor" };
  }
  return undefined;
}

/** The role that an author gives a parameter. */
export function roleTold(meaning: ParameterMeaning, parameter: Parameter, found: Context): Role | undefined {
  const { value } = parameter;
  switch (meaning) {
    case "none":
      return undefined;
    case "page":
      return { kind: "page", start: 1 };
    case "from":
    case "to":
      return { kind: meaning, field: fieldBeside(parameter, found) };
    case "size":
      return {
        kind: "size",
        size: value.kind === "literal" && Number(value.value) > 0 ? Number(value.value) : 100,
      };
    default:
      return { kind: meaning };
  }
}

function isIndicatorOnly(atom: Atom): boolean {
  return atom.kind === "place" && hasWord(atom.path.at(-1) ?? "", countNames);
}

/** Whether a key is counted up: by one, by a size or by the number of records. */
function counts(values: readonly Value[], keys: readonly string[]): "one" | "more" | undefined {
  let found: "one" | "more" | undefined;
  const visit = (value: Value): void => {
    switch (value.kind) {
      case "choice":
        for (const each of value.of) visit(each);
        break;
      case "made":
        if (
          (value.by === "sum" || value.by === "number") &&
          value.of.some((each) => stateKeys(each).some((key) => keys.includes(key)))
        ) {
          const one = value.of.some((each) => each.kind === "literal" && each.value === 1);
          found = one ? "one" : (found ?? "more");
        } else for (const each of value.of) visit(each);
        break;
      default:
        break;
    }
  };
  for (const value of values) visit(value);
  return found;
}

function startOf(sources: readonly { readonly by: string; readonly value: Value }[]): number {
  for (const { value } of sources)
    for (const atom of atomsOf(value))
      if (atom.kind === "literal" && (atom.value === 0 || atom.value === 1)) return atom.value;
  return 1;
}
