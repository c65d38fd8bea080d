export { loadTelemetry } from "./load.ts";
export { loadPrometheus, type Prometheus } from "./prometheus.ts";
export type { Telemetry } from "./telemetry.ts";
