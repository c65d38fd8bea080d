import type { JsonNode, Span } from "@configc/compiler";
import type { Config } from "../config.ts";

/** Places in the syntax of a document, for kinds that don't care what it says. */

export type Container = Extract<JsonNode, { kind: "object" | "array" }>;

/** Objects and arrays of the document, outermost first. */
export function* containers(config: Config): Generator<Container> {
  const open: JsonNode[] = [config.root];
  for (let node = open.shift(); node !== undefined; node = open.shift()) {
    if (node.kind !== "object" && node.kind !== "array") continue;
    yield node;
    open.unshift(...(node.kind === "array" ? node.items : node.members.flatMap(({ value }) => value ?? [])));
  }
}

export const edge = ({ start, end }: Span, side: "start" | "end"): Span =>
  side === "start" ? { start, end: start + 1 } : { start: end - 1, end };

/** Where a bracket too few or too many shows: at the openers around it, their closers, and what comes after those. */
export function aftermath(config: Config, node: JsonNode): Span[] {
  const at = [nextToken(config, node.end)];
  for (let around = containerOf(node); around !== undefined; around = containerOf(around)) {
    at.push(edge(around, "start"), edge(around, "end"), nextToken(config, around.end));
  }
  return at;
}

function containerOf({ parent }: JsonNode): JsonNode | undefined {
  return parent?.kind === "member" ? parent.parent : parent;
}

function nextToken(config: Config, offset: number): Span {
  const start = offset + /^[\s,]*/.exec(config.text.slice(offset))![0].length;
  return { start, end: start + 1 };
}
