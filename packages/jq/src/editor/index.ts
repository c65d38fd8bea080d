export { type CompletionContext, completionContext } from "./completion.ts";
export type { SyntaxForm } from "./forms.ts";
export { layOut, onOneLine } from "./lay-out.ts";
export { scopeAt, type VisibleFunction, type VisibleNames, type VisibleVariable } from "./scope-at.ts";
export { type Signature, type SignatureHelp, signatureAt } from "./signature.ts";
export { type EditorToken, tokenAt } from "./tokens.ts";
export { type TypeAt, typeAt } from "./type-at.ts";
