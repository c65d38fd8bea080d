import type { Expression } from "@configc/jq";
import type { JqProgram, WorkflowSymbol } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import { objectItems, textOf } from "../parse/syntax-tree.ts";
import { nameOf } from "./literal-object.ts";
import { nodesOfKind } from "./nodes.ts";

/** Titles of the fields that customers map from, as far as they are written. */
export function offeredTitles(workflow: WorkflowSymbol, model: Model): ReadonlyMap<string, string> {
  const known = titlesByWorkflow(model);
  const titles = known.get(workflow) ?? titlesIn(workflow, model);
  known.set(workflow, titles);
  return titles;
}

const titlesByWorkflow = derived((): Map<WorkflowSymbol, ReadonlyMap<string, string>> => new Map());

function titlesIn({ maps }: WorkflowSymbol, model: Model): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const { node } of maps) {
    const described = node.get("describe_source");
    const options = described?.kind === "object" ? described.get("options") : undefined;
    for (const option of objectItems(options)) {
      const [id, title] = [textOf(option, "id"), textOf(option, "title")];
      if (id !== undefined && title !== undefined) titles.set(id, title);
    }
    for (const program of model.programs.filter((each) => options !== undefined && isWithin(each, options)))
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
