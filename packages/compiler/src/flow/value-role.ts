import type { Expression } from "@configc/jq";
import { memoize } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../bind/bound-nodes.ts";
import { isIdName, isShownName, nameOfValue } from "./id-names.ts";
import { bare } from "./nodes.ts";
import { expansionTrails, inputTrails, type Trail } from "./origin.ts";
import { isTimeName } from "./protocol/time-names.ts";
import type { TypeFlow } from "./type-flow.ts";

/** What a value is, as far as a name tells it: that of the member it comes from, or of the member it goes to. */
export type Role = "id" | "name" | "email" | "phone" | "url" | "time" | "flag" | "secret";

/** Where a value comes from, and what it is by that. */
export interface Meaning {
  readonly role: Role;
  /** The name that tells it: `title`. */
  readonly name: string;
}

/** What a member is by its name; undefined where that says nothing, or may mean several things. */
export const roleOf: (name: string) => Role | undefined = memoize((name): Role | undefined => {
  if (/(?:^|_|[a-z](?=E))e_?mail(?:_?address)?$/i.test(name)) return "email";
  if (/(?:^|_)(?:phone|mobile|fax)(?:_?number)?$|[a-z]Phone(?:Number)?$/i.test(name)) return "phone";
  if (
    /(?:^|_)(?:secret|signing_key|signing_secret|secret_token|secret_key|(?:web)?hook_key)$|[a-z](?:Secret|SigningKey)$/.test(
      name,
    )
  )
    return "secret";
  // Messengers know people by their numbers, and so do switchboards.
  if (/^(?:wa|whatsapp|viber|signal|caller)_?id$/i.test(name)) return undefined;
  if (isIdName(name)) return "id";
  // Many services call an account by its email, or by its user's name.
  if (isShownName(name)) return /user_?name$/i.test(name) ? undefined : "name";
  if (/(?:^|_)(?:url|uri|href)$|[a-z](?:Url|Uri)$/.test(name)) return "url";
  if (/(?:_at|_on|_date|_time|[a-z](?:At|Date))$|^(?:date|timestamp)$/.test(name) && isTimeName(name))
    return "time";
  return /^(?:is|has|can)_/.test(name) ? "flag" : undefined;
  // The names of a large document.
}, 5_000);

/** What an expression gives, by the member of an answer, a payload or a step that it reads. */
export function meaningOf(node: Expression, program: JqProgram, flow: TypeFlow): Meaning | undefined {
  const inner = bare(node);
  if (inner.kind === "Hole") {
    const hole = program.holes[inner.hole];
    return hole === undefined ? undefined : meaningOfExpansion(hole, flow);
  }
  const name = nameOfValue(inner);
  return name === undefined ? undefined : named(name);
}

/** The same of an expansion: what a customer chose is what its options have. */
export function meaningOfExpansion(expansion: Expansion, flow: TypeFlow): Meaning | undefined {
  const { root, syntax } = expansion;
  if (root !== "custom_data") return named(syntax.path.at(-1)?.text ?? "");
  if (expansion.fields.length !== 1 || !expansion.fieldExact) return undefined;
  return meaningOfTrails(expansionTrails(flow, expansion), flow);
}

/** What all ways back say alike. */
export function meaningOfTrails(trails: readonly Trail[], flow: TypeFlow): Meaning | undefined {
  const [first, ...others] = trails.map(({ origin }) => meaningOfOrigin(origin, flow));
  return others.every((other) => other?.role === first?.role) ? first : undefined;
}

function meaningOfOrigin(origin: Trail["origin"], flow: TypeFlow): Meaning | undefined {
  if (origin.kind === "response" || origin.kind === "payload" || origin.kind === "place")
    return named(origin.path.findLast((name) => name !== "[]") ?? "");
  if (origin.kind !== "made") return undefined;
  const { node, program } = origin;
  // A number that is written as text is the same id.
  const isConverted = node.kind === "Call" && /^to(?:string|number)$/.test(node.name.text);
  return isConverted
    ? meaningOfTrails(inputTrails(flow, program, node), flow)
    : named(nameOfValue(node) ?? "");
}

function named(name: string): Meaning | undefined {
  const role = roleOf(name);
  return role === undefined ? undefined : { role, name };
}
