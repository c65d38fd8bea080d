/**
 * The compiled app: plain JSON, for the runtime, `build`, replay and the distributed engine. References are ids of symbols,
 * jq is its text with a table of holes, and every command keeps its pointer and span in the source.
 *
 * Names that don't resolve and members of the wrong type are left out: what runs is what could be read.
 */
export interface App {
  readonly irVersion: 1;
  readonly auth: Readonly<Record<string, AppAuth>>;
  readonly api: AppApi;
  /** What `target` of `!http` calls the platform's own API, where the dialect doesn't call it `platform` (D44). */
  readonly platformTarget?: string;
  /** In document order; other nodes name an intake by its index here. */
  readonly intakes: readonly AppIntake[];
  readonly workflows: readonly AppWorkflow[];
  readonly commands: Readonly<Record<CommandId, AppCommand>>;
  /** Only where the app leaves its config behind, as in `configc build`. */
  readonly source?: AppSource;
}

/**
 * What it takes to tell a span as a line and column of the config without having the config: the source map of an app. An app is
 * data, so no generated code has places that a usual source map could start from; its nodes have spans instead.
 */
export interface AppSource {
  /** Name of the config's file. */
  readonly file: string;
  /** Offset at which the first line begins, then of each other line how far from the one before it, in UTF-16 units. */
  readonly lines: readonly number[];
  /** Of commands with a program: where its text begins, and how its escapes are written. */
  readonly programs: Readonly<Record<CommandId, AppProgramSource>>;
}

/** Where a jq program stands in the source, so that a place in it can be told as one in the config. */
export interface AppProgramSource {
  /** Offset in the source of the program's first character. */
  readonly start: number;
  /** Pairs: offset in the program of a character that is written as an escape, and how many units longer the escape is. */
  readonly escapes?: readonly number[];
}

/** The JSON Pointer of the command in the document. */
export type CommandId = string;

/** UTF-16 offsets in the source. */
export interface AppSpan {
  readonly start: number;
  readonly end: number;
}

/** Anything of the app that findings and traces can point at. */
export interface AppNode {
  readonly pointer: string;
  readonly span: AppSpan;
}

/** D27, D28. URLs may contain `subdomain`. */
export interface AppAuth extends AppNode {
  readonly name: string;
  readonly type: string;
  /** `configuration` (and what stands beside it, E1), with expansions. */
  readonly configuration: AppValue;
  readonly definedFields: readonly AppDefinedField[];
}

/** What a customer types in to connect (D27). */
export interface AppDefinedField {
  readonly id: string;
  readonly label?: string;
  readonly placeholder?: string;
  /** Markdown. */
  readonly helpText?: string;
}

/** The `api` section. */
export interface AppApi {
  readonly baseUrl?: AppTemplate;
  readonly rateLimit?: AppRateLimit;
  readonly pagination?: AppPagination;
}

/** Requests per seconds, for each user or for all together. Straight below the scope (D41) both have the same. */
export interface AppRateLimit {
  readonly scope: "user" | "app";
  readonly read?: AppQuota;
  readonly write?: AppQuota;
}

/** How many requests are made in a period. */
export interface AppQuota {
  readonly requests: number;
  /** Seconds. */
  readonly period: number;
}

/** D22. */
export interface AppPagination extends AppNode {
  readonly type: "page" | "limitoffset" | "cursor";
  /** `style` without `type`, `extra` as an array wherever it stood. */
  readonly parameters: Readonly<Record<string, AppParameter>>;
  readonly extra: readonly AppParameter[];
  /** `total_pages`, `next_result_token` … */
  readonly parser: Readonly<Record<string, AppProgram & AppNode>>;
}

/** A query parameter of a style of pagination, and its value where it is fixed. */
export interface AppParameter {
  readonly param?: string;
  readonly value?: string | number | boolean | null;
}

/** An entry of `data_intake` (D31, D33). */
export interface AppIntake extends AppNode {
  readonly index: number;
  readonly name: string;
  readonly type: "webhook" | "polling";
  /** Of a webhook (D31). */
  readonly scope?: "workflow" | "connection" | "application";
  /** By member: `create`, `request`, `resource_id`, `verification` … */
  readonly commands: Readonly<Record<string, CommandId>>;
  /** Seconds; only for custom-object workflows (D42). */
  readonly frequency?: number;
  readonly importOption?: "single" | "recurring";
}

