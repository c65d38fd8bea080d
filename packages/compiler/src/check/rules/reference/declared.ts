import type { IntakeSymbol, Reference } from "../../../bind/bound-nodes.ts";
import { mayLackMember } from "../../../bind/incomplete-object.ts";
import type { Model } from "../../../bind/model.ts";
import { hasMember } from "../http/at.ts";

/**
 * The names of the auth entries, or undefined where some may have escaped us: then a name that isn't among them says nothing
 * (`design.md`, "No cascades").
 */
export function declaredAuths({ document, auths }: Model): readonly string[] | undefined {
  const { root } = document;
  // A missing or misspelled `auth` is reported by itself.
  if (root?.kind !== "object" || root.get("auth")?.kind !== "object" || mayLackMember(document, "auth"))
    return undefined;
  return [...new Set(auths.map(({ name }) => name))];
}

/** The intakes, likewise. An app without `data_intake` has none. */
export function declaredIntakes({ document, intakes }: Model): readonly IntakeSymbol[] | undefined {
  const { root } = document;
  if (root?.kind !== "object" || mayLackMember(document, "data_intake")) return undefined;
  if (root.member("data_intake") === undefined) return hasMember(root, "data_intake") ? undefined : [];
  const list = root.get("data_intake");
  const whole =
    list?.kind === "array" &&
    list.items.length === intakes.length &&
    intakes.every(({ nameNode }) => nameNode?.valid === true && nameNode.value !== "");
  return whole ? intakes : undefined;
}

/** Those of the intakes that a reference can mean: the history of `historical_data_intake` is polled (D34). */
export function eligible<S>(reference: Reference<S>, intakes: readonly IntakeSymbol[]): readonly string[] {
  const fitting = intakes.filter(
    ({ type }) => reference.member !== "historical_data_intake" || type !== "webhook",
  );
  return [...new Set(fitting.flatMap(({ name }) => name ?? []))];
}
