import type { Model } from "../bind/model.ts";
import { addMembers } from "../check/edits.ts";
import { ownerOf } from "../check/locate.ts";
import type { Edit } from "../check/rule.ts";
import { spanOf } from "../parse/document.ts";
import type { ObjectNode, Span } from "../parse/syntax-tree.ts";

/** What an object lacks, and how to write it. */
export interface MissingMembers {
  /** Where the findings about it are. */
  readonly span: Span;
  readonly names: readonly string[];
  readonly edit: Edit;
}

/** The objects that lack members that they need: each is added as the language table's example of it. */
export function missingMembers(model: Model): readonly MissingMembers[] {
  const { document } = model;
  const lacking = new Map<ObjectNode, Map<string, unknown>>();
  const add = (object: ObjectNode, name: string, example: unknown): void => {
    const members = lacking.get(object) ?? new Map<string, unknown>();
    lacking.set(object, members.set(name, neutral(example)));
  };
  for (const problem of model.structure) {
    if (problem.kind === "missing-member" && problem.member.tolerated === undefined)
      add(problem.object, problem.name, problem.member.example);
    if (problem.kind !== "group" || problem.present.length > 0) continue;
    const [name = ""] = problem.group.members;
    const member = Object.hasOwn(problem.section.members, name) ? problem.section.members[name] : undefined;
    if (member !== undefined) add(problem.object, name, member.example);
  }
  return [...lacking].map(([object, members]) => ({
    span: spanOf(document, ownerOf(object)),
    names: [...members.keys()],
    edit: addMembers(document, object, members),
  }));
}

/** A text that names things of the example's own app means nothing here. */
function neutral(example: unknown): unknown {
  return typeof example === "string" && example.includes("${") ? example.replace(/\$\{.*$/, "") : example;
}
