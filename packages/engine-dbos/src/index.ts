// From their own files: the declarations of all of `admin` name those of `pg`, which people needn't have.
export type { Operator } from "./admin/access.ts";
export { type OperatorPages, type OperatorPagesOptions, openOperatorPages } from "./admin/operator-pages.ts";
export type { EngineLog } from "./engine/engine-log.ts";
export type { RecordedStep, Run, RunFilter, Runs } from "./runs/runs.ts";
export * from "./store/index.ts";
export type { AppLevel, FleetLevel } from "./worker/fleet-level.ts";
export { createFleetWorker, type FleetOptions, type FleetWorker } from "./worker/fleet-worker.ts";
export { migrateFleet } from "./worker/migrate.ts";
