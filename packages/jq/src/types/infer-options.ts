import type { CustomFunctions } from "../custom-functions.ts";
import type { ModuleResolver } from "../modules/module.ts";
import type { Hole } from "../syntax-tree.ts";
import type { Type } from "./type.ts";

/** A hole whose value has a known type. */
export interface TypedHole extends Hole {
  readonly type?: Type;
}

/** What `infer` takes besides the program and the type of its input. */
export interface InferOptions {
  /** Types of the variables that the caller binds, by name without `$`. */
  readonly variables?: ReadonlyMap<string, Type>;
  readonly holes?: readonly TypedHole[];
  /** Finds the modules that the program imports. Without it, nothing is known of a program with directives. */
  readonly modules?: ModuleResolver;
  /** Functions that the program can call besides jq's, with the types of what they give. */
  readonly functions?: CustomFunctions;
}
