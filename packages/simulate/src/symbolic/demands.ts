import type { Json } from "@configc/jq";
import type { Path, Root, Value } from "./value.ts";

/** For what a program takes a value. */
export type Use =
  | "text"
  | "number"
  | "boolean"
  | "time"
  | "epoch"
  /** Less or more than another one. */
  | "ordered"
  | "parsed"
  /** It is decoded. */
  | "base64"
  | "base32"
  | "nullable"
  | "condition"
  /** Programs ask whether it isn't so: mostly it isn't. */
  | "negated"
  /** Where it is so, the app takes no results, for a reason of its own. */
  | "exceptional"
  | "scalar"
  /** It says which version of a record is meant, in a header: the service made it for that. */
  | "header"
  /** Later than now, where programs choose it. */
  | "future"
  /** A number of milliseconds. */
  | "milliseconds"
  /** It stands in the address of a request: it names something. */
  | "addressed"
  | "keyed"
  /** An item that programs find by a value of it. */
  | "indexed"
  | "first"
  | "last"
  /** It has to be there for a program to go on, or mustn't be: `has("next")`. */
  | "presence"
  /** An empty text stands for nothing. */
  | "blank"
  /** Where it is there, the app stops with an error. */
  | "absent"
  /** Where it isn't, or is null, the app stops with an error. */
  | "present"
  /** A list in which the app had better find nothing. */
  | "empty"
  /** Members are added to it, items are. */
  | "object"
  | "list";

/** What programs demand of a value of the outside: its shape, as far as they say it. */
export interface Demand {
  readonly uses: Set<Use>;
  readonly members: Map<string, Demand>;
  /** Of each item, where it is taken for a list. */
  item: Demand | undefined;
  /** Literals that it is compared with. */
  readonly compared: Set<Json>;
  /** Of them, those that it is looked at not to be: mostly it isn't. */
  readonly shunned: Set<Json>;
  /** What it has to be, or mustn't, for the app not to stop with an error. */
  readonly required: Map<Json, boolean>;
  /** Between these its text has numbers; an empty one: it is a number itself. */
  readonly separators: Set<string>;
  /** What its text has to look like for programs to take it apart: patterns of `capture`. */
  readonly patterns: Set<string>;
  /** How its text is read as a time: formats of `strptime`. */
  readonly formats: Set<string>;
  /** Items that programs ask for by their index. */
  least: number;
}

export function newDemand(): Demand {
  return {
    uses: new Set(),
    members: new Map(),
    item: undefined,
    compared: new Set(),
    shunned: new Set(),
    required: new Map(),
    separators: new Set(),
    patterns: new Set(),
    formats: new Set(),
    least: 1,
  };
}

/** Two values that are compared with each other, where neither is written in the program. */
interface Pair {
  readonly left: Value;
  readonly right: Value;
  readonly operator: string;
}

/** Demands on all places of the outside, gathered while programs are walked. */
export class Demands {
  readonly pairs: Pair[] = [];
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
