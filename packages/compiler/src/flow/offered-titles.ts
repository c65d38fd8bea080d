import type { Expression } from "@configc/jq";
import type { JqProgram, WorkflowSymbol } from "../bind/bound-nodes.ts";
import { derivedOf } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import { partOfUnit } from "../bind/unit-part.ts";
import { objectItems, textOf } from "../parse/syntax-tree.ts";
import { nameOf } from "./literal-object.ts";
import { nodesOfKind } from "./nodes.ts";

/** Titles of the fields that customers map from, as far as they are written; of a field in a group also by `group.id`. */
export const offeredTitles = derivedOf((workflow: WorkflowSymbol, model) =>
  titlesIn("describe_source", workflow, model),
);

/** Titles of the fields that customers map to, as far as they are written; of a field in a group also by `group.id`. */
export const takenTitles = derivedOf((workflow: WorkflowSymbol, model) =>
  titlesIn("describe_target", workflow, model),
);

function titlesIn(
  side: "describe_source" | "describe_target",
  workflow: WorkflowSymbol,
  model: Model,
): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  const { programs } = partOfUnit(workflow, model);
  for (const { node } of workflow.maps) {
    const described = node.get(side);
    const options = described?.kind === "object" ? described.get("options") : undefined;
    for (const option of objectItems(options)) {
      const [id, title] = [textOf(option, "id"), textOf(option, "title")];
      if (id === undefined || title === undefined) continue;
      titles.set(id, title);
      const group = textOf(option, "group");
      if (group !== undefined) titles.set(`${group}.${id}`, title);
    }
    for (const program of programs.filter((each) => options !== undefined && isWithin(each, options)))
      for (const { entries } of nodesOfKind(program, "Object")) {
        const texts = new Map(entries.map(({ key, value }) => [nameOf(key), value && textIn(value)]));
        const [id, title] = [texts.get("id"), texts.get("title")];
        if (id !== undefined && title !== undefined) titles.set(id, title);
      }
  }
  return titles;
}

const isWithin = ({ node }: JqProgram, { start, end }: { start: number; end: number }): boolean =>
  start <= node.start && node.end <= end;

function textIn(node: Expression): string | undefined {
  const [part, ...others] = node.kind === "String" ? node.parts : [];
  return part?.kind === "StringText" && others.length === 0 ? part.value : undefined;
}
