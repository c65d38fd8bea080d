export { createHost, type Host, type HostOptions, nodeEffects } from "./host.ts";
