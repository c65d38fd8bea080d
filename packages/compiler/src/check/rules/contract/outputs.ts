import type { Command } from "../../../bind/bound-nodes.ts";
import {
  comparedText,
  connection,
  count,
  deliveryNumber,
  fieldOptions,
  iteration,
  mapOptions,
  source,
  token,
} from "../../../flow/contracts.ts";
import { flowOf } from "../../../flow/flow.ts";
import { optionNames } from "../../../flow/outputs.ts";
import { witnessesOf } from "../../../flow/witnesses.ts";
import type { PlaceContract } from "../../../language/index.ts";
import { memberValue } from "../../../parse/member-value.ts";
import type { RuleModule } from "../../checks.ts";
import { reportViolations, type ViolationRule, violationRule } from "./violation-rule.ts";

const connectionRule = violationRule({
  id: "contract/connection",
  summary: "`describe_connection` doesn't give `{account_id, description}`",
  why: "The platform shows `description` once the connection works, and tells accounts apart by `account_id`. Without them the connect step fails for every customer.",
  guards: ["connect.describe_connection", "command.!jq"],
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/1/!jq",
      bad: '"«{id: .id, description: .name}»"',
      good: '"{account_id: .id, description: .name}"',
      fixed: '"{account_id: .id, description: .name}"',
    },
    {
      title: "a list",
      in: "outbound",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/1/!jq",
      bad: '"«[.id, .name]»"',
      good: '"{account_id: .id, description: .name}"',
    },
    {
      title: "a member of another kind, in one branch",
      in: "outbound",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/1/!jq",
      bad: '"if .team then {account_id: .team.id, description: .team.name} else {account_id: .id, description: «[.first, .last]»} end"',
      good: '"if .team then {account_id: .team.id, description: .team.name} else {account_id: .id, description: \\"\\\\(.first) \\\\(.last)\\"} end"',
    },
  ],
});

const fieldOptionsRule = violationRule({
  id: "contract/field-options",
  summary: "Form-field options must be a list of `{display, value}`",
  why: "The customer sees the `display` of each option, and `${custom_data.ID.value}` gives the `value` of the chosen one. An option that lacks either can't be shown or can't be used.",
  guards: ["field.options", "command.!jq", "D12"],
  examples: [
    {
      title: "a member has another name",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq",
      bad: '"[.items[] | «{label: .name, value: .id}»]"',
      good: '"[.items[] | {display: .name, value: .id}]"',
      fixed: '"[.items[] | {display: .name, value: .id}]"',
    },
    {
      title: "texts instead of objects",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options",
      bad: '{"!jq": "[«\\"news\\"», \\"offers\\"]"}',
      good: '{"!jq": "[{display: \\"News\\", value: \\"news\\"}, {display: \\"Offers\\", value: \\"offers\\"}]"}',
    },
    {
      title: "one object instead of a list",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq",
      bad: '"«{display: .name, value: .id}»"',
      good: '"[.items[] | {display: .name, value: .id}]"',
      fixed: '"[{display: .name, value: .id}]"',
    },
    {
      title: "a response that nothing makes into a list",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options",
      bad: '{«"!http"»: {"method": "GET", "path": "/lists"}}',
      good: '{"!pipe": [{"!http": {"method": "GET", "path": "/lists"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}',
    },
  ],
});

const mapOptionsRule = violationRule({
  id: "contract/map-options",
  summary: "Map options must be a list of `{title, id}`",
  why: "The customer sees the `title` of each field, and the mapping stores its `id`. A field that lacks either can't be mapped.",
  guards: [
    "map.describe_source",
    "map.describe_target",
    "option.title",
    "option.id",
    "option.required",
    "option.group",
    "option.schemaId",
    "option.source_fields",
    "source_field.title",
    "source_field.id",
  ],
  examples: [
    {
      title: "the members of a form field's options",
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_source/options/!pipe/1/!jq",
      bad: '"[.questions[] | «{display: .label, value: .id}»]"',
      good: '"[.questions[] | {title: .label, id: .id}]"',
    },
    {
      title: "`required` as a text",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: '{"!pipe": [{"!http": {"path": "/fields"}}, {"!jq": ".fields | map({title: .label, id: .key, required: «\\"yes\\"»})"}]}',
      good: '{"!pipe": [{"!http": {"path": "/fields"}}, {"!jq": ".fields | map({title: .label, id: .key, required: .mandatory})"}]}',
    },
  ],
});

