import type { Model } from "../bind/model.ts";
import type { Direction, Member, PlaceName } from "../language/index.ts";
import type { SyntaxNode } from "../parse/syntax-tree.ts";

/** What a document declares, and where in it something is to be written. */
export interface WritingContext {
  readonly auths: readonly string[];
  readonly intakes: readonly { readonly name: string; readonly type: string | undefined }[];
  /** Of the workflow around. */
  readonly direction: Direction | undefined;
  /** Of the intake that the workflow around reads. */
  readonly intakeType: string | undefined;
  /** Names and ids that a new thing can't have any more. */
  readonly taken: ReadonlySet<unknown>;
  /** Whether `api.pagination` is there. */
  readonly paginates: boolean;
  /** Where the outermost command around stands. */
  readonly place: PlaceName | undefined;
}

/** Whether a member says something there, as far as that is known. */
export function hasEffect(
  { effective }: Member,
  { paginates, intakeType, direction }: WritingContext,
): boolean {
  if (effective === undefined) return true;
  if (effective.paginated === true && !paginates) return false;
  const isElsewhere = (known: string | undefined, wanted: string | undefined): boolean =>
    known !== undefined && wanted !== undefined && known !== wanted;
  return !isElsewhere(intakeType, effective.intake) && !isElsewhere(direction, effective.direction);
}

/**
 * @param node what the new value is put into
 * @param place of the outermost command around it
 */
export function writingContextAt(
  { auths, intakes, workflows, document }: Model,
  node: SyntaxNode | undefined,
  place?: PlaceName,
): WritingContext {
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
