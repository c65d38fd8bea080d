import type { Samples } from "../options/samples.ts";
import type { Settings } from "../options/settings.ts";
import type { Document } from "../parse/document.ts";
import type {
  ApiSymbol,
  AuthSymbol,
  BoundTemplate,
  Command,
  Expansion,
  ExtendedUse,
  InertTemplate,
  IntakeSymbol,
  JqProgram,
  ObjectSymbol,
  Suppression,
  WorkflowSymbol,
} from "./bound-nodes.ts";
import type { Memory, Part } from "./part.ts";
import type { StructureProblem } from "./structure-problem.ts";
import type { UnfinishedString } from "./unfinished.ts";

/**
 * The bound document: symbols, commands, expansions and programs with what they refer to.
 *
 * Everything keeps its syntax node. A name without a declaration is bound to its nearest match, if there is one, so that
 * one misspelling gives one finding (`design.md`, "No cascades"); `exact` tells the two apart.
 */
export interface Model {
  readonly document: Document;
  readonly settings: Settings;
  readonly samples: Samples;
  readonly auths: readonly AuthSymbol[];
  readonly intakes: readonly IntakeSymbol[];
  readonly workflows: readonly WorkflowSymbol[];
  readonly objects: readonly ObjectSymbol[];
  readonly api: ApiSymbol | undefined;
  /** Every command in document order, nested ones after the one around them. */
  readonly commands: readonly Command[];
  /** Every expansion that is evaluated, in document order. */
  readonly expansions: readonly Expansion[];
  /** Strings that look like templates where nothing is expanded: labels, help texts (D11). */
  readonly inertTemplates: readonly InertTemplate[];
  /** Every template that is evaluated. */
  readonly templates: readonly BoundTemplate[];
  /** Every jq program: `!jq` and the `jq` member of `!switch`. */
  readonly programs: readonly JqProgram[];
  /** What doesn't fit the language table. */
  readonly structure: readonly StructureProblem[];
  /** Uses of extended features, for `"language": "core"`. */
  readonly extendedUses: readonly ExtendedUse[];
  readonly suppressions: readonly Suppression[];
  /** Strings with a mistake in their JSON: for who writes them, rules pass them over. */
  readonly unfinished: readonly UnfinishedString[];
  /** The same by the parts of the document that they stand in, without those that have nothing. */
  readonly parts: readonly Part[];
  /** What rules found out by part: in this version once it is checked, until then in the one before. */
  memory: Memory | undefined;
  /** Results of `derived`, by what computes them. */
  readonly derived: Map<unknown, unknown>;
}
