/** The verbs that run apps, in one file of their own: `check` needs none of what they load. */
export { debugRunInThread } from "../debug/debug-worker.ts";
export { initFrom } from "../scaffold/init-from.ts";
export { simulateInThread } from "../simulate/simulate-worker.ts";
export * as capacity from "./capacity.ts";
export * as debug from "./debug.ts";
export * as dev from "./dev.ts";
export * as run from "./run.ts";
export * as simulate from "./simulate.ts";
export * as test from "./test.ts";
