/**
 * The code of the verbs, in one chunk: it is loaded after the command line is understood. A chunk for each verb was measured
 * too; the many small shared chunks that it makes cost more than the few kilobytes that it saves.
 */

export { didYouMean } from "../command-line/did-you-mean.ts";
export * as breaking from "./breaking.ts";
export * as build from "./build.ts";
export * as check from "./check.ts";
export * as completion from "./completion.ts";
export * as explain from "./explain.ts";
export * as graph from "./graph.ts";
export * as init from "./init.ts";
export * as jq from "./jq.ts";
export * as rules from "./rules.ts";
export * as schema from "./schema.ts";
export * as type from "./type.ts";
