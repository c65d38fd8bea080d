/** The entry `@configc/compiler/internal`: for our other packages. It changes with any version, without notice. */
export { outermostCommand } from "./bind/outermost-command.ts";
export { workflowsOf } from "./bind/resolve.ts";
export { plural } from "./check/message-text.ts";
export { parseExpansions } from "./emit/values.ts";
export { pointerTo } from "./findings/pointer.ts";
export { concerns } from "./findings/rule.ts";
export { suppressEdit } from "./fix/suppress-edit.ts";
export { stepTitle } from "./graph/commands.ts";
export { ROOT_NAMES, type RootName } from "./language/expansion-names.ts";
export { mayWrite, type RequestShape } from "./language/writes.ts";
export { dialectOf, resourceSettings } from "./options/settings.ts";
export { parseDocument, spanOf } from "./parse/document.ts";
export { LineMap } from "./parse/line-map.ts";
export { decodedOffset, documentOffset } from "./parse/string-map.ts";
export { toJson } from "./parse/syntax-tree.ts";
export { becauseOf } from "./query/because.ts";
export { withoutPlaces } from "./query/completion/index.ts";
export {
  type Cursor,
  cursorAt,
  type NameCursor,
  type TextCursor,
  type ValueCursor,
} from "./query/cursor.ts";
export { type ExpansionText, expansionsIn } from "./query/expansion-texts.ts";
export { failureSpan } from "./query/failure-span.ts";
export { type FoundNode, findNode } from "./query/find-node.ts";
export { type Hint, hintsIn } from "./query/hints.ts";
export { sectionOf } from "./query/language-at.ts";
export { type Lens, lensesOf } from "./query/lenses.ts";
export { linkedNamesAt } from "./query/linked-names.ts";
export { type Link, linksOf } from "./query/links.ts";
export { type MissingMembers, missingMembers } from "./query/missing-members.ts";
export { type NamedSymbol, type NameKind, namedSymbolAt } from "./query/named-symbols.ts";
export { nodeTitle } from "./query/node-title.ts";
export type { Occurrence } from "./query/occurrence.ts";
export { programAt, programByPointer } from "./query/program/program-at.ts";
export { type ProgramInput, programInputs } from "./query/program/program-inputs.ts";
export { laidOutProgram, writtenProgram } from "./query/program/program-text.ts";
export { type Rewrite, rewritesIn } from "./query/rewrites.ts";
export { operationPlaceAt, samplesAt } from "./query/samples-at.ts";
export { selectionSpans } from "./query/selection.ts";
export { signatureHelpAt } from "./query/signature.ts";
export type { KeyRead, KeyWrite, StateKey } from "./query/state-key.ts";
export { stateKeys } from "./query/state-keys.ts";
export {
  type SemanticToken,
  semanticTokens,
  type TokenModifier,
  type TokenType,
  tokenModifiers,
  tokenTypes,
} from "./query/tokens.ts";
export { layOutType } from "./query/type-layout.ts";
export { type TypePlace, typePlacesAt } from "./query/type-places.ts";
export { type InsertableOperation, insertableOperations } from "./refactor/insert-operation.ts";
export type { Refactoring } from "./refactor/refactoring.ts";
export { refactoringsIn } from "./refactor/refactorings.ts";
export { maskPayload, maskSample } from "./samples/mask.ts";
export { type DescribedRequest, describedRequests } from "./samples/openapi/described.ts";
export { type ReadSamples, readSamples } from "./samples/read-sample.ts";
export { learnedResponses } from "./samples/responses.ts";
export { sampleContent, sampleFileName } from "./samples/sample-file.ts";
