/** What a check needs the compiler for: see `verbs/modules.ts`. */

export { requireKnownRules } from "../settings/validate.ts";
export { checkFile } from "./check-file.ts";
export { sampleFiles, tasksOf } from "./tasks.ts";
