import type { Begun, Iteration } from "./polling-program.ts";
import { isOfRecord, type Page, type Said } from "./roles.ts";
import type { Value } from "./value.ts";

/** A list of three pages. */
export type List = Omit<Page, "index">;

/**
 * What comes of reading lists. Several rules ask for the same ones, and those that differ only in what no answer said are the same, too: most
 * requests use either the number of a page or a token.
 */
export class Readings<T> {
  private readonly known: { list: List; said: ReadonlySet<Said>; result: T }[] = [];

  get(list: List, read: (list: List) => T): T {
    const same = this.known.find(
      ({ list: other, said }) =>
        other.size === list.size &&
        other.isTold === list.isTold &&
        other.link === list.link &&
        (other.base === list.base || !said.has("base")) &&
        (other.end === list.end || !said.has("end")) &&
        (other.beginsList === list.beginsList || !said.has("beginsList")),
    );
    if (same !== undefined) return same.result;
    const said = new Set<Said>();
    const result = read({ ...list, onSaid: (what) => said.add(what) });
    this.known.push({ list, said, result });
    return result;
  }
}

/**
 * Asks all values of iterations what they are, but for those of records: then it shows what their answers said of the pages, which a rule might
 * ask later.
 */
export function settle(iterations: readonly Iteration[], begun: readonly (Begun | undefined)[] = []): void {
  const seen = new Set<Value>();
  const visit = (value: Value): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (value.kind === "part") {
      if (!isOfRecord(value)) visit(value.source.resolve(value.path));
    } else if (value.kind === "list") for (const item of value.items) visit(item);
    else if (value.kind === "record") for (const member of value.members.values()) visit(member);
  };
  for (const { sent, iterate, state } of iterations) {
    for (const { value } of sent) visit(value);
    visit(iterate);
    visit(state);
  }
  for (const each of begun) {
    if (each === undefined) continue;
    for (const { value } of each.prepared) visit(value);
    for (const { value } of each.sent) visit(value);
  }
}
