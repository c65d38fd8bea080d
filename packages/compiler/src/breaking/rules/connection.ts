import type { AuthSymbol } from "../../bind/bound-nodes.ts";
import { allNames } from "../../check/words.ts";
import { defineRule } from "../../findings/rule.ts";
import type { JsonNode, MemberNode, StringNode } from "../../parse/syntax-tree.ts";
import { comparison } from "../comparison.ts";

const scopesWidened = defineRule<{ auth: string; added: readonly string[] }>({
  id: "breaking/scopes-widened",
  severity: "warning",
  concerns: ["setups"],
  summary: "An `auth` entry asks for more scopes than the published version",
  why: "A customer consented to the scopes of the day. Tokens that are kept, and those that refreshing gives, don't have the new ones, so requests that need them are refused until the customer connects again, and nobody tells them to.",
  guards: ["auth.scopes", "D28", "D40"],
  message: ({ auth, added }) =>
    `\`${auth}\` asks for ${allNames(added)} as well: customers who are connected didn't consent to that, and requests that need it are refused until they connect again.`,
  help: () =>
    "Use the new scope in new workflows only, with an entry of `auth` of their own, or ask customers to connect again.",
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/auth/acme/configuration/scopes",
      published: '["lists:read", "lists:write"]',
      bad: '["lists:read", "lists:write", «"people:read"»]',
      good: '["lists:write", "lists:read"]',
    },
  ],
});

const connectionField = defineRule<{ auth: string; added: readonly string[] }>({
  id: "breaking/connection-field",
  severity: "error",
  concerns: ["setups"],
  summary: "An `auth` entry asks for something that connected customers were never asked for",
  why: "`defined_fields` are filled in when a customer connects. Those who are connected have no value, so every address and request that reads it fails until they connect again.",
  guards: ["auth.defined_fields", "D27", "D40"],
  message: ({ auth, added }) =>
    `\`${auth}\` asks for ${allNames(added)} now: customers who are connected were never asked, and what reads it fails until they connect again.`,
  help: () =>
    "Leave connected customers the entry as it was published, and add an entry of `auth` of its own for new workflows.",
  examples: [
    {
      in: "outbound",
      at: "/auth/acme/defined_fields",
      published: "{}",
      bad: '{«"subdomain"»: {"label": "Your Acme address"}}',
      good: "{}",
    },
  ],
});

export const connectionRules = comparison([scopesWidened, connectionField], ({ auths }, report) => {
  for (const { previous, current, name } of auths.pairs) {
    // Where the type changes, all of it is new; what no published workflow uses, nobody is connected by.
    if (previous.type !== current.type || previous.references.length === 0) continue;
    const before = scopesOf(previous);
    const [scope, ...scopes] =
      before === undefined ? [] : (scopesOf(current) ?? []).filter(({ value }) => !has(before, value));
    if (scope !== undefined)
      report(scopesWidened, scope, { auth: name, added: [scope, ...scopes].map(({ value }) => value) });
    const known = definedFields(previous);
    const [field, ...fields] = definedFields(current).filter(
      (member) => !known.some((each) => each.name === member.name),
    );
    if (field !== undefined)
      report(connectionField, field.key, { auth: name, added: [field, ...fields].map((each) => each.name) });
  }
});

function has(scopes: readonly StringNode[], value: string): boolean {
  // Scopes are sent with blanks between them, so some are written together.
  const known = new Set(scopes.flatMap((scope) => scope.value.split(/\s+/)));
  return value.split(/\s+/).every((each) => known.has(each));
}

/** Undefined where they can't be read. */
function scopesOf({ node }: AuthSymbol): StringNode[] | undefined {
  const scopes = member(member(node, "configuration"), "scopes");
  if (scopes === undefined) return node?.kind === "object" ? [] : undefined;
  if (scopes.kind !== "array") return undefined;
  return scopes.items.filter((item): item is StringNode => item.kind === "string");
}

function definedFields({ node }: AuthSymbol): MemberNode[] {
  const fields = [member(node, "defined_fields"), member(member(node, "configuration"), "defined_fields")];
  return fields.flatMap((each) =>
    each?.kind === "object" ? each.members.filter(({ name }) => name !== "_comment") : [],
  );
}

function member(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.kind === "object" ? node.get(name) : undefined;
}
