/** A page by its number. */
export function numbered<T>(items: readonly T[], number: number, size: number): T[] {
  return items.slice(number * size, (number + 1) * size);
}

/**
 * The page that a token stands for. It holds the place of the last item of the page before, so that items which come or go meanwhile
 * shift nothing.
 *
 * @param placeOf by which the items are in order: ascending
 * @param token from the page before; undefined or "" for the first
 */
export function fromToken<T>(
  items: readonly T[],
  placeOf: (item: T) => string,
  size: number,
  token: string | null | undefined,
): { readonly page: T[]; readonly next: string | null } {
  const after = token ? Buffer.from(token, "base64url").toString() : undefined;
  const rest = after === undefined ? items : items.filter((item) => placeOf(item) > after);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const next =
    rest.length > size && last !== undefined ? Buffer.from(placeOf(last)).toString("base64url") : null;
  return { page, next };
}

/** A number as text that is ordered as the number is. */
export function ordered(value: number): string {
  return `${value}`.padStart(16, "0");
}
