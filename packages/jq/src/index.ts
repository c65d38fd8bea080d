export { constant } from "./constant.ts";
export * from "./diagnostics.ts";
export { type FormatOptions, format } from "./format.ts";
export type * from "./json.ts";
export type * from "./options.ts";
export { parse } from "./syntax/parser.ts";
export * from "./syntax-tree.ts";
export { children, nodeAt, nodesAt, type Visitor, walk } from "./walk.ts";
