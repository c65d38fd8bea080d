import type { Begun, Iteration } from "./polling-program.ts";
import { isOfRecord, type Page, type Said } from "./roles.ts";
import { each, type Value } from "./value.ts";

/** A list of three pages. */
export type List = Omit<Page, "index">;

/**
 * What comes of reading lists. Several rules ask for the same ones, and those that differ only in what no answer said are the same, too: most
 * requests use either the number of a page or a token.
 */
export class Readings<T> {
  private readonly known: Known<T>[] = [];

  /**
   * @param read what isn't known yet
   * @param complete works out what was left of something that was read, which may ask answers for more
   */
  get(list: List, read: (list: List) => T, complete?: (result: T) => void): T {
    for (const each of this.known) {
      if (!fits(each, list)) continue;
      complete?.(each.result);
      if (!fits(each, list)) continue;
      for (const what of each.said) list.onSaid?.(what);
      return each.result;
    }
    const said = new Set<Said>();
    const result = read({
      ...list,
      onSaid(what) {
        said.add(what);
        list.onSaid?.(what);
      },
    });
    this.known.push({ list, said, result });
    return result;
  }
}

interface Known<T> {
  readonly list: List;
  /** What its answers said of it. */
  readonly said: ReadonlySet<Said>;
  readonly result: T;
}

const fits = ({ list, said }: Known<unknown>, other: List): boolean =>
  list.size === other.size &&
  list.isTold === other.isTold &&
  list.link === other.link &&
  (list.base === other.base || !said.has("base")) &&
  (list.end === other.end || !said.has("end")) &&
  (list.beginsList === other.beginsList || !said.has("beginsList"));

/**
 * Asks all that an iteration or the beginning of one gives what it is, but for what is of records: then it shows what their answers said of the
 * pages, which a rule might ask later.
 */
export function settle({ sent, prepared, iterate, state }: Partial<Iteration & Begun>): void {
  const seen = new Set<Value>();
  const visit = (value: Value): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (value.kind === "part") {
      if (!isOfRecord(value)) visit(value.source.resolve(value.path));
    } else if (value.kind === "list") each(value.items, visit);
    else if (value.kind === "record") for (const member of value.members.values()) visit(member);
  };
  for (const { value } of prepared ?? []) visit(value);
  for (const { value } of sent ?? []) visit(value);
  if (iterate !== undefined) visit(iterate);
  if (state !== undefined) visit(state);
}
