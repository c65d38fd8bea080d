import type { AuthSymbol } from "../../bind/bound-nodes.ts";
import { allNames } from "../../check/message-text.ts";
import { defineRule } from "../../findings/rule.ts";
import { memberValue } from "../../parse/member-value.ts";
import type { MemberNode, StringNode } from "../../parse/syntax-tree.ts";
import { comparison } from "../comparison.ts";

const scopesWidened = defineRule<{ auth: string; added: readonly string[] }>({
  id: "breaking/scopes-widened",
  severity: "warning",
  concerns: ["setups"],
  summary: "An `auth` entry asks for more scopes than the published version",
  why: "A customer consented to the scopes of the published version. Saved and refreshed tokens don't have the new ones, so requests that need them are refused until the customer connects again, and nobody asks them to.",
  guards: ["auth.scopes", "D28", "D40"],
  message: ({ auth, added }) =>
    `\`${auth}\` also asks for ${allNames(added)}. Connected customers didn't consent to that, so requests that need it are refused until they connect again.`,
  help: () =>
    "Use the new scope only in new workflows with their own `auth` entry, or ask customers to connect again.",
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
  summary: "An `auth` entry has a new field that connected customers never filled in",
  why: "Customers fill in `defined_fields` when they connect. Those who are already connected have no value, so every URL and request that reads it fails until they connect again.",
  guards: ["auth.defined_fields", "D27", "D40"],
  message: ({ auth, added }) =>
    `\`${auth}\` now asks for ${allNames(added)}. Connected customers have no value, so requests that read it fail until they connect again.`,
  help: () => "Keep the published entry, and add a new `auth` entry for new workflows.",
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
  const scopes = memberValue(node, "configuration", "scopes");
  if (scopes === undefined) return node?.kind === "object" ? [] : undefined;
  if (scopes.kind !== "array") return undefined;
  return scopes.items.filter((item): item is StringNode => item.kind === "string");
}

function definedFields({ node }: AuthSymbol): MemberNode[] {
  const fields = [memberValue(node, "defined_fields"), memberValue(node, "configuration", "defined_fields")];
  return fields.flatMap((each) =>
    each?.kind === "object" ? each.members.filter(({ name }) => name !== "_comment") : [],
  );
}
