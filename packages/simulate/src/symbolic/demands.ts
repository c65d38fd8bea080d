import type { Json } from "@configc/jq";
import type { Path, Root } from "./value.ts";

/** For what a program takes a value. */
export type Use =
  | "text"
  | "number"
  | "boolean"
  | "time"
  | "epoch"
  | "parsed"
  | "nullable"
  | "condition"
  | "scalar"
  | "keyed"
  | "first"
  | "last";

/** What programs demand of a value of the outside: its shape, as far as they say it. */
export interface Demand {
  readonly uses: Set<Use>;
  readonly members: Map<string, Demand>;
  /** Of each item, where it is taken for a list. */
  item: Demand | undefined;
  /** Literals that it is compared with. */
  readonly compared: Set<Json>;
}

export function newDemand(): Demand {
  return { uses: new Set(), members: new Map(), item: undefined, compared: new Set() };
}

/** Demands on all places of the outside, gathered while programs are walked. */
export class Demands {
  readonly #roots = new Map<string, Demand>();

  of(root: Root): Demand {
    const key = root.kind === "response" ? `response ${root.exchange}` : root.kind;
    let demand = this.#roots.get(key);
    if (demand === undefined) {
      demand = newDemand();
      this.#roots.set(key, demand);
    }
    return demand;
  }

  at(root: Root, path: Path): Demand {
    let demand = this.of(root);
    for (const name of path) demand = below(demand, name);
    return demand;
  }
}

export function below(demand: Demand, name: string): Demand {
  if (name === "[]") {
    demand.item ??= newDemand();
    return demand.item;
  }
  let member = demand.members.get(name);
  if (member === undefined) {
    member = newDemand();
    demand.members.set(name, member);
  }
  return member;
}

/** Adds the demands of one value to those of another. */
export function join(into: Demand, from: Demand): void {
  for (const use of from.uses) into.uses.add(use);
  for (const value of from.compared) into.compared.add(value);
  for (const [name, member] of from.members) if (member !== into) join(below(into, name), member);
  if (from.item !== undefined) join(below(into, "[]"), from.item);
}
