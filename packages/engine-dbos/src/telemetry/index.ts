export { telemetry } from "./telemetry.ts";
