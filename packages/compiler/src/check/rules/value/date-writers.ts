import type { Expression, Stage } from "@configc/jq";
import { bare } from "../../../flow/nodes.ts";

/** The calls of `strftime` with which a value ends, on any of its ways. */
export function writersOf(given: Expression): readonly Extract<Stage, { kind: "Call" }>[] {
  const node = bare(given);
  switch (node.kind) {
    case "Pipeline":
      return writersOf(node.stages.at(-1) as Expression);
    case "If":
      return [...node.branches.map(({ body }) => body), node.otherwise].flatMap((body) =>
        body === undefined ? [] : writersOf(body),
      );
    case "Call":
      return node.name.text === "strftime" && node.arguments.length === 1 ? [node] : [];
    default:
      return [];
  }
}
