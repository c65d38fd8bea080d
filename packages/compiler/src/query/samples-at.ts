import type { Model } from "../bind/model.ts";
import type { MemberNode } from "../parse/syntax-tree.ts";
import { learnedPayloads } from "../samples/payloads.ts";
import { learnedResponses } from "../samples/responses.ts";

/**
 * The samples that types are learned from at an offset: on the key of a request those of its responses, on the `create` of a
 * webhook those of its payloads.
 *
 * @returns names, each once, of those that are kept beside the config; where the others are, a document doesn't know
 */
export function samplesAt(model: Model, offset: number): readonly string[] {
  const isAt = (member: MemberNode | undefined): boolean =>
    member !== undefined && member.key.start <= offset && offset <= member.key.end;
  const found: string[] = [];
  for (const [{ member }, { samples }] of learnedResponses(model))
    if (isAt(member)) found.push(...samples.map(({ name }) => name));
  for (const [{ node }, { samples }] of learnedPayloads(model))
    if (isAt(node.members.find(({ name }) => name === "create")))
      found.push(...samples.map(({ name }) => name));
  const own = new Set(model.samples.own);
  return [...new Set(found)].filter((name) => own.has(name));
}
