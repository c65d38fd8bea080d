import type { Model } from "../bind/model.ts";
import type { MemberNode } from "../parse/syntax-tree.ts";
import { learnedPayloads } from "../samples/payloads.ts";
import { learnedResponses } from "../samples/responses.ts";
import { cursorAt } from "./cursor.ts";
import { operationAt } from "./openapi/hover.ts";

/**
 * The samples that types are learned from at an offset: on the key of a request those of its responses, on the `create` of a
 * webhook those of its payloads.
 *
 * @returns the URIs of their files, each once
 */
export function samplesAt(model: Model, offset: number): readonly string[] {
  const isAt = (member: MemberNode | undefined): boolean =>
    member !== undefined && member.key.start <= offset && offset <= member.key.end;
  const learned = [
    ...[...learnedResponses(model)].map(([{ member }, { samples }]) => ({ member, samples })),
    ...[...learnedPayloads(model)].map(([{ node }, { samples }]) => ({
      member: node.members.find(({ name }) => name === "create"),
      samples,
    })),
  ];
  const uris = learned
    .filter(({ member }) => isAt(member))
    .flatMap(({ samples }) => samples.flatMap(({ uri }: { readonly uri?: string }) => uri ?? []));
  return [...new Set(uris)];
}

/** Where the operation is described that the address of a request at an offset is of. */
export function operationPlaceAt(
  model: Model,
  offset: number,
): { readonly uri: string; readonly line: number } | undefined {
  const cursor = cursorAt(model, offset);
  const operation = cursor?.kind === "text" ? operationAt(model, cursor) : undefined;
  const uri = operation?.document.uri;
  if (operation === undefined || uri === undefined) return undefined;
  return { uri, line: operation.document.lineOf?.(operation.path, operation.method) ?? 0 };
}
