import type { Model } from "../bind/model.ts";
import type { PlaceName } from "../language/index.ts";
import type { SyntaxNode } from "../parse/syntax-tree.ts";
import type { Surroundings } from "./sketch.ts";

/**
 * @param node what the new value is put into
 * @param place of the outermost command around it
 */
export function surroundingsOf(
  { auths, intakes, workflows, document }: Model,
  node: SyntaxNode | undefined,
  place?: PlaceName,
): Surroundings {
  const above = new Set<SyntaxNode>();
  for (let at = node; at !== undefined; at = at.parent) above.add(at);
  const workflow = workflows.find((each) => above.has(each.node));
  const { root } = document;
  const api = root?.kind === "object" ? root.member("api")?.value : undefined;
  return {
    auths: auths.map(({ name }) => name),
    intakes: intakes.flatMap(({ name, type }) => (name === undefined ? [] : [{ name, type }])),
    direction: workflow?.direction,
    intakeType: workflow?.intake?.target?.type,
    taken: new Set([...namesAmong(node), ...intakes.map(({ name }) => name)]),
    paginates: api?.kind === "object" && api.member("pagination") !== undefined,
    place,
  };
}

/** The names and ids of the items of a list. */
function* namesAmong(node: SyntaxNode | undefined): Generator<unknown> {
  if (node?.kind !== "array") return;
  for (const item of node.items) {
    if (item.kind !== "object") continue;
    for (const name of ["name", "id"]) {
      const value = item.member(name)?.value;
      if (value?.kind === "string") yield value.value;
    }
  }
}
