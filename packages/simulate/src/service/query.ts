import type { Json } from "@configc/jq";
import type { Field, Role, RoleOf } from "../protocol/protocol.ts";
import { readTime } from "./leaf.ts";

/** A request to a list, as its service understands it. */
export interface Query {
  readonly page: number | undefined;
  readonly offset: number | undefined;
  /** Places in the list that the service gave: of a page, of the last reading. */
  readonly cursors: readonly string[];
  readonly after: string | undefined;
  /** Whether the record with that id comes again. */
  readonly isAfterInclusive: boolean;
  /** The time as of which the list is to be shown, in milliseconds since 1970; undefined: now. */
  readonly asOf: number | undefined;
  readonly bounds: readonly Bound[];
  readonly size: number | undefined;
  /** What it asks for beside a place in the list: the same for all pages of one reading. */
  readonly subject: string;
}

/** A bound on a field of the records. */
interface Bound {
  readonly field: string;
  readonly side: "from" | "to";
  /** Milliseconds since 1970, or a number of the field. */
  readonly value: number;
  /** As it is written. */
  readonly text: string;
  /** As the request says it; undefined where its service decides. */
  readonly isInclusive: boolean | undefined;
}

/** What came with a request. */
export interface Given {
  readonly query: URLSearchParams;
  readonly body: Json;
}

/** Reads a request by the roles of its parameters. */
export function readQuery(given: Given, roles: readonly RoleOf[]): Query {
  const texts = roles.map(({ parameter, role }) => ({ role, text: parameterText(given, parameter) }));
  const of = (kind: Role["kind"]): string | undefined => {
    const text = texts.find(({ role, text: each }) => role.kind === kind && each !== undefined)?.text;
    return text === "" ? undefined : text;
  };
  const bounds = texts.flatMap(({ role, text }): Bound[] => {
    if (text === undefined || text === "") return [];
    if (role.kind === "filter") return boundsIn(text, role.field);
    if (role.kind !== "from" && role.kind !== "to") return [];
    const { field, isInclusive } = role;
    const value = field.isTime ? readTime(text) : Number(text);
    return value === undefined || Number.isNaN(value)
      ? []
      : [{ side: role.kind, field: field.name, value, text, isInclusive }];
  });
  const page = numberOf(of("page"));
  const offset = numberOf(of("offset"));
  return {
    page,
    offset,
    cursors: texts.flatMap(({ role, text }) =>
      role.kind === "cursor" && text !== undefined && text !== "" ? [text] : [],
    ),
    after: of("after"),
    isAfterInclusive: roles.some(({ role }) => role.kind === "after" && role.isInclusive === true),
    asOf: readTime(of("as-of") ?? ""),
    bounds,
    size: numberOf(of("size")),
    subject: JSON.stringify([bounds, of("as-of")]),
  };
}

function numberOf(text: string | undefined): number | undefined {
  const number = text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** A parameter of a request as text; undefined where it isn't there. */
export function parameterText(
  { query, body }: Given,
  { place, path }: RoleOf["parameter"],
): string | undefined {
  if (place === "query") return query.get(path.join(".")) ?? undefined;
  let value: Json | undefined = body;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as { readonly [name: string]: Json })[name];
  }
  return value === undefined || value === null
    ? undefined
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
}

/** Operators of the usual languages of filters, the longer ones first. */
const OPERATOR = String.raw`(NOT\(IS_BEFORE|NOT\(IS_AFTER|IS_AFTER|IS_BEFORE|>=|<=|>|<|\bgte\b|\bgt\b|\bge\b|\blte\b|\blt\b|\ble\b|\bafter\b|\bsince\b|\bbefore\b|\buntil\b)`;
const TIME = String.raw`(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d{9,13}\b)`;
/** A field's name may stand between an operator and its time. */
const timeBound = new RegExp(`${OPERATOR}[^<>=]{0,80}?${TIME}`, "gi");
const numberBound = new RegExp(`${OPERATOR}[^0-9<>=]{0,80}?(\\d+)`, "gi");

const meanings: Readonly<Record<string, readonly [Bound["side"], boolean | undefined]>> = {
  "not(is_before": ["from", true],
  "not(is_after": ["to", true],
  is_after: ["from", false],
  is_before: ["to", false],
  ">=": ["from", true],
  gte: ["from", true],
  ge: ["from", true],
  ">": ["from", false],
  gt: ["from", false],
  "<=": ["to", true],
  lte: ["to", true],
  le: ["to", true],
  "<": ["to", false],
  lt: ["to", false],
  after: ["from", undefined],
  since: ["from", undefined],
  before: ["to", undefined],
  until: ["to", undefined],
};

/** The bounds in a text such as `updated_at >= '2026-01-01T00:00:00Z'`. */
function boundsIn(text: string, { name, isTime }: Field): Bound[] {
  const bounds: Bound[] = [];
  for (const [, operator = "", written = ""] of text.matchAll(isTime ? timeBound : numberBound)) {
    const meaning = meanings[operator.toLowerCase()];
    const value = isTime ? readTime(written) : Number(written);
    if (meaning !== undefined && value !== undefined)
      bounds.push({ side: meaning[0], field: name, value, text: written, isInclusive: meaning[1] });
  }
  return bounds;
}
