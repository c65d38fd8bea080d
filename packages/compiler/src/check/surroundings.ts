import type { Type } from "@configc/jq";
import { mayHaveLostMembers } from "../bind/lost-members.ts";
import type { Model } from "../bind/model.ts";
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
  const { root } = model.document;
  const inPieces = root?.kind === "object" && mayHaveLostMembers(model.document, root);
  const common = [inPieces, frameText(model), savedText(model)];
  const found = new Map<Part, Surroundings>();
  for (const group of groupsOf(model)) {
    const shared: unknown[] = [...common, ...group, ...group.flatMap((part) => responsesIn(part, model))];
    // Of what a mistake in JSON touches, rules say less, as far as its members may be lost: nothing of it is kept.
    if (!group.every(({ item }) => item?.sound)) shared.push({});
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

/** What is known of the responses to the requests of a part: a sample belongs to the request that says most of its path. */
function responsesIn({ commands }: Part, model: Model): readonly Type[] {
  const { responses, documents } = model.samples;
  if (responses.length === 0 && documents.length === 0) return [];
  const requests = commands.filter(({ key }) => key === "!http");
  return requests.map((command) => responseType(command, model));
}
