import type {
  ApiSymbol,
  AuthSymbol,
  BoundTemplate,
  Command,
  Expansion,
  FieldSymbol,
  IntakeSymbol,
  JqProgram,
  MapSymbol,
  ObjectSymbol,
  WorkflowSymbol,
} from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import type { Part, Reach } from "../bind/part.ts";
import type { StructureProblem, StructureProblemKind } from "../bind/structure-problem.ts";
import type { Args, Related, Rule } from "../findings/rule.ts";
import type { CommandKey } from "../language/index.ts";
import type { Location } from "../parse/document.ts";
import type { SyntaxProblem } from "../parse/syntax-problem.ts";

/** Records a finding. Arguments are checked against the rule's; settings and suppressions are applied later. */
export type Report = <A extends Args>(
  rule: Rule<A>,
  at: Location,
  args: A,
  related?: readonly Related[],
) => void;

/** What a rule module looks at. Each is called once for every symbol, command … of the document, in document order. */
export interface Checks {
  /**
   * How far it looks from the part of the document that a thing is in, if farther than what is near (`Reach`). What is found is kept until
   * something changes there, but for what depends on the whole document.
   */
  readonly reach?: Exclude<Reach, "near"> | "document";
  document?(model: Model, report: Report): void;
  syntax?(problem: SyntaxProblem, report: Report, model: Model): void;
  structure?: {
    readonly [K in StructureProblemKind]?: (
      problem: StructureProblem & { kind: K },
      report: Report,
      model: Model,
    ) => void;
  };
  /** Each part of the document, for what is looked at together. */
  part?(part: Part, report: Report, model: Model): void;
  auth?(auth: AuthSymbol, report: Report, model: Model): void;
  api?(api: ApiSymbol, report: Report, model: Model): void;
  intake?(intake: IntakeSymbol, report: Report, model: Model): void;
  workflow?(workflow: WorkflowSymbol, report: Report, model: Model): void;
  field?(field: FieldSymbol, report: Report, model: Model): void;
  map?(map: MapSymbol, report: Report, model: Model): void;
  object?(object: ObjectSymbol, report: Report, model: Model): void;
  command?: { readonly [K in CommandKey | "any"]?: (command: Command, report: Report, model: Model) => void };
  expansion?(expansion: Expansion, report: Report, model: Model): void;
  template?(template: BoundTemplate, report: Report, model: Model): void;
  program?(program: JqProgram, report: Report, model: Model): void;
}

/** A rule, or a tight family of rules, with what finds them. */
export interface RuleModule {
  // Method parameters are bivariant, so rules with arguments of any shape stand together in the registry.
  readonly rules: readonly Rule[];
  readonly checks: Checks;
}
