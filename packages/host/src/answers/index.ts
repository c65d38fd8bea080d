export {
  type AppState,
  type FailedDelivery,
  type FailingInstallation,
  failedItemsOf,
  failingOf,
  type ListFilter,
  stateOf,
} from "./lists.ts";
export type { Next } from "./next.ts";
export type { Trouble } from "./trouble.ts";
export { type Why, type WhyOptions, why } from "./why.ts";
