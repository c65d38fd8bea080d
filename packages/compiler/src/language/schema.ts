/**
 * How the language is described as data (`design.md`: "One place states the language").
 *
 * From these descriptions come the structural findings, the JSON Schema, completion, hover and the reference pages.
 */

/** Core is what the specification states; ext is what configs in the wild also use (`spec/language.md`). */
export type Tier = "core" | "ext";

export interface Section {
  /** Names the section in messages and in the reference: "workflow", "form field". Unique. */
  readonly name: string;
  readonly title: string;
  readonly doc: string;
  /** Where it is defined: `spec: workflow entry`, `D17`. */
  readonly source: string;
  readonly members: Readonly<Record<string, Member>>;
  /** What people call members elsewhere, by the name that they have here; of several, the first that fits the value. */
  readonly otherNames?: Readonly<Record<string, readonly OtherName[]>>;
  /** An open section accepts other members: the insides of `objects[]` entries. Default closed (D4). */
  readonly open?: boolean;
  /** Exactly one of each group of members must be there, e.g. `path` or `url`; `atLeast` for one or more. */
  readonly groups?: readonly MemberGroup[];
  /** What binds a node of this section to a symbol. */
  readonly declares?: "workflow" | "intake" | "field" | "api" | "map" | "object";
}

/** A member that another name stands for. */
export interface OtherName {
  readonly member: string;
  /** Only where the value is a text of that form. */
  readonly form?: RegExp;
}

export interface MemberGroup {
  readonly kind: "exactlyOne" | "atLeastOne" | "atMostOne";
  readonly members: readonly string[];
}

export interface Member {
  readonly value: Value;
  /** Default: optional. A condition looks at a sibling member or at the direction of the workflow around. */
  readonly required?: boolean | Condition;
  /** Where it has an effect at all: elsewhere it isn't suggested. */
  readonly where?: SiblingCondition;
  /** The same, by what else the document says. */
  readonly effective?: Effective;
  /** Level at which an absence is tolerated outside `"language": "core"` (D41). */
  readonly tolerated?: "hint" | "warning";
  /** The value that an absent member stands for. */
  readonly default?: unknown;
  readonly tier?: Tier;
  /** Only logging in reads it: what its text says concerns no other part of the document. */
  readonly forLogin?: true;
  /** One or two sentences, for hover and the reference. Markdown. */
  readonly doc: string;
  readonly example: unknown;
  /** Only where another page than the section's defines the member. */
  readonly source?: string;
}

export type Condition =
  | SiblingCondition
  /** The workflow around is inbound (`generic`) or outbound (`automations`). */
  | { readonly direction: Direction };

/** A sibling member has one of these values. */
interface SiblingCondition {
  readonly sibling: string;
  readonly is: readonly string[];
}

/** What else a document has to say for a member to have an effect. What isn't known yet isn't in the way. */
interface Effective {
  /** Of the workflow around. */
  readonly direction?: Direction;
  /** The type of its intake. */
  readonly intake?: "polling" | "webhook";
  /** There is an `api.pagination`. */
  readonly paginated?: true;
}

export type Direction = "inbound" | "outbound";

/** What a value may be. */
export type Value =
  | TextValue
  | { readonly kind: "integer"; readonly minimum?: number; readonly only?: number }
  | { readonly kind: "boolean" }
  /** string, number or boolean */
  | { readonly kind: "scalar" }
  | { readonly kind: "section"; readonly section: () => Section }
  /** One of several sections, told apart by the value of a member. */
  | VariantValue
  /** An object whose keys are names that the author chooses. */
  | { readonly kind: "map"; readonly of: Value; readonly declares?: "auth" }
  | { readonly kind: "list"; readonly of: Value; readonly minimum?: number; readonly maximum?: number }
  /** A command; `orStatic` where a plain value is allowed too. `here`: the place of the command around it. */
  | {
      readonly kind: "command";
      readonly place: PlaceName | "here";
      readonly orStatic?: Value;
      readonly staticTier?: Tier;
    }
  /** Either form, told apart by the kind of JSON value: each alternative accepts another kind. */
  | { readonly kind: "either"; readonly of: readonly Value[] }
  /** Anything; with expansions where it stands in a command. */
  | {
      readonly kind: "data";
      readonly must?: "object" | "objectOrExpansion";
      readonly position?: "parameter";
    };

export interface TextValue {
  readonly kind: "text";
  /** The only values there are. */
  readonly oneOf?: readonly string[];
  /** `platform` among them stands for what the dialect calls it (D44). */
  readonly dialectTarget?: true;
  /** Values in any case (`method`). */
  readonly anyCase?: boolean;
  /** Values that only `ext` configs use. */
  readonly ext?: readonly string[];
  /** Other values are legal but not known here: said at this level by a rule of its own. */
  readonly openEnded?: boolean;
  readonly nonEmpty?: boolean;
  /** Whether expansions are evaluated in it. Inside commands they are, elsewhere only in URLs of `api` and `auth` (D11). */
  readonly expansions?: boolean;
  readonly format?: TextFormat;
  /** It names a declared symbol. */
  readonly refersTo?: "auth" | "intake" | "group";
  /** The only intakes that it can name. */
  readonly intakeType?: "polling";
}

export type TextFormat =
  | "url"
  | "jq"
  | "name"
  | "label"
  | "sentence"
  | "markdown"
  | "secret"
  | "path"
  | "header"
  | "comment"
  | "resource";

export interface VariantValue {
  readonly kind: "variant";
  /** The member whose value selects the section. */
  readonly by: string;
  readonly variants: Readonly<Record<string, () => Section>>;
  /** Used for a value of `by` that isn't a variant, so that the common members are still checked and bound. */
  readonly otherwise: () => Section;
  /** Whether an object that has only members of another variant is that one, and `by` the mistake. */
  readonly toldByMembers?: boolean;
  /** What is said about a value of `by` that isn't a variant: an error unless open-ended (D27). */
  readonly openEnded?: boolean;
}

/** Where a command can stand; see `places.ts`. */
export type PlaceName =
  | "intake.create"
  | "intake.update"
  | "intake.delete"
  | "intake.verification"
  | "intake.delivery_id"
  | "intake.resource_id"
  | "intake.account_id"
  | "intake.initial_setup"
  | "intake.pre_poll"
  | "intake.request"
  | "intake.post_poll"
  | "connect.describe_connection"
  | "field.options"
  | "describe_selection.resource_id"
  | "describe_selection.display"
  | "describe_source.options"
  | "describe_target.options"
  | "data_pipeline.source"
  | "data_pipeline.target"
  | "parser.total_pages"
  | "parser.total_items"
  | "parser.next_result_token"
  | "parser.previous_result_token"
  | "parser.next_page_url";

export interface CommandSpec {
  /** With its `!`. */
  readonly key: CommandKey;
  readonly tier: Tier;
  readonly doc: string;
  readonly source: string;
  readonly argument: Value;
  /** What it takes and gives, for hover and reference. */
  readonly input: string;
  readonly output: string;
  readonly example: unknown;
  /** The only places it may stand in; default everywhere a command may. */
  readonly places?: readonly PlaceName[];
}

export type CommandKey =
  | "!pipe"
  | "!http"
  | "!jq"
  | "!save"
  | "!resource"
  | "!switch"
  | "!error"
  | "!print_c"
  | "!sha"
  | "!extract"
  | "!respond";
