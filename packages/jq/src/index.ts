export * from "./diagnostics.ts";
export type * from "./json.ts";
export * from "./syntax-tree.ts";
export type * from "./options.ts";
