export type { Failure, PartReport, Report } from "./report.ts";
export { type Progress, type SimulateOptions, simulate } from "./simulate.ts";
export { proposeWorld } from "./world/propose.ts";
export { type IntakeWorld, readWorldFile, type WorldFile } from "./world/world-file.ts";
