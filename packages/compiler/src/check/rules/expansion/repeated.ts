import type { Args, Rule } from "../../../findings/rule.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { Report } from "../../checks.ts";

/** Findings that are collected first, because repeated uses of one undeclared name are one finding (`design.md`). */
export class Repeated<A extends Args> {
  private readonly found = new Map<string, { readonly args: A; readonly places: StringPart[] }>();

  /** @param key what makes two uses the same mistake */
  add(key: string, at: StringPart, args: () => A): void {
    const known = this.found.get(key);
    if (known === undefined) this.found.set(key, { args: args(), places: [at] });
    else known.places.push(at);
  }

  report(report: Report, rule: Rule<A>): void {
    for (const { args, places } of this.found.values()) {
      const [first, ...others] = places;
      if (first === undefined) continue;
      report(
        rule,
        first,
        args,
        others.map((at) => ({ message: "also used here", at })),
      );
    }
  }
}
