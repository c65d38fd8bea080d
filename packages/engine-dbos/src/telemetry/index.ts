export { loadTelemetry } from "./load.ts";
export type { AnyMeter, Telemetry } from "./looking-on.ts";
export { loadPrometheus, type Prometheus } from "./prometheus.ts";
