import type { Span } from "../parse/syntax-tree.ts";

/** An app as a picture: who gives data, what happens to it, where it goes. Plain data, in reading order. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export type NodeKind = "host" | "platform" | "intake" | "workflow" | "saved";

/** A card: a title, and rows below it. */
export interface GraphNode {
  /** Unique in the graph, of letters, digits and `_`. */
  readonly id: string;
  readonly kind: NodeKind;
  readonly title: string;
  /** What it is: "webhook, one for each workflow". */
  readonly subtitle: string;
  readonly rows: readonly GraphRow[];
  /** Where it is declared; absent for hosts and for the platform, which stand nowhere. */
  readonly source?: Source;
}

/** A part of a card: a command, a form field, a saved key. */
export interface GraphRow {
  readonly name: string;
  /** What it does, a line each: "GET /forms", "saves hook_id". */
  readonly details: readonly string[];
  readonly source?: Source;
}

/** Where something stands in the document, for an editor that jumps there. */
export interface Source {
  /** JSON Pointer. */
  readonly pointer: string;
  /** UTF-16 offsets. */
  readonly span: Span;
}

/** `data`: items flow along it; `requests`: asks the other end; `saves`, `reads`: saved values. */
export type EdgeKind = "data" | "requests" | "saves" | "reads";

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  readonly label?: string;
}
