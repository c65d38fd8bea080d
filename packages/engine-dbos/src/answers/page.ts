/** A part of a list, and how to ask for the next one. */
export interface Page<T> {
  readonly rows: readonly T[];
  /** For `after` of the same question; absent on the last page. */
  readonly next?: string;
}

/** Rows of a page that isn't asked for with another size, and at most. */
const USUAL_PAGE = 50;
const LARGEST_PAGE = 1_000;

/** A condition with its values: `?` stands for each of them, in order. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** `column = value` where there is a value. */
export function equals(column: string, value: unknown): readonly Condition[] {
  return value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }];
}

/** A statement of which `?` in `conditions` and `rest` become numbers. */
export function statement(
  select: string,
  conditions: readonly Condition[],
  rest: Condition,
): { readonly text: string; readonly values: readonly unknown[] } {
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.map(({ sql }) => sql).join(" AND ")}`;
  let number = 0;
  const text = `${select}${where} ${rest.sql}`.replace(/\?/g, () => `$${++number}`);
  return { text, values: [...conditions, rest].flatMap(({ values }) => values) };
}

/**
 * A place in an order, as a text that whoever asks gives back.
 *
 * @param key values of the columns that the list is ordered by, of its last row
 */
function cursorOf(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

/** @throws RangeError where it isn't one of ours */
export function keyOf(cursor: string, length: number): readonly (string | number)[] {
  let key: unknown;
  try {
    key = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {}
  if (!Array.isArray(key) || key.length !== length)
    throw new RangeError(`\`${cursor}\` isn't the \`next\` of a page.`);
  return key as readonly (string | number)[];
}

/** One row more than wanted says that there is a next page. */
export function pageOf<R, T>(
  rows: readonly R[],
  limit: number,
  made: (row: R) => T,
  key: (row: R) => readonly (string | number)[],
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown.map(made),
    ...(rows.length > limit && last !== undefined ? { next: cursorOf(key(last)) } : {}),
  };
}

/** @throws RangeError */
export function limitOf(limit: number | undefined): number {
  if (limit === undefined) return USUAL_PAGE;
  if (!Number.isInteger(limit) || limit < 1 || limit > LARGEST_PAGE)
    throw new RangeError(`A page has from 1 to ${LARGEST_PAGE} rows, not ${limit}.`);
  return limit;
}

/** Of a column that may be NULL: absent then. */
export function given<K extends string, V>(name: K, value: V | null): { readonly [N in K]?: V } {
  return (value === null ? {} : { [name]: value }) as { readonly [N in K]?: V };
}
