import type { Type } from "@configc/jq";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { below, valueOfRoot } from "../../../flow/expansion-type.ts";
import { flowOf } from "../../../flow/flow.ts";
import { type Absence, memberReads } from "../../../flow/member-reads.ts";
import { expansionTrails, inputTrails, type Origin, type Trail, trailsOf } from "../../../flow/origin.ts";
import type { StringPart } from "../../../parse/document.ts";
import { lacksMember } from "../../../samples/evidence.ts";

/** What comes from the third party: a response, or a webhook's payload. */
type Received = Extract<Origin, { kind: "response" | "payload" }>;

/** A member that is read of a part of what is received, and that isn't known to be there. */
export interface ReceivedRead {
  readonly name: string;
  readonly at: StringPart;
  /** The name alone. */
  readonly nameAt: StringPart;
  /** What it is read of, and where it is in that. */
  readonly origin: Received;
  readonly target: Type;
  readonly absence: Exclude<Absence, "handled">;
}

/** All of them, in programs and expansions, except where the author says what happens if it is absent. */
export const receivedReads: (model: Model) => readonly ReceivedRead[] = derived((model) => {
  const { responses, payloads, documents } = model.samples;
  if (responses.length === 0 && payloads.length === 0 && documents.length === 0) return [];
  return [...inPrograms(model), ...inExpansions(model)];
});

function inPrograms(model: Model): ReceivedRead[] {
  const flow = flowOf(model);
  return model.programs.flatMap((program) =>
    memberReads(program, flow).flatMap((read): ReceivedRead[] => {
      const { name, start, end, target, absence } = read;
      if (absence === "handled" || !lacksMember(target, name)) return [];
      const path = [...read.path, name];
      const origin = readFrom((read.ofInput ? inputTrails : trailsOf)(flow, program, read.of, path), name);
      if (origin === undefined) return [];
      const { node } = program;
      const nameAt = { node, from: end - name.length, to: end };
      return [{ origin, name, at: { node, from: start, to: end }, nameAt, target, absence }];
    }),
  );
}

/** Of these, the other roots have names that the author declares. */
const roots: ReadonlySet<string | undefined> = new Set(["piped_content", "data", "polling_state"]);

function inExpansions(model: Model): ReceivedRead[] {
  const flow = flowOf(model);
  return model.expansions.flatMap((expansion): ReceivedRead[] => {
    const { root, rootExact, syntax, node } = expansion;
    if (!rootExact || !roots.has(root) || syntax.problem !== undefined || syntax.filters.length > 0)
      return [];
    const { type, path } = valueOfRoot(expansion, flow);
    const offset = syntax.path.length - path.length;
    for (const [index, name] of path.entries()) {
      const target = below(type, path.slice(0, index));
      const segment = syntax.path[offset + index];
      if (segment === undefined || !lacksMember(target, name)) continue;
      const origin = readFrom(expansionTrails(flow, expansion, offset + index + 1), name);
      const at = { node, from: segment.start, to: segment.end };
      return origin === undefined ? [] : [{ origin, name, at, nameAt: at, target, absence: "no" }];
    }
    return [];
  });
}

/**
 * What a member is read of, by the ways back from the member: that goes further than from the whole, `. + {id: 1}`. The first of
 * several: none of them has the member.
 */
function readFrom([first]: readonly Trail[], name: string): Received | undefined {
  const origin = first?.origin;
  if (origin?.kind !== "response" && origin?.kind !== "payload") return undefined;
  return origin.path.at(-1) === name ? { ...origin, path: origin.path.slice(0, -1) } : undefined;
}
