import type { Json } from "@configc/jq";
import {
  changeNames,
  creationNames,
  exclusiveNames,
  hasWord,
  idNames,
  inclusiveNames,
  timeNames,
  untilNames,
  wordsOf,
} from "../service/names.ts";
import type { Parameter } from "../symbolic/url.ts";
import { type Atom, isPlaceOf, type Path } from "../symbolic/value.ts";
import type { Context } from "./places.ts";
import type { Field } from "./protocol.ts";

export function isUntil(name: string): boolean {
  // `max_start_time`, `starts_before`: it is what starts that the bound is on.
  if (hasWord(name, surelyUntil) && !hasWord(name, surelyFrom)) return true;
  return hasWord(name, untilNames) && !hasWord(name, new Set(["start", "from", "since", "after"]));
}

const surelyUntil: ReadonlySet<string> = new Set(["max", "maximum", "before", "until", "lt", "lte", "le"]);
const surelyFrom: ReadonlySet<string> = new Set(["min", "minimum", "after", "since", "gt", "gte", "ge"]);

export function fieldAt(path: Path, isTime: boolean): Field {
  const name = path.at(-1) ?? "";
  const known =
    isTime || hasWord(name, timeNames) || hasWord(name, changeNames) || hasWord(name, creationNames);
  return {
    name,
    path,
    isTime: known,
    isFixed: !known || (hasWord(name, creationNames) && !hasWord(name, changeNames)),
  };
}

/** The field that a parameter names, itself or by a member beside it: `{"field": "createdAt", "parameters": {"gte": …}}`. */
export function fieldBeside({ path, place }: Parameter, found: Context): Field {
  const { parameters } = found.walk.exchanges[found.exchange]!;
  for (let length = path.length - 1; length > 0; length--) {
    const beside = parameters.find(
      (each) =>
        each.place === place &&
        each.path.length === length + 1 &&
        each.path.slice(0, length).every((name, index) => path[index] === name) &&
        fieldNames.has(wordsOf(each.path.at(-1) ?? "").at(-1) ?? ""),
    );
    if (beside?.value.kind === "literal" && typeof beside.value.value === "string")
      return fieldAt([beside.value.value], true);
  }
  const member = memberNamedIn(path.join("."), found);
  return fieldAt([member ?? stemOf(path.join("."))], true);
}

/** A time of the records whose name is a part of a parameter's: `max_start_time`. */
function memberNamedIn(name: string, { walk, exchange, path }: Context): string | undefined {
  const words = new Set(wordsOf(name));
  const members = walk.demands.at({ kind: "response", exchange }, [...path, "[]"]).members;
  return [...members.keys()].find(
    (member) =>
      wordsOf(member).length > 1 &&
      wordsOf(member).every((word) => words.has(word)) &&
      hasWord(member, timeNames),
  );
}

/** Members that name the field of a filter. */
const fieldNames: ReadonlySet<string> = new Set(["field", "property", "name", "attribute", "column", "key"]);

export function isFieldAtom(atom: Atom, { walk }: Context): boolean {
  if (!isPlaceOf(atom, "response")) return false;
  const name = atom.path.at(-1) ?? "";
  const { uses } = walk.demands.at(atom.root, atom.path);
  return uses.has("time") || hasWord(name, timeNames) || hasWord(name, changeNames);
}

export function atomsIncludeTime(atoms: readonly Atom[], found: Context): boolean {
  return atoms.some((atom) => isFieldAtom(atom, found));
}

/** Whether a member of a record says where it is in the list: its id, or a token of its own. */
export function isId(atom: Atom): boolean {
  const word = atom.kind === "place" ? wordsOf(atom.path.at(-1) ?? "").at(-1) : undefined;
  return word !== undefined && (idNames.has(word) || word === "token" || word === "cursor");
}

export function isTimeText(value: Json): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value);
}

/** `created[gte]` → `created`, `updated_after` → `updated_at`. */
function stemOf(name: string): string {
  const words = wordsOf(name).filter(
    (word) =>
      !untilNames.has(word) &&
      !inclusiveNames.has(word) &&
      !exclusiveNames.has(word) &&
      !["after", "since", "from", "start", "min"].includes(word),
  );
  const stem = words.find((word) => changeNames.has(word) || creationNames.has(word));
  if (stem !== undefined)
    return words.length > 1
      ? words.join("_")
      : stem === "created" || stem === "updated" || stem === "modified"
        ? stem
        : `${stem}_at`;
  return "updated_at";
}
