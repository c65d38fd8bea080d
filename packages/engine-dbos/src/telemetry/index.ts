export { loadTelemetry } from "./load.ts";
