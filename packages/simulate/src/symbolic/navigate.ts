import type { Json } from "@configc/jq";
import { PARSED } from "../service/json.ts";
import { below, type Demand, type Demands, type Use } from "./demands.ts";
import { choice, literal, made, nothing, type Value } from "./value.ts";

/** Reads parts of values, and notes what that demands of the outside. */
export class Navigator {
  readonly demands: Demands;

  constructor(demands: Demands) {
    this.demands = demands;
  }

  /** `.name` */
  member(value: Value, name: string): Value {
    switch (value.kind) {
      case "place":
        below(this.demands.at(value.root, value.path), name);
        return { ...value, path: [...value.path, name] };
      case "object":
        return (
          value.members.get(name) ?? (value.base === undefined ? nothing : this.member(value.base, name))
        );
      case "choice":
        return choice(value.of.map((each) => this.member(each, name)));
      case "literal":
        return literal(memberOf(value.value, name));
      case "list":
        return value.isKeyed ? value.item : nothing;
      case "made":
        return value;
    }
  }

  /** `.[]`, and `.[0]` */
  item(value: Value): Value {
    switch (value.kind) {
      case "place":
        below(this.demands.at(value.root, value.path), "[]");
        return { ...value, path: [...value.path, "[]"] };
      case "list":
        return value.item;
      case "object":
        return choice([...value.members.values(), ...(value.base === undefined ? [] : [value.base])]);
      case "choice":
        return choice(value.of.map((each) => this.item(each)));
      case "literal":
        return Array.isArray(value.value)
          ? choice(value.value.map((each) => literal(each as Json)))
          : nothing;
      case "made":
        // What two values are added up to has the items of both.
        return value.by === "sum" ? choice(value.of.map((each) => this.item(each))) : value;
    }
  }

  /** `fromjson` */
  parsed(value: Value): Value {
    this.use(value, "parsed");
    if (value.kind === "place") return this.member(value, PARSED);
    return value.kind === "choice" ? choice(value.of.map((each) => this.parsed(each))) : made("other", value);
  }

  /** Notes for what a value is taken. */
  use(value: Value, use: Use): void {
    this.#note(value, ({ uses }) => void uses.add(use));
  }

  /** Notes with what a value is compared. @param isShunned whether it is looked at not to be that */
  compare(value: Value, other: Json, isShunned = false): void {
    this.#note(value, ({ compared, shunned }) => {
      compared.add(other);
      if (isShunned) shunned.add(other);
    });
  }

  /** Notes what a value has to be, or mustn't be, for the app to go on. */
  require(value: Value, other: Json, isWanted: boolean): void {
    this.#note(value, ({ required }) => void required.set(other, isWanted));
  }

  /** Notes how a text is read as a time. */
  format(value: Value, format: string): void {
    this.#note(value, ({ formats }) => void formats.add(format));
  }

  /** Notes that a text has numbers in it: `.born | split(".") | map(tonumber)`. */
  numbered(value: Value, separator = ""): void {
    if (value.kind === "choice") for (const each of value.of) this.numbered(each, separator);
    if (value.kind !== "made" || (value.by !== "text" && value.by !== "other")) return;
    const [text, between] = value.of;
    // What is put together of several texts is a number by chance.
    if (text === undefined || value.of.slice(1).some((each) => each.kind !== "literal")) return;
    const isSplit = value.by === "other" && between?.kind === "literal";
    const own = isSplit && /^[^\\\w]{1,2}$/.test(String(between.value)) ? String(between.value) : separator;
    if (text.kind !== "made") this.#note(text, ({ separators }) => void separators.add(own));
    this.numbered(text, own);
  }

  /** Notes how a text is taken apart. */
  pattern(value: Value, pattern: string): void {
    this.#note(value, ({ patterns }) => void patterns.add(pattern));
  }

  /** Notes that a list is asked for an item by its index. */
  index(value: Value, index: number): void {
    this.#note(value, (demand) => {
      demand.least = Math.max(demand.least, index >= 0 ? index + 1 : -index);
    });
  }

  #note(value: Value, add: (demand: Demand) => void): void {
    if (value.kind === "place") add(this.demands.at(value.root, value.path));
    if (value.kind === "choice") for (const each of value.of) this.#note(each, add);
  }

  /** `left + right` of objects: the members of both. */
  merge(left: Value, right: Value): Value {
    const over = asObject(right);
    const under = asObject(left);
    if (over === undefined && under === undefined) {
      if (left.kind === "list" || right.kind === "list")
        for (const side of [left, right]) this.use(side, "list");
      return made("sum", left, right);
    }
    for (const side of [left, right]) this.use(side, "object");
    if (over === undefined)
      return {
        kind: "object",
        members: under?.members ?? new Map(),
        // `{id} + .attributes`
        base: right.kind === "place" ? right : made("other", right),
      };
    const members = new Map([...(under?.members ?? []), ...over.members]);
    const base = under === undefined ? left : under.base;
    const bases = [over.base, base].filter((each) => each !== undefined);
    return { kind: "object", members, ...(bases.length === 0 ? {} : { base: choice(bases) }) };
  }
}

type ObjectValue = Extract<Value, { kind: "object" }>;

function asObject(value: Value): ObjectValue | undefined {
  if (value.kind === "object") return value;
  if (value.kind === "literal" && isRecord(value.value))
    return {
      kind: "object",
      members: new Map(Object.entries(value.value).map(([name, each]) => [name, literal(each)])),
    };
  if (value.kind !== "choice") return undefined;
  // What a condition adds may be there or not.
  const all = value.of.map(asObject);
  if (all.some((each) => each === undefined)) return undefined;
  const members = new Map<string, Value>();
  for (const each of all)
    for (const [name, member] of each!.members)
      members.set(name, members.has(name) ? choice([members.get(name)!, member]) : member);
  return { kind: "object", members };
}

function isRecord(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function memberOf(value: Json, name: string): Json {
  return isRecord(value) && Object.hasOwn(value, name) ? (value[name] as Json) : null;
}
