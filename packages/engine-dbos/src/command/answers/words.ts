import type { SourcePlace } from "@configc/runtime";
import { UsageError } from "../usage.ts";

const UNITS = [
  [24 * 60 * 60_000, "d"],
  [60 * 60_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** A length of time for people: `3 h`, `12 min`. */
export function span(milliseconds: number): string {
  const found = UNITS.find(([unit]) => milliseconds >= unit);
  return found === undefined ? "less than 1 s" : `${Math.floor(milliseconds / found[0])} ${found[1]}`;
}

/** A time as it is compared with logs. */
export function moment(time: number): string {
  return new Date(time).toISOString();
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** `HttpError 401 at /data_intake/0/request (shop.app.json:14:9)` */
export function what(
  { kind, status, pointer }: { readonly kind: string; readonly status?: number; readonly pointer: string },
  place: SourcePlace | undefined,
): string {
  const code = status === undefined ? "" : ` ${status}`;
  const at = pointer === "" ? "" : ` at ${pointer}`;
  return `${kind}${code}${at}${place === undefined ? "" : ` (${place.file}:${place.line}:${place.column})`}`;
}

/** @throws UsageError where the value of `--limit` is no number */
export function limitIn(options: Readonly<Record<string, string>>): { readonly limit?: number } {
  const { limit } = options;
  if (limit === undefined) return {};
  if (!/^\d+$/.test(limit)) throw new UsageError(`\`--limit\` needs a number, not \`${limit}\`.`);
  return { limit: Number(limit) };
}

/** Those of the options that a filter has too. */
export function chosen<K extends string>(
  options: Readonly<Record<string, string>>,
  names: readonly K[],
): { readonly [N in K]?: string } {
  return Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  ) as { readonly [N in K]?: string };
}
