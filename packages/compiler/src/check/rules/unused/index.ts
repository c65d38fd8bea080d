import type { RuleModule } from "../../checks.ts";
import unusedDeclarations from "./declarations.ts";

/** Declarations that nothing refers to; saved keys are in `state`, pagination in `http`. */
export const unusedRules: readonly RuleModule[] = [unusedDeclarations];
