import { keyText } from "@configc/jq/internal";
import { isIdempotencyKey } from "../guess/known-values.ts";
import { titled } from "../guess/name-words.ts";
import type { ConfigObject } from "../proposal.ts";
import { jqPath, type ObjectShape, type Path } from "../shape.ts";

/** More than a customer maps; the others are a line each to add. */
const MOST_FIELDS = 20;

/** A value of records that can be mapped. */
interface MappedField {
  readonly id: string;
  readonly title: string;
  /** Where it stands in the record. */
  readonly path: Path;
  readonly isRequired: boolean;
}

/** Texts, numbers and flags of a record, and of objects right below it. */
export function fieldsOf(record: ObjectShape, first?: Path): MappedField[] {
  const fields: MappedField[] = [];
  const add = (path: Path, isRequired: boolean) => {
    const id = path.join("_").replace(/[^A-Za-z0-9_-]+/g, "_");
    if (!fields.some((field) => field.id === id))
      fields.push({ id, title: titled(path.join(" ")), path, isRequired });
  };
  for (const [name, shape] of record.members) {
    if (shape.kind === "object")
      for (const [inner, member] of shape.members) if (isPlain(member.kind)) add([name, inner], false);
    if (isPlain(shape.kind) && !isTechnical(name)) add([name], record.required.has(name));
  }
  const weight = ({ path, isRequired }: MappedField) =>
    path.join() === first?.join() ? 0 : isRequired ? 1 : path.length === 1 ? 2 : 3;
  return fields.sort((a, b) => weight(a) - weight(b)).slice(0, MOST_FIELDS);
}

function isPlain(kind: string): boolean {
  return kind === "string" || kind === "number" || kind === "boolean";
}

function isTechnical(name: string): boolean {
  if (isIdempotencyKey(name)) return true;
  return /^_|^(?:object|resource_type|etag|self|url|href|links?)$|(?:_url|_uri|_href)$/i.test(name);
}

export function options(fields: readonly MappedField[], withRequired: boolean): readonly ConfigObject[] {
  return fields.map(({ id, title, isRequired }) => ({
    title,
    id,
    ...(withRequired && isRequired ? { required: true } : {}),
  }));
}

/**
 * The program of `source`: `{email: .email, city: .address.city}`.
 *
 * @param within where the record stands in what the intake brings
 * @param needed what a record may lack, and can't become a contact without: those that lack it are left out
 */
export function sourceProgram(fields: readonly MappedField[], within: Path = [], needed?: Path): string {
  const made = `{${fields.map(({ id, path }) => `${keyText(id)}: ${jqPath(path)}`).join(", ")}}`;
  const steps = [
    ...(within.length === 0 ? [] : [jqPath(within)]),
    ...(needed === undefined ? [] : [`select(${jqPath(needed)} != null)`]),
    made,
  ];
  return steps.join(" | ");
}
