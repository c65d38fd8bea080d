export { isPublicAddress } from "./address.ts";
export { type Resolve, type ResolvedAddress, systemResolve } from "./lookup.ts";
export { type HttpOptions, type NodeHttp, nodeHttp } from "./node-http.ts";
