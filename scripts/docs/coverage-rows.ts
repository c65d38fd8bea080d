/**
 * What `docs/coverage.md` has a row for: the tables and numbered statements of the specification, and the decisions.
 *
 * Rows of members come from the language table; what it doesn't know is listed here, in our own words. `unchecked` says what
 * no rule looks at, and why; a row without any rule needs it.
 */

export interface Row {
  readonly id: string;
  readonly what: string;
  /** Rows that say the same in more detail; the rules stand there. */
  readonly see?: readonly string[];
  readonly unchecked?: string;
}

export interface MemberTable {
  readonly title: string;
  /** First half of the ids: `workflow` in `workflow.auth`. */
  readonly prefix: string;
  /** Names of sections of the language table. */
  readonly sections: readonly string[];
}

export interface Statements {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Tables of the specification whose rows are members. */
export const memberTables: readonly MemberTable[] = [
  { title: "Top-level document", prefix: "document", sections: ["document"] },
  { title: "auth entry (oauth2)", prefix: "auth", sections: ["oauth2 auth", "oauth2 configuration"] },
  { title: "api object", prefix: "api", sections: ["api"] },
  {
    title: "pagination",
    prefix: "pagination",
    sections: [
      "pagination",
      "page style",
      "limitoffset style",
      "cursor style",
      "page_number",
      "page_size",
      "limit",
      "offset",
      "ordering",
      "extra",
      "cursor",
      "pagination parser",
    ],
  },
  { title: "Rate limits", prefix: "rate_limit", sections: ["rate limit", "rate limit scope", "quota"] },
  { title: "data_intake entry: webhook", prefix: "webhook", sections: ["webhook intake"] },
  { title: "data_intake entry: polling", prefix: "polling", sections: ["polling intake"] },
  { title: "workflow entry", prefix: "workflow", sections: ["workflow"] },
  { title: "resource_labels", prefix: "resource_labels", sections: ["resource labels"] },
  { title: "setup object", prefix: "setup", sections: ["setup"] },
  { title: "connect", prefix: "connect", sections: ["connect step"] },
  { title: "select", prefix: "select", sections: ["select step"] },
  { title: "describe_selection", prefix: "describe_selection", sections: ["selection description"] },
  { title: "Form field", prefix: "field", sections: ["form field"] },
  { title: "Option of a form field", prefix: "field_option", sections: ["field option"] },
  { title: "review_events", prefix: "review_events", sections: ["review_events step"] },
  { title: "review_objects", prefix: "review_objects", sections: ["review_objects step"] },
  { title: "map", prefix: "map", sections: ["map step"] },
  { title: "describe_source", prefix: "describe_source", sections: ["map source"] },
  { title: "describe_target", prefix: "describe_target", sections: ["map target"] },
  { title: "Option of a map step", prefix: "option", sections: ["map option"] },
  { title: "source_field", prefix: "source_field", sections: ["source field"] },
  { title: "data_pipeline object", prefix: "data_pipeline", sections: ["data pipeline"] },
  { title: "schedule object", prefix: "schedule", sections: ["schedule step"] },
  { title: "Item of import_options", prefix: "import_option", sections: ["import option"] },
];

/** Members that only the decisions name. */
export const extendedTables: readonly MemberTable[] = [
  {
    title: "Auth of type basic, token and session (D27)",
    prefix: "auth",
    sections: [
      "basic auth",
      "basic configuration",
      "token auth",
      "token configuration",
      "session auth",
      "session configuration",
    ],
  },
  {
    title: "defined_fields (D27)",
    prefix: "defined_fields",
    sections: [
      "oauth2 defined fields",
      "basic defined fields",
      "token defined fields",
      "session defined fields",
      "defined field",
    ],
  },
  { title: "Entry of objects (D39)", prefix: "object", sections: ["object"] },
  { title: "Argument of !http (D17)", prefix: "http", sections: ["!http"] },
  { title: "Argument of !save (D24)", prefix: "save", sections: ["!save"] },
  { title: "Argument of !resource (D25)", prefix: "resource", sections: ["!resource action"] },
  { title: "Argument of !switch (D26)", prefix: "switch", sections: ["!switch"] },
  { title: "Argument of !sha (D26)", prefix: "sha", sections: ["!sha"] },
  { title: "Argument of !extract (D26)", prefix: "extract", sections: ["!extract"] },
  { title: "Argument of !respond (D26)", prefix: "respond", sections: ["!respond"] },
];

/** Why a row needs no rule of its own. */
const atRunTime = "it happens at run time";
const describes = "it describes the service, and a config has nothing to check";
const notShown = "the specification leaves it open";
const anyText = "any text will do";
const kept = "it is kept as it is (D39)";
const ofTypes = "values whose type isn't known";

/** Rows of member tables with nothing to check beyond what the language table says. */
export const uncheckedMembers: Readonly<Record<string, string>> = {
  "auth.token_request_body": "the service names its members",
  "object.labels": kept,
  "object.description": kept,
  "object.external_id": kept,
  "object.fields": kept,
  "object.relationships": kept,
  "object.transform": kept,
  "object.event_types": kept,
  "object.event_type_field": kept,
  "object.from_reference": kept,
  "object.prepare_to_transform": kept,
};

/** Numbered statements and tables of the specification whose rows aren't members. */
export const statements: readonly Statements[] = [
  {
    title: "What the service does",
    rows: [
      {
        id: "service.1",
        what: "One JSON document with these top-level members defines an app",
        see: [
          "document.$version",
          "document.auth",
          "document.api",
          "document.data_intake",
          "document.workflows",
          "document.objects",
        ],
      },
      {
        id: "service.2",
        what: "Data goes in one of two directions, inbound or outbound",
        see: ["workflow.type"],
      },
      {
        id: "service.3",
        what: "Inbound data comes by webhook, polling or historical sync",
        see: ["webhook.type", "polling.type", "workflow.historical_data_intake"],
      },
      {
        id: "service.4",
        what: "Each workflow has a guided setup and a data pipeline",
        see: ["workflow.setup", "workflow.data_pipeline"],
      },
      { id: "service.5", what: "A command is an object whose single key starts with `!`", see: ["D15"] },
      { id: "service.6", what: "`${…}` expands variables", see: ["D6", "D11"] },
      { id: "service.7", what: "An optional field is always read with `default`", see: ["D13"] },
    ],
  },
  {
    title: "Polling state",
    rows: [
      {
        id: "polling_state.1",
        what: "A returned `polling_state` is saved for later events",
        see: ["polling.polling_state"],
      },
      {
        id: "polling_state.2",
        what: "Saving replaces the whole state, so every key must be returned",
        see: ["polling.polling_state"],
      },
    ],
  },
  {
    title: "Result of a polling request",
    rows: [
      { id: "polling.results", what: "A list of the items that go to the pipeline" },
      { id: "polling.iterate", what: "A boolean: whether more must be fetched" },
      { id: "polling.polling_state", what: "The updated state" },
    ],
  },
  {
    title: "Historical sync configuration",
    rows: [
      {
        id: "historical.1",
        what: "Two intakes: one polling, one webhook",
        see: ["workflow.historical_data_intake"],
      },
      { id: "historical.2", what: "A webhook workflow that names the polling intake as its historical one" },
      { id: "historical.3", what: "No schedule step" },
      { id: "historical.4", what: "Optional `resource_labels`", see: ["workflow.resource_labels"] },
      {
        id: "historical.5",
        what: "Polled items have the shape of the webhook's data",
        unchecked: ofTypes,
      },
    ],
  },
  {
    title: "States and transitions",
    rows: [
      {
        id: "state.initial_setup",
        what: "Runs once when a customer configures or resets the workflow; its state is saved",
        unchecked: atRunTime,
      },
      { id: "state.pre_poll", what: "Runs once per cycle, before the requests", unchecked: atRunTime },
      { id: "state.request", what: "Repeats until an exit condition", unchecked: atRunTime },
      { id: "state.post_poll", what: "Runs once per cycle, after the requests", unchecked: atRunTime },
      {
        id: "state.webhook",
        what: "`create` registers, `update` changes, `delete` removes",
        unchecked: atRunTime,
      },
    ],
  },
  {
    title: "Endpoints",
    rows: [
      {
        id: "endpoints.receiver",
        what: "A webhook passes what its URL gets to the pipeline's `source`",
        unchecked: atRunTime,
      },
      {
        id: "endpoints.http",
        what: "`!http` describes outbound requests: `method`, `path` or `url`, `body`, `pagination`",
        see: ["http.method", "http.path", "http.url", "http.body", "http.pagination"],
      },
    ],
  },
  {
    title: "Authentication",
    rows: [
      {
        id: "authentication.1",
        what: "Each workflow names an auth entry that exists",
        see: ["workflow.auth"],
      },
      {
        id: "authentication.2",
        what: "`connect` authorises, then runs `describe_connection`",
        unchecked: atRunTime,
      },
      { id: "authentication.3", what: "`oauth2` is the defined type", see: ["auth.type"] },
      { id: "authentication.4", what: "How tokens are exchanged and sent", unchecked: notShown },
    ],
  },
  {
    title: "Events",
    rows: [
      {
        id: "events.1",
        what: "A webhook intake has the name of the service's event",
        unchecked: "configc doesn't know the service's event names",
      },
      { id: "events.2", what: "Of the polling events, only `request` is required", see: ["polling.request"] },
      {
        id: "events.3",
        what: "`resource_labels` overrides labels of events",
        see: ["workflow.resource_labels"],
      },
      {
        id: "events.4",
        what: "Each item passes `source`, `transform` and `target`; `source` gives an object with fields at its root, and `_tags` as strings",
        see: ["data_pipeline.source", "data_pipeline.target"],
        unchecked: "the shape of its output, where its type isn't known",
      },
      { id: "events.5", what: "How flat and grouped data are transformed", unchecked: atRunTime },
      { id: "events.6", what: "`default_group` moves flat mappings into a group" },
      { id: "events.7", what: "Contacts have standard fields; outbound workflows should have a map step" },
      { id: "events.8", what: "Inbound always requires the target field `email`" },
      { id: "events.9", what: "Events of the platform, and the form of their payloads", unchecked: notShown },
      { id: "transform.1", what: "Flat source, flat target", unchecked: atRunTime },
      { id: "transform.2", what: "Flat source, grouped target", unchecked: atRunTime },
      { id: "transform.3", what: "Grouped source, grouped target", unchecked: atRunTime },
      { id: "transform.4", what: "Grouped source, flat target", unchecked: atRunTime },
    ],
  },
  {
    title: "Limits",
    rows: [
      {
        id: "limit.rate_limit",
        what: "`api.rate_limit` counts per user or for the whole app",
        see: ["api.rate_limit"],
      },
      {
        id: "limit.quota",
        what: "`read` and `write` each limit requests in a number of seconds",
        see: ["rate_limit.read", "rate_limit.write", "rate_limit.requests", "rate_limit.period"],
      },
      { id: "limit.polling-requests", what: "At most 100 requests in a polling cycle", unchecked: atRunTime },
      { id: "limit.polling-results", what: "At most 1,000 results in a polling cycle", unchecked: atRunTime },
      { id: "limit.exit-conditions", what: "When a cycle ends", unchecked: atRunTime },
      { id: "limit.historical", what: "A historical poll ends after 100 requests", unchecked: atRunTime },
      {
        id: "limit.frequency",
        what: "1800 seconds in the schedule step, at least 60 in the intake",
        see: ["schedule.frequency", "polling.frequency"],
      },
      {
        id: "limit.workflow-name",
        what: "Workflow names are unique and never change",
        see: ["workflow.name"],
      },
      { id: "limit.field-id", what: "Field ids are unique within a workflow", see: ["field.id"] },
    ],
  },
  {
    title: "Versioning",
    rows: [
      { id: "versioning.1", what: '`$version` is `"2"`', see: ["document.$version"] },
      {
        id: "versioning.2",
        what: "Customers' automations refer to the workflow's name",
        unchecked: describes,
      },
      {
        id: "versioning.3",
        what: "If a workflow is removed or renamed, its customers stay on the old one",
      },
      { id: "versioning.4", what: "Other changes reach everybody", unchecked: describes },
      { id: "versioning.5", what: "A label may change", unchecked: anyText },
    ],
  },
  {
    title: "Errors",
    rows: [{ id: "errors", what: "Codes and bodies of errors", unchecked: notShown }],
  },
];

/** The decisions D1 to D52. */
export const decisions: readonly Row[] = [
  { id: "D1", what: "Files: one UTF-8 JSON document; comments only in `.jsonc`" },
  { id: "D2", what: "A broken document is still checked; one mistake gives one finding" },
  { id: "D3", what: "`_comment`, and suppressions in it" },
  { id: "D4", what: "Unknown members" },
  { id: "D5", what: "Names are unique and compared exactly" },
  { id: "D6", what: "Syntax of expansions" },
  { id: "D7", what: "The filter `default`" },
  { id: "D8", what: "A string that is one expansion keeps the value's type", unchecked: atRunTime },
  {
    id: "D9",
    what: "How values become text",
    unchecked: `${atRunTime}; objects and lists in a path, a URL or a header are found where their type is known`,
  },
  { id: "D10", what: "Expansions in programs are values" },
  { id: "D11", what: "Where each root is legal" },
  { id: "D12", what: "`custom_data`: attributes, fields of this workflow, earlier fields" },
  { id: "D13", what: "Optional fields need `default`" },
  { id: "D14", what: "`piped_content.n`: only steps that have run" },
  { id: "D15", what: "Form of a command" },
  {
    id: "D16",
    what: "Input and output of commands",
    unchecked: "what the input holds, where its type isn't known",
  },
  { id: "D17", what: "`!http`" },
  {
    id: "D18",
    what: "Safety of URLs and headers",
    unchecked: "the runtime checks the values when it makes the request",
  },
  { id: "D19", what: "Request body" },
  { id: "D20", what: "Value of a response", unchecked: atRunTime },
  { id: "D21", what: "Failures and retries", unchecked: atRunTime },
  { id: "D22", what: "Pagination", unchecked: "its end shows at run time" },
  { id: "D23", what: "`!jq`" },
  { id: "D24", what: "`!save`" },
  { id: "D25", what: "`!resource`" },
  { id: "D26", what: "Extended commands" },
  { id: "D27", what: "Types of auth" },
  { id: "D28", what: "oauth2" },
  { id: "D29", what: "Secrets", unchecked: "the runtime decides what a log or a recording holds" },
  { id: "D30", what: "Refreshing tokens", unchecked: atRunTime },
  { id: "D31", what: "Scopes of webhooks, routing of payloads" },
  { id: "D32", what: "When webhook commands run", unchecked: atRunTime },
  { id: "D33", what: "The polling cycle", unchecked: "exit conditions and commits happen at run time" },
  { id: "D34", what: "Historical sync: order and limits", unchecked: atRunTime },
  { id: "D35", what: "Items that fail", unchecked: atRunTime },
  {
    id: "D36",
    what: "Saved mapping; `default_group` names a target group",
    unchecked: "the mapping is the customer's",
  },
  { id: "D37", what: "Transform", unchecked: atRunTime },
  { id: "D38", what: "Personalisation" },
  {
    id: "D39",
    what: "Entries of `objects`: unique names",
    unchecked: "their members, which are kept as they are",
  },
  { id: "D40", what: "Breaking changes" },
  { id: "D41", what: "Tolerances" },
  { id: "D42", what: "Custom-object workflows: `frequency` and `import_option` of an intake" },
  { id: "D43", what: "Setup: search, schedule, import options, members for one direction only" },
  { id: "D44", what: "Dialects: what differs between platforms" },
  { id: "D45", what: "`default_group` in `describe_target`; `query_params`; settings beside `type`" },
  { id: "D46", what: "`Platform.sync` as a plain resource" },
  { id: "D47", what: "Routing of webhooks for a connection; one inbound workflow" },
  { id: "D48", what: "Only refusals mark a connection as broken", unchecked: atRunTime },
  { id: "D49", what: "Login of sessions, the app's own credentials", unchecked: atRunTime },
  { id: "D50", what: "What a world file says of the service" },
  { id: "D52", what: "Items and cycles that fail every time", unchecked: atRunTime },
  {
    id: "D51",
    what: "`delivery_id`: how a repeated delivery is recognised",
    unchecked: "numbers are found at run time",
  },
];
