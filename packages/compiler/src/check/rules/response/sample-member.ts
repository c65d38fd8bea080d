import { nearest } from "@configc/jq";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { below, valueOfRoot } from "../../../flow/expansion-type.ts";
import { flowOf } from "../../../flow/flow.ts";
import { memberReads } from "../../../flow/member-reads.ts";
import { expansionTrail, inputTrail, pathText, type Trail, trailOf } from "../../../flow/origin.ts";
import type { StringPart } from "../../../parse/document.ts";
import {
  lacksMember,
  objectEvidence,
  placeText,
  presence,
  shapeOfResponse,
} from "../../../samples/evidence.ts";
import { type LearnedResponse, learnedResponses } from "../../../samples/responses.ts";
import { slipOf } from "../../../samples/slip.ts";
import type { Args } from "../../rule.ts";

/** A member that is read of a response, and that no sample has. */
export interface UnseenMember {
  readonly at: StringPart;
  /** The name alone. */
  readonly nameAt: StringPart;
  readonly slip: boolean;
  readonly args: UnseenArgs;
}

export interface UnseenArgs extends Args {
  readonly name: string;
  /** "GET /v1/items" */
  readonly request: string;
  /** `.items[]` */
  readonly path: string;
  readonly objects: number;
  readonly suggestion: string | undefined;
  /** How often the suggested member is there, and where. */
  readonly shown: string | undefined;
  /** An object that has no such member, and those that it has. */
  readonly counterexample: string;
  readonly members: readonly string[];
}

/** All of them, in programs and expansions. Where the author expects that a member may be absent, they aren't told. */
export const unseenMembers: (model: Model) => readonly UnseenMember[] = derived((model) => {
  if (learnedResponses(model).size === 0) return [];
  return [...inPrograms(model), ...inExpansions(model)];
});

function inPrograms(model: Model): UnseenMember[] {
  const flow = flowOf(model);
  return model.programs.flatMap((program) =>
    memberReads(program, flow).flatMap((read) => {
      const { name, start, end, target, absence } = read;
      if (absence === "handled" || !lacksMember(target, name)) return [];
      const trail = (read.ofInput ? inputTrail : trailOf)(flow, program, read.of, read.path);
      const args = unseenArgs(model, trail, name);
      if (args === undefined || (absence === "tested" && !args.slip)) return [];
      const { node } = program;
      return [
        { at: { node, from: start, to: end }, nameAt: { node, from: end - name.length, to: end }, ...args },
      ];
    }),
  );
}

function inExpansions(model: Model): UnseenMember[] {
  const flow = flowOf(model);
  return model.expansions.flatMap((expansion) => {
    const { root, rootExact, syntax, node } = expansion;
    if (!rootExact || syntax.problem !== undefined || syntax.filters.length > 0) return [];
    if (root !== "piped_content" && root !== "data" && root !== "polling_state") return [];
    const { type, path } = valueOfRoot(expansion, flow);
    const offset = syntax.path.length - path.length;
    for (const [index, name] of path.entries()) {
      if (!lacksMember(below(type, path.slice(0, index)), name)) continue;
      const args = unseenArgs(model, expansionTrail(flow, expansion, offset + index), name);
      const segment = syntax.path[offset + index];
      if (args === undefined || segment === undefined) return [];
      const at = { node, from: segment.start, to: segment.end };
      return [{ at, nameAt: at, ...args }];
    }
    return [];
  });
}

function unseenArgs(
  model: Model,
  trail: Trail | undefined,
  name: string,
): Pick<UnseenMember, "args" | "slip"> | undefined {
  if (trail?.origin.kind !== "response") return undefined;
  const { command, path } = trail.origin;
  const response = learnedResponses(model).get(command);
  const shape = response === undefined ? undefined : shapeOfResponse(response, path);
  const evidence = objectEvidence(shape);
  if (response === undefined || shape === undefined || evidence === undefined) return undefined;
  if (evidence.names.includes(name)) return undefined;
  const slip = slipOf(name, evidence.names);
  if (slip === undefined && !evidence.closed) return undefined;
  const suggestion = slip ?? nearest(name, evidence.names);
  const member = suggestion === undefined ? undefined : shape.members.get(suggestion);
  const args: UnseenArgs = {
    name,
    request: requestText(response),
    path: pathText(path),
    objects: evidence.objects,
    suggestion,
    shown:
      member === undefined
        ? undefined
        : `${presence(member, evidence.objects)}, first at ${placeText(member.example, response)}`,
    counterexample: placeText(shape.example, response),
    members: evidence.names,
  };
  return { args, slip: slip !== undefined };
}

/** "GET /v1/items" */
export function requestText({ pattern }: LearnedResponse): string {
  return `${pattern.method} ${pattern.shown}`;
}
