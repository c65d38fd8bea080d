import type { Finding } from "../findings/rule.ts";
import type { Location } from "../parse/document.ts";
import type { JsonNode, Span, SyntaxNode } from "../parse/syntax-tree.ts";

/** A finding that moves with an item of the document when something before it is edited: nodes do, bare offsets don't. */
export function anchored(finding: Finding, item: JsonNode): Finding {
  const { at, related } = finding;
  if (!isBare(at) && !related.some((each) => isBare(each.at))) return finding;
  const move = (location: Location): Location => (isBare(location) ? new SpanIn(item, location) : location);
  return {
    ...finding,
    at: move(at),
    related: related.map((each) => ({ ...each, at: move(each.at) })),
  };
}

/** Whether all that findings point at stands in an item, so that they hold on to nothing else of the document. */
export function areWithin(findings: readonly Finding[], item: JsonNode): boolean {
  return findings.every(
    ({ at, related }) => isWithin(at, item) && related.every((each) => isWithin(each.at, item)),
  );
}

function isWithin(location: Location, item: JsonNode): boolean {
  if (isBare(location)) return true;
  let at: SyntaxNode | undefined = "from" in location ? location.node : location;
  while (at !== undefined && at !== item) at = at.parent;
  return at === item;
}

function isBare(location: Location): location is Span {
  return !("from" in location) && !("kind" in location);
}

/** A span that is told by its distance from the beginning of a node. */
class SpanIn implements Span {
  private readonly node: JsonNode;
  private readonly first: number;
  private readonly last: number;

  constructor(node: JsonNode, { start, end }: Span) {
    this.node = node;
    this.first = start - node.start;
    this.last = end - node.start;
  }

  get start(): number {
    return this.node.start + this.first;
  }
  get end(): number {
    return this.node.start + this.last;
  }
}
