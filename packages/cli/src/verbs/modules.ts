/**
 * All that needs the compiler, in one chunk: it is loaded after the command line is understood, and where a check knows every finding from an
 * earlier run it isn't loaded at all. A chunk for each verb was measured too; the many small shared chunks that it makes cost more than the few
 * kilobytes that it saves.
 */

export { checkInThread } from "../check/check-thread.ts";
export * as checking from "../check/checking.ts";
export { watch } from "../check/watch.ts";
export { didYouMean } from "../command-line/did-you-mean.ts";
export { format as sarif } from "../formats/sarif.ts";
export { parseSettings } from "../settings/validate.ts";
export * as breaking from "./breaking.ts";
export * as build from "./build.ts";
export * as completion from "./completion.ts";
export * as explain from "./explain.ts";
export * as graph from "./graph.ts";
export * as init from "./init.ts";
export * as jq from "./jq.ts";
export * as rules from "./rules.ts";
export * as schema from "./schema.ts";
export * as type from "./type.ts";
