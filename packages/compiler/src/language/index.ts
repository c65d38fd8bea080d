export { commandSpec, commandSpecs, isCommandKey } from "./commands/index.ts";
export {
  builtinDialect,
  choicesOf,
  completeDialect,
  type Dialect,
  type DialectFile,
  type DialectLimits,
} from "./dialect/dialect.ts";
export type { Place, PlaceContract, PlaceInput } from "./places.ts";
export { places } from "./places.ts";
export type { ResourceField, ResourcePart, ResourceSpec } from "./resource-spec.ts";
export { DEFAULT_PREFIX, resourceSpecs } from "./resources.ts";
export type { RootSpec } from "./roots.ts";
export { roots } from "./roots.ts";
export type {
  CommandKey,
  CommandSpec,
  Condition,
  Direction,
  Member,
  MemberGroup,
  PlaceName,
  Section,
  TextFormat,
  TextValue,
  Tier,
  Value,
  VariantValue,
} from "./schema.ts";
export { comment } from "./sections/comment.ts";
export { document } from "./sections/document.ts";
