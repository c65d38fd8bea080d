import type { JqDiagnostic, Program as JqTree } from "@configc/jq";
import type { RootName } from "../language/expansion-names.ts";
import type { CommandKey, Direction, Place } from "../language/index.ts";
import type { JsonNode, MemberNode, ObjectNode, StringNode } from "../parse/syntax-tree.ts";
import type { ExpansionSyntax, Template } from "../parse/template.ts";

/** A part of the document that stands by itself. */
export type Unit = AuthSymbol | IntakeSymbol | WorkflowSymbol | ApiSymbol;

/** An entry of `auth` (D27). */
export interface AuthSymbol {
  readonly kind: "auth";
  readonly name: string;
  readonly member: MemberNode;
  readonly node: JsonNode | undefined;
  readonly type: string | undefined;
  /** Whether `defined_fields.subdomain` is there. */
  readonly hasSubdomain: boolean;
  readonly references: Reference<AuthSymbol>[];
}

/** The `api` section. */
export interface ApiSymbol {
  readonly kind: "api";
  readonly node: ObjectNode;
}

/** An entry of `objects` (D39). */
export interface ObjectSymbol {
  readonly kind: "object";
  readonly name: string | undefined;
  readonly node: ObjectNode;
}

/** An entry of `data_intake`: a webhook or a polling intake. */
export interface IntakeSymbol {
  readonly kind: "intake";
  readonly name: string | undefined;
  readonly nameNode: StringNode | undefined;
  readonly node: ObjectNode;
  /** Among all; set when names are resolved. */
  index: number;
  readonly type: "webhook" | "polling" | undefined;
  /** `scope` of a webhook intake, if it is one of the three. */
  readonly scope: "workflow" | "connection" | "application" | undefined;
  /** By member name: `create`, `request` … */
  readonly commands: Map<string, Command>;
  /** From `data_intake` and `historical_data_intake`. */
  readonly references: Reference<IntakeSymbol>[];
}

/** An entry of `workflows`. */
export interface WorkflowSymbol {
  readonly kind: "workflow";
  readonly name: string | undefined;
  readonly nameNode: StringNode | undefined;
  readonly node: ObjectNode;
  index: number;
  /** From `type`, or from all the rest where that contradicts it; undefined where `type` is missing or wrong. */
  readonly direction: Direction | undefined;
  auth: Reference<AuthSymbol> | undefined;
  intake: Reference<IntakeSymbol> | undefined;
  historicalIntake: Reference<IntakeSymbol> | undefined;
  readonly fields: FieldSymbol[];
  readonly maps: MapSymbol[];
}

/** A form field of a `select` step (D12). */
export interface FieldSymbol {
  readonly kind: "field";
  readonly id: string | undefined;
  readonly idNode: StringNode | undefined;
  readonly node: ObjectNode;
  readonly index: number;
  readonly workflow: WorkflowSymbol;
  readonly type: string | undefined;
  /** True unless `required` is false (default true). */
  readonly required: boolean;
  /** Where it is used; also by `.custom_data.ID` of a jq program. */
  readonly references: FieldUse[];
}

/** A part of an expansion that names a form field. */
export interface FieldUse {
  readonly node: StringNode;
  /** Of the id, in the decoded string. */
  readonly from: number;
  readonly to: number;
}

/** A `map` step of a workflow. */
export interface MapSymbol {
  readonly kind: "map";
  readonly workflow: WorkflowSymbol;
  readonly node: ObjectNode;
}

/** A use of a declared name outside expansions. */
export interface Reference<S> {
  readonly name: string;
  readonly node: StringNode;
  readonly member: "auth" | "data_intake" | "historical_data_intake";
  readonly workflow: WorkflowSymbol;
  /** The declaration, or the nearest match. */
  target: S | undefined;
  /** Whether `target` has exactly this name. */
  exact: boolean;
}

/** A command where one may stand (D15), with the place that tells what it takes and what is taken of it (D16). */
export interface Command {
  readonly kind: "command";
  readonly key: CommandKey;
  readonly node: ObjectNode;
  /** The member whose key starts with `!`. */
  readonly member: MemberNode;
  readonly argument: JsonNode | undefined;
  /** Where the outermost command around it (or itself) stands. */
  readonly place: Place;
  /** The intake, workflow or api around it. */
  readonly unit: Unit | undefined;
  /** The form field whose `options` it is part of. */
  readonly field: FieldSymbol | undefined;
  /** The command around it: a `!pipe` or a `!switch`. */
  readonly parent: Command | undefined;
  /** The innermost `!pipe` around it, and how many of its steps have run when this command starts (D14). */
  readonly pipe: Command | undefined;
  readonly stepsRun: number;
  /** Steps of a `!pipe`, cases of a `!switch`; undefined where one isn't a command. */
  readonly children: (Command | undefined)[];
  /** The program of a `!jq` or a `!switch`. */
  program: JqProgram | undefined;
}

/** A string with expansions, where expansions are read (D11). */
export interface BoundTemplate {
  readonly node: StringNode;
  readonly template: Template;
  readonly command: Command | undefined;
  readonly unit: Unit | undefined;
  readonly position: ExpansionPosition;
  readonly expansions: readonly Expansion[];
}

/** What the string with the expansion is: it decides encoding, conversion to text and which values are errors. */
export type ExpansionPosition = "value" | "key" | "jq" | "path" | "url" | "header" | "parameter" | "baseUrl";

/** One `${…}` or `$<…>`, bound to what it names (D6, D11). */
export interface Expansion {
  readonly kind: "expansion";
  readonly syntax: ExpansionSyntax;
  readonly node: StringNode;
  readonly position: ExpansionPosition;
  /** Undefined in URLs of `api` and `auth`. */
  readonly command: Command | undefined;
  readonly unit: Unit | undefined;
  /** The root, or the nearest one to what is written. */
  readonly root: RootName | undefined;
  readonly rootExact: boolean;
  /** For `custom_data`: the fields that it can mean, one for each workflow that comes here; resolved by the binder. */
  fields: readonly FieldSymbol[];
  /** Whether each of those has exactly the id that is written. */
  fieldExact: boolean;
}

/** A string with what looks like expansions, where they aren't expanded (D11). */
export interface InertTemplate {
  readonly node: StringNode;
  readonly template: Template;
  /** The command around it: `!error` takes no expansions. */
  readonly command: Command | undefined;
}

/** The program of a `!jq` or `!switch`, its expansions as holes (D10). */
export interface JqProgram {
  readonly node: StringNode;
  readonly command: Command;
  /** In the order of the text. */
  readonly holes: readonly Expansion[];
  /** Parsed and resolved; shared between equal texts, so offsets are those of the decoded string. */
  readonly tree: JqTree;
  readonly diagnostics: readonly JqDiagnostic[];
  /** Results of `derivedFromText`, shared like the tree. */
  readonly derived: Map<unknown, unknown>;
  /** Results of `derivedInPlace`. */
  readonly inPlace: Map<unknown, unknown>;
}

/** A use of an extended feature, which `"language": "core"` reports. */
export interface ExtendedUse {
  /** What is used: "the command `!switch`", "the member `headers` of `!http`". */
  readonly feature: string;
  readonly node: JsonNode | MemberNode;
}

/** A `_comment` that begins with `configc-ignore` (D3). */
export interface Suppression {
  readonly node: StringNode;
  /** The object whose findings, at any depth, are silenced. */
  readonly object: ObjectNode;
  readonly rules: readonly { readonly id: string; readonly from: number; readonly to: number }[];
  readonly reason: string;
}
