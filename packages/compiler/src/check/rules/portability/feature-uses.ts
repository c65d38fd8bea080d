import type { ExtendedUse } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { roots } from "../../../language/index.ts";
import type { Location } from "../../../parse/document.ts";
import type { JsonNode, ObjectNode } from "../../../parse/syntax-tree.ts";
import { resourceUses } from "../resource/references.ts";

export interface FeatureUse {
  readonly feature: string;
  readonly at: Location;
}

/**
 * Uses of extended features, each mistake once: of a feature that is built of others, such as `!switch` with its members or an
 * auth entry of an extended type, the outermost.
 */
export function featureUses(model: Model): readonly FeatureUse[] {
  return [...structuralUses(model), ...rootUses(model), ...resourceFeatures(model)];
}

function structuralUses({ extendedUses, objects }: Model): FeatureUse[] {
  // Whose insides are part of a use. The specification has `objects` and leaves their members open (D39).
  const covered = new Set<JsonNode>(objects.map(({ node }) => node));
  for (const { node } of extendedUses) {
    const variant = variantOf(node);
    if (variant !== undefined) covered.add(variant);
  }
  return extendedUses.flatMap(({ feature, node }): FeatureUse | [] => {
    if (node.kind !== "member") return { feature, at: opening(node) };
    const inside = covered.has(node.parent);
    if (node.value !== undefined) covered.add(node.value);
    // A comment is no part of what it stands in.
    if (node.name === "_comment") return { feature, at: node.key };
    if (inside) return [];
    if (!isAction(node.parent)) return { feature, at: node.key };
    covered.add(node.parent);
    return { feature: "the form `{action, data}` of `!resource`", at: node.key };
  });
}

/** The object whose `type` is an extended one: all that is particular in it belongs to that type. */
function variantOf(node: ExtendedUse["node"]): ObjectNode | undefined {
  const { parent } = node;
  return node.kind === "string" && parent?.kind === "member" && parent.name === "type"
    ? parent.parent
    : undefined;
}

function isAction({ parent }: ObjectNode): boolean {
  return parent?.kind === "member" && parent.name === "!resource";
}

function opening(node: JsonNode): Location {
  return node.kind === "array" ? { start: node.start, end: node.start + 1 } : node;
}

function rootUses({ expansions }: Model): FeatureUse[] {
  return expansions.flatMap(({ root, rootExact, node, syntax }) => {
    const [first] = syntax.path;
    if (root === undefined || !rootExact || first === undefined || roots[root].tier === "core") return [];
    return { feature: `the expansion \`\${${root}}\``, at: { node, from: first.start, to: first.end } };
  });
}

function resourceFeatures(model: Model): FeatureUse[] {
  return resourceUses(model).flatMap(
    ({ target, exact, name, nameAt, part, partAt, action }): FeatureUse | [] => {
      // One of the settings' own resources is there by the author's word.
      if (!exact || action || target?.spec === undefined) return [];
      if (target.spec.tier === "ext") return { feature: `the resource \`${name}\``, at: nameAt };
      return part === "sync" && partAt !== undefined
        ? { feature: `\`.sync\` of a resource`, at: partAt }
        : [];
    },
  );
}
