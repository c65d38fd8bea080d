export type * from "./bind/bound-nodes.ts";
export type * from "./bind/model.ts";
export { workflowsOf } from "./bind/resolve.ts";
export { type BreakingOptions, breakingChanges } from "./breaking/breaking.ts";
export * from "./browser.ts";
export { declarationsOf } from "./emit/declarations/index.ts";
export { sourceOf } from "./emit/source.ts";
export { pointerTo } from "./findings/pointer.ts";
export { concerns, type RuleExample } from "./findings/rule.ts";
export { suppressEdit } from "./fix/suppress-edit.ts";
export * as language from "./language/index.ts";
export {
  type ApiDocument,
  noSamples,
  type PayloadSample,
} from "./options/samples.ts";
export { dialectOf, type ResourceSettings, resourceSettings } from "./options/settings.ts";
export type { Document, Location } from "./parse/document.ts";
export { parseDocument, spanOf } from "./parse/document.ts";
export { LineMap, type Position } from "./parse/line-map.ts";
export type * from "./parse/syntax-tree.ts";
export { nodeAt, toJson } from "./parse/syntax-tree.ts";
export { becauseOf } from "./query/because.ts";
export { type CommandType, commandTypes } from "./query/command-type.ts";
export {
  type Completion,
  type CompletionKind,
  completionsAt,
  withoutPlaces,
} from "./query/completion/index.ts";
export {
  type Cursor,
  cursorAt,
  type NameCursor,
  type TextCursor,
  type ValueCursor,
} from "./query/cursor.ts";
export { failureSpan } from "./query/failure-span.ts";
export { type FoundNode, findNode } from "./query/find-node.ts";
export { type Hint, hintsIn } from "./query/hints.ts";
export type { Hover } from "./query/hover/hover.ts";
export { hoverAt } from "./query/hover/index.ts";
export { sectionOf } from "./query/language-at.ts";
export { type Lens, lensesOf } from "./query/lenses.ts";
export { type Link, linksOf } from "./query/links.ts";
export { type MissingMembers, missingMembers } from "./query/missing-members.ts";
export { type NamedThing, type NameKind, namedThingAt } from "./query/named-things.ts";
export type { Occurrence } from "./query/occurrence.ts";
export { renameEdits, renameProblem } from "./query/rename.ts";
export { type Rewrite, rewritesIn } from "./query/rewrites.ts";
export { samplesAt } from "./query/samples-at.ts";
export { selectionSpans } from "./query/selection.ts";
export { signatureHelpAt } from "./query/signature.ts";
export type { KeyRead, KeyWrite, StateKey } from "./query/state-key.ts";
export { stateKeys } from "./query/state-keys.ts";
export { type SemanticToken, semanticTokens, type TokenType, tokenTypes } from "./query/tokens.ts";
export { layOutType } from "./query/type-layout.ts";
export { ruleById, rules } from "./rules.ts";
export { maskPayload, maskSample } from "./samples/mask.ts";
export { type ReadSamples, readSamples } from "./samples/read-sample.ts";
export { sampleContent, sampleFileName } from "./samples/sample-file.ts";
export { exportSchema, type JsonSchema } from "./schema/export-schema.ts";
