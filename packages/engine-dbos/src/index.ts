export {
  type Operator,
  type OperatorPages,
  type OperatorPagesOptions,
  openOperatorPages,
} from "./admin/index.ts";
export type { EngineLog } from "./engine/engine-log.ts";
export type { RecordedStep, Run, RunFilter, Runs } from "./runs/runs.ts";
export * from "./store/index.ts";
export type { AppLevel, FleetLevel } from "./worker/fleet-level.ts";
export { createFleetWorker, type FleetOptions, type FleetWorker } from "./worker/fleet-worker.ts";
export { migrateFleet } from "./worker/migrate.ts";
