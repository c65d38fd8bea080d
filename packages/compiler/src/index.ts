export type * from "./bind/bound-nodes.ts";
export type * from "./bind/model.ts";
export { type BreakingOptions, breakingChanges } from "./breaking/breaking.ts";
export * from "./browser.ts";
export { declarationsOf } from "./emit/declarations/index.ts";
export { sourceOf } from "./emit/source.ts";
export type { RuleExample } from "./findings/rule.ts";
export * as language from "./language/index.ts";
export { type ApiDocument, noSamples, type PayloadSample } from "./options/samples.ts";
export type { ResourceSettings } from "./options/settings.ts";
export {
  type IntakeWorld,
  type ParameterMeaning,
  readWorldFile,
  type WorldFile,
} from "./options/world-file.ts";
export type { Document, Location } from "./parse/document.ts";
export type { Position } from "./parse/line-map.ts";
export type * from "./parse/syntax-tree.ts";
export { nodeAt } from "./parse/syntax-tree.ts";
export { type CommandType, commandTypes } from "./query/command-type.ts";
export { type Completion, type CompletionKind, completionsAt } from "./query/completion/index.ts";
export type { Hover } from "./query/hover/hover.ts";
export { hoverAt } from "./query/hover/index.ts";
export { renameEdits, renameProblem } from "./query/rename.ts";
export { ruleById, rules } from "./rules.ts";
export { exportSchema, type JsonSchema } from "./schema/export-schema.ts";