const selectionRule = violationRule({
  id: "contract/selection",
  summary: "`describe_selection` must give a string",
  why: "`resource_id` identifies the resource that the customer chose, and payloads are compared with it. `display` is what the customer sees. Neither can be an object or a list.",
  guards: [
    "select.describe_selection",
    "describe_selection.resource_id",
    "describe_selection.display",
    "D31",
  ],
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/resource_id/!jq",
      bad: '"«{id: .custom_data.form.value}»"',
      good: '".custom_data.form.value"',
    },
    {
      title: "D12: the value of a multiselect is a list",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/display/!jq",
      with: {
        "/workflows/0/setup/select/form_fields/0/type": '"multiselect"',
        "/workflows/0/setup/select/describe_selection/resource_id/!jq":
          '".custom_data.form.value | join(\\",\\")"',
        "/data_intake/0/create/!pipe/0/!http/path": '"/hooks"',
        "/workflows/0/setup/map/describe_source/options/!pipe/0/!http/path": '"/questions"',
      },
      bad: '"«${custom_data.form.display}»"',
      good: '"${custom_data.form.display} | join(\\", \\")"',
    },
  ],
});

const routingRule = violationRule({
  id: "contract/routing-value",
  summary: "`resource_id` and `account_id` of a webhook must give a string",
  why: "Payloads of a shared webhook are routed by comparing these values, as strings, with what the customer connected and chose. An object or a list equals none of them, so no payload arrives.",
  guards: ["webhook.resource_id", "webhook.account_id", "D31"],
  examples: [
    {
      title: "D31",
      in: "inbound-webhook",
      at: "/data_intake/0/resource_id",
      bad: '{"!jq": "«{form: .form_id}»"}',
      good: '{"!jq": ".form_id"}',
    },
  ],
});

const deliveryRule = violationRule({
  id: "contract/delivery-id",
  summary: "`delivery_id` must give a string or a number",
  why: "A repeated delivery is recognised by its `delivery_id`. Only a string or a number can identify one. Any other value is ignored, as if the webhook had no `delivery_id`.",
  guards: ["webhook.delivery_id", "D51"],
  examples: [
    {
      title: "D51",
      in: "inbound-webhook",
      at: "/data_intake/0/resource_id",
      bad: '{"!jq": ".form_id"}, "delivery_id": {"!jq": "«{id: .body.event_id}»"}',
      good: '{"!jq": ".form_id"}, "delivery_id": {"!jq": ".body.event_id"}',
    },
  ],
});

const countRule = violationRule({
  id: "contract/page-count",
  summary: "`total_pages` or `total_items` isn't a number",
  why: "Pages are read until this number is reached. With any other value the request fails after the first page.",
  guards: ["pagination.total_pages", "pagination.total_items", "D22"],
  examples: [
    {
      title: "D22",
      in: "inbound-polling",
      at: "/api/pagination",
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}, "page_size": {"param": "per_page", "value": 50}}, "parser": {"total_pages": {"!jq": "«{pages: .meta.pages}»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}, "page_size": {"param": "per_page", "value": 50}}, "parser": {"total_pages": {"!jq": ".meta.pages"}}}',
    },
  ],
});

const tokenRule = violationRule({
  id: "contract/page-token",
  summary: "The token of the next page is a list or an object",
  why: "The token is sent as a parameter of the next request; null, false or an empty string ends the list. A list or an object can't be sent.",
  guards: [
    "pagination.next_result_token",
    "pagination.previous_result_token",
    "pagination.next_page_url",
    "D22",
  ],
  examples: [
    {
      title: "D22",
      in: "inbound-polling",
      at: "/api/pagination",
      bad: '{"style": {"type": "cursor", "limit": {"param": "limit", "value": 50}}, "parser": {"next_result_token": {"!jq": "«[.paging.next]»"}}}',
      good: '{"style": {"type": "cursor", "limit": {"param": "limit", "value": 50}}, "parser": {"next_result_token": {"!jq": ".paging.next"}}}',
    },
  ],
});

