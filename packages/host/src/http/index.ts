export { isPublicAddress } from "./address.ts";
export type { Resolve, ResolvedAddress } from "./lookup.ts";
export { type HttpOptions, type NodeHttp, nodeHttp } from "./node-http.ts";