/** An entry of `workflows`. */
export interface AppWorkflow extends AppNode {
  readonly index: number;
  readonly name: string;
  readonly label: string;
  readonly direction: "inbound" | "outbound";
  /** Name in `auth`. */
  readonly auth?: string;
  /** Indexes of intakes. */
  readonly intake?: number;
  readonly historicalIntake?: number;
  readonly setup: AppSetup;
  readonly source?: CommandId;
  readonly target?: CommandId;
}

/** The guided setup of a workflow; steps that it doesn't have are absent. */
export interface AppSetup {
  readonly connect?: {
    readonly label: string;
    readonly helpText?: string;
    readonly describeConnection?: CommandId;
  };
  readonly select?: {
    readonly label: string;
    readonly fields: readonly AppField[];
    readonly resourceId?: CommandId;
    readonly display?: CommandId;
  };
  readonly map?: AppMap;
  readonly schedule?: AppSchedule;
  /** Display steps (D43). */
  readonly reviewEvents?: AppReview;
  readonly reviewObjects?: AppReview;
}

/** A form field of the `select` step (D12, D43). */
export interface AppField extends AppNode {
  readonly id: string;
  readonly label: string;
  readonly type: "text" | "textarea" | "dropdown" | "multiselect";
  readonly required: boolean;
  readonly placeholder?: string;
  readonly helpText?: string;
  readonly searchTerm?: string;
  /** The contact resource, if values are personalised (D38). */
  readonly personalize?: string;
  /** A command, or a static array. */
  readonly options?: AppOptions;
}

/** A command that gives options, or the options themselves. */
export type AppOptions = { readonly command: CommandId } | { readonly items: readonly unknown[] };

/** The `map` step (D36, D37). */
export interface AppMap extends AppNode {
  readonly label: string;
  readonly source: { readonly label: string; readonly options?: AppOptions };
  readonly target: { readonly label: string; readonly options?: AppOptions };
  readonly defaultGroup?: string;
}

/** The `schedule` step (D43). */
export interface AppSchedule {
  readonly label: string;
  readonly description: string;
  readonly importOptions: readonly { readonly label: string; readonly type: "recurring" | "single" }[];
  /** Seconds. */
  readonly frequency: number;
}

/** A `review_events` or `review_objects` step. */
export interface AppReview {
  readonly label?: string;
  readonly header?: string;
  readonly description?: string;
}

/** A command (D15); commands refer to each other by their JSON Pointers. */
export interface AppCommand extends AppNode {
  readonly key: string;
  /** What stands below the key, with expansions. Absent where `children` or `program` say all. */
  readonly argument?: AppValue;
  /** Steps of `!pipe`, cases of `!switch`; null where one isn't a command. */
  readonly children?: readonly (CommandId | null)[];
  /** Of `!jq` and `!switch`. */
  readonly program?: AppProgram;
}

/** JSON in which strings, keys included, may be templates. Parts without any expansion are one `literal`. */
export type AppValue =
  | { readonly literal: unknown }
  | { readonly template: AppTemplate }
  | { readonly items: readonly AppValue[] }
  | { readonly members: readonly { readonly key: AppTemplate; readonly value: AppValue }[] };

/** Literal text and expansions by turns, escapes resolved (D6). One expansion alone is the value itself (D8). */
export type AppTemplate = readonly (string | AppExpansion)[];

/** An expansion (D6): the path that it reads, and what stands in where nothing is there. */
export interface AppExpansion {
  /** Root first. */
  readonly path: readonly string[];
  /** Value of `| default`, if there is one. */
  readonly default?: string;
  /** Place in the source, for errors. */
  readonly span: AppSpan;
}

/** A jq program as text, its expansions as holes (D10). */
export interface AppProgram {
  readonly text: string;
  /** Offsets in `text`, ascending, with what each expands to. */
  readonly holes: readonly AppHole[];
}

/** An expansion in a jq program: offsets of UTF-16 units in the program's text. */
export interface AppHole extends Omit<AppExpansion, "span"> {
  readonly start: number;
  readonly end: number;
}
