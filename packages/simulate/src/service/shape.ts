import type { Json } from "@configc/jq";
import { type Demand, newDemand } from "../symbolic/demands.ts";
import { hasWord, idNames, timeNames, wordsOf } from "./names.ts";

/** What a value of an answer is, as far as programs, names and examples say it. */
export type Shape =
  | { readonly kind: "object"; readonly members: Readonly<Record<string, Shape>> }
  | { readonly kind: "list"; readonly item: Shape }
  | Leaf;

export interface Leaf {
  readonly kind:
    | "id"
    | "text"
    | "email"
    | "number"
    | "boolean"
    | "time"
    | "epoch"
    | "url"
    | "phone"
    | "parsed";
  /** Programs take its absence, or null. */
  readonly isNullable: boolean;
  /** Values that programs compare it with. */
  readonly choices: readonly Json[];
}

/** The shape of what programs demand. @param name of the member that holds it */
export function shapeOf(demand: Demand, name = ""): Shape {
  const { members, item } = demand;
  if (item !== undefined && members.size === 0) return { kind: "list", item: shapeOf(item, singular(name)) };
  if (members.size > 0) {
    const shapes = Object.fromEntries([...members].map(([key, member]) => [key, shapeOf(member, key)]));
    // Iterated as well: a map whose members are alike, or a list that is read by index.
    return { kind: "object", members: item === undefined ? shapes : { ...shapes } };
  }
  if (demand.uses.has("keyed")) return { kind: "object", members: { field: leafOf(newDemand(), "field") } };
  return leafOf(demand, name);
}

/** An answer's: `.body` is the whole (D20), and a list if it is taken for one. */
export function answerShape(demand: Demand): Shape {
  const body = demand.members.get("body");
  if (body === undefined) return shapeOf(demand);
  const members = new Map([...demand.members].filter(([name]) => name !== "body"));
  const isWhole = body.item !== undefined || body.members.size > 0;
  if (!isWhole) return shapeOf(demand);
  for (const [name, member] of body.members) if (!members.has(name)) members.set(name, member);
  return shapeOf({ ...newDemand(), members, item: body.item });
}

function leafOf({ uses, compared }: Demand, name: string): Leaf {
  const choices = [...compared].filter((value) => value !== null);
  const isNullable = uses.has("nullable");
  return { kind: leafKind(uses, choices, name), isNullable, choices };
}

function leafKind(uses: ReadonlySet<string>, choices: readonly Json[], name: string): Leaf["kind"] {
  if (uses.has("parsed")) return "parsed";
  if (uses.has("time")) return "time";
  if (uses.has("epoch")) return "epoch";
  const words = wordsOf(name);
  if (choices.some((value) => typeof value === "boolean")) return "boolean";
  if (uses.has("number") && !uses.has("text")) return "number";
  if (words.includes("email") || words.includes("mail")) return "email";
  if (idNames.has(words.at(-1) ?? "")) return "id";
  if (words.includes("phone") || words.includes("mobile")) return "phone";
  if (["url", "uri", "link", "href"].includes(words.at(-1) ?? "")) return "url";
  if (!uses.has("text") && hasWord(name, timeNames) && !["last_name"].includes(name)) return "time";
  if (choices.some((value) => typeof value === "number")) return "number";
  if (uses.has("condition") && !uses.has("text") && !uses.has("scalar")) return "boolean";
  return "text";
}

function singular(name: string): string {
  return name.endsWith("s") ? name.slice(0, -1) : name;
}
