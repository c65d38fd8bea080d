/** The entry `@configc/jq/internal`: for our other packages. It changes with any version, without notice. */
export { constantOf } from "./constant.ts";
export * from "./editor/index.ts";
export { type Colors, type Layout, writeJson } from "./evaluate/layout.ts";
export { groupBy } from "./group-by.ts";
export { isIdentifier, keyText } from "./identifier.ts";
export { memoize } from "./memoize.ts";
export { ownCopy } from "./own-copy.ts";
export { nearest } from "./suggestions.ts";
export { failureCodes } from "./types/findings.ts";
export { resolveReference, SchemaTypes, type SchemaUse } from "./types/from-schema.ts";
export {
  isAssignable,
  isSubtype,
  itemsOf as itemType,
  memberOf as memberType,
  typeOfValue,
} from "./types/operations.ts";
export { LONGEST_LITERAL } from "./types/type.ts";
export {
  escapedPattern,
  isMap,
  isObject,
  type JsonObject,
  nameOfToken,
  percentDecoded,
  pointerToken,
} from "./unchecked-json.ts";