const iterationRule = violationRule({
  id: "contract/iteration",
  summary: "`request` doesn't give `{results, iterate, polling_state}`",
  why: "Each iteration of a polling `request` gives `results` (a list of items for the pipeline), `iterate` (true while there is more) and `polling_state` (an object for the next request). Without `results` nothing is imported, without `iterate` only the first page is, and without `polling_state` the next request repeats this one.",
  guards: ["polling.request", "polling.results", "polling.iterate", "polling.polling_state", "D33"],
  examples: [
    {
      title: "D33: a member is missing",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"«{results: .items, polling_state: ${polling_state}}»"',
      good: '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
      fixed: '"{results: .items, polling_state: ${polling_state}, iterate: false}"',
    },
    {
      title: "a number for `iterate`",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: (.items | «length»), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
      good: '"{results: .items, iterate: (.items | length > 0), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
    },
    {
      title: "one item instead of a list",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: «{email, name, address}», iterate: false, polling_state: ${polling_state}}"',
      good: '"{results: [{email, name, address}], iterate: false, polling_state: ${polling_state}}"',
      fixed: '"{results: [{email, name, address}], iterate: false, polling_state: ${polling_state}}"',
    },
    {
      title: "a state that isn't an object",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: false, polling_state: (${polling_state} | «keys»)}"',
      good: '"{results: .items, iterate: false, polling_state: ${polling_state}}"',
    },
  ],
});

const sourceRule = violationRule({
  id: "contract/source",
  summary: "`source` must give an object of fields",
  why: "The customer's mapping takes each field at the root of what `source` gives and carries it over. A list or a string has no fields, a mapped field that is an object arrives unreadable, and `_tags` must be a list of strings. `null` skips the item.",
  guards: ["data_pipeline.source", "D35", "D37", "events.4", "events.5"],
  examples: [
    {
      title: "a list",
      in: "inbound-polling",
      at: "/workflows/0/data_pipeline/source/!jq",
      bad: '"«[.email, .name]»"',
      good: '"{email, name, city: .address.city}"',
    },
    {
      title: "tags as a text",
      in: "inbound-polling",
      at: "/workflows/0/data_pipeline/source/!jq",
      bad: '"{email, name, city: .address.city, _tags: «\\"customer\\"»}"',
      good: '"{email, name, city: .address.city, _tags: [\\"customer\\"]}"',
      fixed: '"{email, name, city: .address.city, _tags: [\\"customer\\"]}"',
    },
    {
      title: "a mapped field that is an object",
      in: "inbound-polling",
      at: "/workflows/0/data_pipeline/source/!jq",
      bad: '"{email, name, city: «{town: .address.city}»}"',
      good: '"{email, name, city: .address.city}"',
    },
  ],
});

/** The contracts that are one type for every place; `source` and the lifecycle depend on what is around them. */
const contracts: Readonly<Partial<Record<PlaceContract, { rule: ViolationRule; wanted: typeof count }>>> = {
  connection: { rule: connectionRule, wanted: connection },
  options: { rule: fieldOptionsRule, wanted: fieldOptions },
  "map-options": { rule: mapOptionsRule, wanted: mapOptions },
  string: { rule: selectionRule, wanted: comparedText },
  value: { rule: routingRule, wanted: comparedText },
  number: { rule: deliveryRule, wanted: deliveryNumber },
  count: { rule: countRule, wanted: count },
  token: { rule: tokenRule, wanted: token },
  iteration: { rule: iterationRule, wanted: iteration },
};

const module: RuleModule = {
  rules: [
    connectionRule,
    fieldOptionsRule,
    mapOptionsRule,
    selectionRule,
    routingRule,
    deliveryRule,
    countRule,
    tokenRule,
    iterationRule,
    sourceRule,
  ],
  checks: {
    command: {
      any(command, report, model) {
        // A resource at a wrong place has findings of its own.
        if (command.parent !== undefined || command.key === "!resource") return;
        const { contract } = command.place;
        const { rule, wanted } =
          contract === "flat-object"
            ? { rule: sourceRule, wanted: wantedSource(command) }
            : (contracts[contract] ?? { rule: undefined, wanted: undefined });
        if (rule === undefined || wanted === undefined) return;
        const witnesses = witnessesOf(command, wanted, flowOf(model));
        if (witnesses.length > 0) reportViolations(rule, subjectOf(command), witnesses, report);
      },
    },
  },
};
export default module;

/** A place of which there are several by the name of its member. */
function subjectOf({ place }: Command): string {
  const [section, member] = place.name.split(".");
  return section === "parser" || section === "describe_selection"
    ? `\`${member}\` of ${place.title}`
    : place.title;
}

function wantedSource({ unit }: Command): ReturnType<typeof source> {
  const map = unit?.kind === "workflow" && unit.maps.length === 1 ? unit.maps[0] : undefined;
  return source(optionNames(memberValue(map?.node, "describe_source", "options")));
}
