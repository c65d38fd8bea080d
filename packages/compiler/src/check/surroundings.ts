import type { Model, Reference, WorkflowSymbol } from "../bind/model.ts";
import type { Part } from "../bind/part.ts";
import { flowOf } from "../flow/flow.ts";
import { responseType } from "../samples/response-type.ts";

/**
 * All that rules may look at when they judge what is in a part, besides settings and samples. Two lists with the same elements
 * stand for the same findings.
 */
export type Surroundings = readonly unknown[];

/**
 * The surroundings of each part: the parts that are linked with it by `data_intake`, directly or by others, since the types of
 * fields and payloads come from there; what stands outside of intakes and workflows; what is saved, which any part may read.
 */
export function surroundingsOf(model: Model): ReadonlyMap<Part, Surroundings> {
  const common: unknown[] = [frameText(model), savedText(model)];
  // While the document is in pieces, rules say less, each in its own way.
  if (model.document.problems.length > 0) common.push({});
  const found = new Map<Part, Surroundings>();
  for (const group of groupsOf(model)) {
    const shared = [...common, ...group, ...group.flatMap((part) => linksOf(part, model))];
    for (const part of group) found.set(part, shared);
  }
  return found;
}

export function isSame(a: Surroundings, b: Surroundings): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

/** The document without its intakes and workflows. */
function frameText({ document: { root, text } }: Model): string {
  if (root?.kind !== "object") return "";
  return root.members
    .map((member) => {
      const inParts = listsOfUnits.has(member.name) && member.value?.kind === "array" && !member.repeated;
      return inParts ? member.name : text.slice(member.start, member.end);
    })
    .join();
}

const listsOfUnits: ReadonlySet<string> = new Set(["data_intake", "workflows"]);

/** What is saved, by scope and key, with its type. */
function savedText(model: Model): string {
  const flow = flowOf(model);
  return [...(flow.savedKeys() ?? [])]
    .map(([scope, { keys, complete }]) => {
      const types = [...keys.keys()].map((key) => [key, flow.saved(scope, key).id]);
      return JSON.stringify([scope, complete, types]);
    })
    .join();
}

/** The items that are linked with one another, in document order. */
function groupsOf({ parts, workflows }: Model): readonly (readonly Part[])[] {
  const partOf = new Map<unknown, Part>();
  const groupOf = new Map<Part, Set<Part>>();
  for (const part of parts) {
    if (part.item === undefined) continue;
    groupOf.set(part, new Set([part]));
    for (const symbol of part.intakes) partOf.set(symbol, part);
    for (const symbol of part.workflows) partOf.set(symbol, part);
  }
  for (const workflow of workflows) {
    for (const reference of [workflow.intake, workflow.historicalIntake]) {
      const [a, b] = [partOf.get(workflow), partOf.get(reference?.target)].map(
        (part) => part && groupOf.get(part),
      );
      if (a === undefined || b === undefined || a === b) continue;
      const [small, large] = a.size < b.size ? [a, b] : [b, a];
      for (const part of small) groupOf.set(part, large.add(part));
    }
  }
  const order = new Map(parts.map((part, index) => [part, index]));
  return [...new Set(groupOf.values())].map((group) =>
    [...group].sort((a, b) => order.get(a)! - order.get(b)!),
  );
}

function linksOf({ workflows, commands }: Part, model: Model): readonly unknown[] {
  const links = workflows.flatMap(({ auth, intake, historicalIntake }: WorkflowSymbol) => [
    auth?.target?.name,
    auth?.exact,
    ...linkOf(intake),
    ...linkOf(historicalIntake),
  ]);
  const { responses, documents } = model.samples;
  if (responses.length === 0 && documents.length === 0) return links;
  const requests = commands.filter(({ key }) => key === "!http");
  return [...links, ...requests.map((command) => responseType(command, model))];
}

function linkOf<S>(reference: Reference<S> | undefined): readonly unknown[] {
  return [reference?.target, reference?.exact];
}
