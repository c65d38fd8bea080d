/** The entry `@configc/compiler/graph`: by itself, because the library that lays out graphs is larger than the compiler's start. */
export { toDot } from "./dot.ts";
export type { EdgeKind, Graph, GraphEdge, GraphNode, GraphRow, NodeKind, Source } from "./graph.ts";
export { graphOf } from "./graph-of.ts";
export { toMermaid } from "./mermaid.ts";
export { partOf, withClosed } from "./part.ts";
export { type SvgOptions, toSvg } from "./svg/svg.ts";
