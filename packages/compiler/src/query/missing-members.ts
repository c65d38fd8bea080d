import type { Model } from "../bind/model.ts";
import { addMembers } from "../check/edits.ts";
import { ownerOf } from "../check/locate.ts";
import type { Edit } from "../findings/rule.ts";
import type { Member } from "../language/index.ts";
import { spanOf } from "../parse/document.ts";
import type { ObjectNode, Span } from "../parse/syntax-tree.ts";
import { plainOf, skeletonOf } from "./skeleton.ts";
import { writingContextAt } from "./writing-context.ts";

/** What an object lacks, and how to write it. */
export interface MissingMembers {
  /** Where the findings about it are. */
  readonly span: Span;
  readonly names: readonly string[];
  readonly edit: Edit;
}

/** The objects that lack members that they need: each is added with all that it requires itself. */
export function missingMembers(model: Model): readonly MissingMembers[] {
  const { document } = model;
  const lacking = new Map<ObjectNode, Map<string, unknown>>();
  const add = (object: ObjectNode, name: string, { value, example }: Member): void => {
    const members = lacking.get(object) ?? new Map<string, unknown>();
    const sketch = skeletonOf(value, [example], writingContextAt(model, object));
    lacking.set(object, members.set(name, plainOf(sketch)));
  };
  for (const problem of model.structure) {
    if (problem.kind === "missing-member" && problem.member.tolerated === undefined)
      add(problem.object, problem.name, problem.member);
    if (problem.kind !== "group" || problem.present.length > 0) continue;
    const [name = ""] = problem.group.members;
    const member = Object.hasOwn(problem.section.members, name) ? problem.section.members[name] : undefined;
    if (member !== undefined) add(problem.object, name, member);
  }
  return [...lacking].map(([object, members]) => ({
    span: spanOf(document, ownerOf(object)),
    names: [...members.keys()],
    edit: addMembers(document, object, members),
  }));
}
