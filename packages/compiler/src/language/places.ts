import type { RootName } from "./expansion-names.ts";
import type { PlaceName } from "./schema.ts";

/** What a command at a place gets as its input when it isn't in a pipe (D16). */
export type PlaceInput =
  /** an object of the roots legal there */
  | "roots"
  /** the webhook payload or one result item */
  | "payload"
  /** `{method, headers, query, query_params, body, raw_body}` */
  | "verification"
  /** `{headers, query, body}` */
  | "delivery"
  /** the transform's output */
  | "transformed"
  /** the response value of a paginated request (D20) */
  | "response";

/** What the command's output must be; checked with types. */
export type PlaceContract =
  | "connection"
  | "options"
  | "map-options"
  | "string"
  | "value"
  | "number"
  | "lifecycle"
  | "iteration"
  | "flat-object"
  | "count"
  | "token"
  | "anything";

export interface Place {
  readonly name: PlaceName;
  /** As it reads in a message: "`create` of a webhook intake". */
  readonly title: string;
  /** The roots whose expansions are legal here (D11); conditions on the intake's scope or the field order come on top. */
  readonly roots: readonly RootName[];
  readonly input: PlaceInput;
  readonly contract: PlaceContract;
  readonly polling?: boolean;
  readonly webhook?: boolean;
}

const everywhere: readonly RootName[] = ["data", "subdomain"];
const inWebhook: readonly RootName[] = [...everywhere, "webhook", "custom_data"];
const inPolling: readonly RootName[] = [...everywhere, "polling_state", "custom_data"];
const inSetup: readonly RootName[] = [...everywhere, "custom_data"];
const inPipeline: readonly RootName[] = [...everywhere, "custom_data", "piped_content"];

const list: readonly Place[] = [
  {
    name: "intake.create",
    title: "`create` of a webhook intake",
    roots: inWebhook,
    input: "roots",
    contract: "lifecycle",
    webhook: true,
  },
  {
    name: "intake.update",
    title: "`update` of a webhook intake",
    roots: inWebhook,
    input: "roots",
    contract: "lifecycle",
    webhook: true,
  },
  {
    name: "intake.delete",
    title: "`delete` of a webhook intake",
    roots: inWebhook,
    input: "roots",
    contract: "lifecycle",
    webhook: true,
  },
  {
    name: "intake.verification",
    title: "`verification` of a webhook intake",
    roots: inWebhook,
    input: "verification",
    contract: "anything",
    webhook: true,
  },
  {
    name: "intake.delivery_id",
    title: "`delivery_id` of a webhook intake",
    roots: [...everywhere, "custom_data"],
    input: "delivery",
    contract: "number",
    webhook: true,
  },
  {
    name: "intake.resource_id",
    title: "`resource_id` of a webhook intake",
    roots: [...everywhere, "custom_data"],
    input: "payload",
    contract: "value",
    webhook: true,
  },
  {
    name: "intake.account_id",
    title: "`account_id` of a webhook intake",
    roots: [...everywhere, "custom_data"],
    input: "payload",
    contract: "value",
    webhook: true,
  },
  {
    name: "intake.initial_setup",
    title: "`initial_setup` of a polling intake",
    roots: inPolling,
    input: "roots",
    contract: "lifecycle",
    polling: true,
  },
  {
    name: "intake.pre_poll",
    title: "`pre_poll` of a polling intake",
    roots: inPolling,
    input: "roots",
    contract: "lifecycle",
    polling: true,
  },
  {
    name: "intake.request",
    title: "`request` of a polling intake",
    roots: inPolling,
    input: "roots",
    contract: "iteration",
    polling: true,
  },
  {
    name: "intake.post_poll",
    title: "`post_poll` of a polling intake",
    roots: inPolling,
    input: "roots",
    contract: "lifecycle",
    polling: true,
  },
  {
    name: "connect.describe_connection",
    title: "`describe_connection`",
    roots: everywhere,
    input: "roots",
    contract: "connection",
  },
  {
    name: "field.options",
    title: "`options` of a form field",
    roots: inSetup,
    input: "roots",
    contract: "options",
  },
  {
    name: "describe_selection.resource_id",
    title: "`describe_selection`",
    roots: inSetup,
    input: "roots",
    contract: "string",
  },
  {
    name: "describe_selection.display",
    title: "`describe_selection`",
    roots: inSetup,
    input: "roots",
    contract: "string",
  },
  {
    name: "describe_source.options",
    title: "`describe_source.options`",
    roots: inSetup,
    input: "roots",
    contract: "map-options",
  },
  {
    name: "describe_target.options",
    title: "`describe_target.options`",
    roots: inSetup,
    input: "roots",
    contract: "map-options",
  },
  {
    name: "data_pipeline.source",
    title: "`data_pipeline.source`",
    roots: inPipeline,
    input: "payload",
    contract: "flat-object",
  },
  {
    name: "data_pipeline.target",
    title: "`data_pipeline.target`",
    roots: inPipeline,
    input: "transformed",
    contract: "anything",
  },
  {
    name: "parser.total_pages",
    title: "the pagination parser",
    roots: everywhere,
    input: "response",
    contract: "count",
  },
  {
    name: "parser.total_items",
    title: "the pagination parser",
    roots: everywhere,
    input: "response",
    contract: "count",
  },
  {
    name: "parser.next_result_token",
    title: "the pagination parser",
    roots: everywhere,
    input: "response",
    contract: "token",
  },
  {
    name: "parser.previous_result_token",
    title: "the pagination parser",
    roots: everywhere,
    input: "response",
    contract: "token",
  },
  {
    name: "parser.next_page_url",
    title: "the pagination parser",
    roots: everywhere,
    input: "response",
    contract: "token",
  },
];

export const places: Readonly<Record<PlaceName, Place>> = Object.fromEntries(
  list.map((place) => [place.name, place]),
) as Record<PlaceName, Place>;
