/** From what describes an API to an app that one can go on from. Nothing is asked of the network. */
export {
  type ApiDescription,
  type AuthScheme,
  type DescribedEvent,
  DescriptionError,
  type Operation,
  type Parameter,
  type RequestBody,
} from "./description.ts";
export { readCandidates, writeCandidates } from "./guess/candidates.ts";
export type { RecordList } from "./guess/lists.ts";
export { type Registration, type WebhookCandidate, webhookOf } from "./guess/webhook.ts";
export type { ConfigObject, ConfigValue, Proposal, Told } from "./proposal.ts";
export { type ProposeOptions, propose, type ReadCandidate, type WriteCandidate } from "./propose.ts";
export { fromCurl } from "./read/curl.ts";
export { fromHar } from "./read/har.ts";
export { fromOpenApi } from "./read/openapi.ts";
export { fromTraffic, type SeenExchange } from "./read/traffic.ts";
export type { ObjectShape, Path, Shape } from "./shape.ts";
