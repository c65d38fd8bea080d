import type { Type } from "@configc/jq";
import { derived } from "../../../bind/derived.ts";
import type { Command, Model } from "../../../bind/model.ts";
import { below, valueOfRoot } from "../../../flow/expansion-type.ts";
import { flowOf } from "../../../flow/flow.ts";
import { type Absence, memberReads } from "../../../flow/member-reads.ts";
import { expansionTrail, inputTrail, type Trail, trailOf } from "../../../flow/origin.ts";
import type { StringPart } from "../../../parse/document.ts";
import { lacksMember } from "../../../samples/evidence.ts";

/** A member that is read of a part of a response, and that isn't known to be there. */
export interface ResponseRead {
  readonly name: string;
  readonly at: StringPart;
  /** The name alone. */
  readonly nameAt: StringPart;
  /** What it is read of: which `!http` gave it, and where it is in that. */
  readonly command: Command;
  readonly path: readonly string[];
  readonly target: Type;
  readonly absence: Exclude<Absence, "handled">;
}

/** All of them, in programs and expansions, except where the author says what happens if it is absent. */
export const responseReads: (model: Model) => readonly ResponseRead[] = derived((model) => {
  const { responses, documents } = model.samples;
  if (responses.length === 0 && documents.length === 0) return [];
  return [...inPrograms(model), ...inExpansions(model)];
});

function inPrograms(model: Model): ResponseRead[] {
  const flow = flowOf(model);
  return model.programs.flatMap((program) =>
    memberReads(program, flow).flatMap((read): ResponseRead[] => {
      const { name, start, end, target, absence } = read;
      if (absence === "handled" || !lacksMember(target, name)) return [];
      const found = inResponse((read.ofInput ? inputTrail : trailOf)(flow, program, read.of, read.path));
      if (found === undefined) return [];
      const { node } = program;
      const nameAt = { node, from: end - name.length, to: end };
      return [{ ...found, name, at: { node, from: start, to: end }, nameAt, target, absence }];
    }),
  );
}

/** Of these, the other roots have names that the author declares. */
const roots: ReadonlySet<string | undefined> = new Set(["piped_content", "data", "polling_state"]);

function inExpansions(model: Model): ResponseRead[] {
  const flow = flowOf(model);
  return model.expansions.flatMap((expansion): ResponseRead[] => {
    const { root, rootExact, syntax, node } = expansion;
    if (!rootExact || !roots.has(root) || syntax.problem !== undefined || syntax.filters.length > 0)
      return [];
    const { type, path } = valueOfRoot(expansion, flow);
    const offset = syntax.path.length - path.length;
    for (const [index, name] of path.entries()) {
      const target = below(type, path.slice(0, index));
      const segment = syntax.path[offset + index];
      if (segment === undefined || !lacksMember(target, name)) continue;
      const found = inResponse(expansionTrail(flow, expansion, offset + index));
      const at = { node, from: segment.start, to: segment.end };
      return found === undefined ? [] : [{ ...found, name, at, nameAt: at, target, absence: "no" }];
    }
    return [];
  });
}

function inResponse(trail: Trail | undefined): Pick<ResponseRead, "command" | "path"> | undefined {
  return trail?.origin.kind === "response" ? trail.origin : undefined;
}
