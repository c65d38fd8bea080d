export {
  credentialsInMemory,
  nodeEffects,
  noPlatform,
  stderrLog,
  systemClock,
  systemRandom,
} from "./effects.ts";
export { createHost, type Host, type HostOptions } from "./host.ts";
export { isPublicAddress, type ResolveName } from "./http/address-guard.ts";
export { type NodeHttp, type NodeHttpOptions, nodeHttp } from "./http/node-http.ts";
