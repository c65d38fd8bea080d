/**
 * The compiler for pages that check, fix and format configs, in one small file. What an editor asks besides (completion, hover,
 * names) is in the package's main entry; pages with an editor load the language server's worker. It says what the main entry says, but
 * that rules which give hints alone find nothing, findings have no `help`, any `\p{name}` in a pattern counts as a property of Unicode,
 * and OpenAPI documents among the samples aren't read.
 */

export { type Compilation, type CompileOptions, compile, recompile } from "./compile.ts";
export type * from "./emit/app.ts";
export {
  type Diagnostic,
  docsOf,
  fixesOf,
  type Range,
  type RenderedDiagnostic,
  type RenderedFix,
  rangeOf,
  render,
} from "./findings/diagnostic.ts";
export type {
  Concern,
  Edit,
  Finding,
  Fix,
  Rule,
} from "./findings/rule.ts";
export { applyEdits, type FixedText, fixText } from "./fix/fix-text.ts";
export { type FormatOptions, formatEdits } from "./format/format.ts";
export type { Sample, Samples } from "./options/samples.ts";
export { defaultSettings, type Settings, type Severity } from "./options/settings.ts";
