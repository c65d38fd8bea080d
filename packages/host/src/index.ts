export {
  credentialsInMemory,
  nodeEffects,
  noPlatform,
  stderrLog,
  systemClock,
  systemRandom,
} from "./effects.ts";
export { createHost, type Host, type HostOptions } from "./host.ts";
export * from "./http/index.ts";
