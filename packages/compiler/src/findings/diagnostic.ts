import type { Model } from "../bind/model.ts";
import type { Severity } from "../options/settings.ts";
import { type Document, spanOf } from "../parse/document.ts";
import type { Position } from "../parse/line-map.ts";
import type { Span } from "../parse/syntax-tree.ts";
import { fingerprint } from "./fingerprint.ts";
import { nodeOf, pointerTo } from "./pointer.ts";
import type { Concern, Finding, Fix } from "./rule.ts";

/** A finding at the level that the settings give it. */
export interface Diagnostic {
  readonly finding: Finding;
  readonly severity: Severity;
  /** UTF-16 offsets in the document. */
  readonly span: Span;
}

/** A stretch of a document, from its first character to the one behind its last. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** What every channel prints; the shape of `check --format json` (`design.md`, "CLI"). */
export interface RenderedDiagnostic {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  readonly range: Range;
  /** JSON Pointer of the value or member. */
  readonly pointer: string;
  /** The same for the same mistake in another version of the document. */
  readonly fingerprint: string;
  readonly help?: string;
  /** Where the types come from that it is about, a line each (`becauseOf`); only for people, not in `--format json`. */
  readonly because?: readonly string[];
  readonly docs: string;
  /** Of a breaking change: whom it concerns. */
  readonly concerns?: readonly Concern[];
  readonly related?: readonly { readonly message: string; readonly range: Range }[];
  readonly fixes?: readonly RenderedFix[];
}

/** A fix with its edits, as every channel shows it. */
export interface RenderedFix {
  readonly title: string;
  readonly safe: boolean;
  readonly edits: readonly { readonly range: Range; readonly newText: string }[];
}

/** Where the page of a rule stands, relative to the repository's root. */
export function docsOf(ruleId: string): string {
  return `docs/rules/${ruleId}.md`;
}

/**
 * A finding as people and programs read it.
 *
 * @param model of the compilation that the finding is from
 * @param options.fixes whether to compute fixes too, which costs more than the text; by default they are
 */
export function render(
  model: Model,
  diagnostic: Diagnostic,
  { fixes: wantsFixes = true }: { readonly fixes?: boolean } = {},
): RenderedDiagnostic {
  const { document } = model;
  const { finding, severity, span } = diagnostic;
  const { rule, args } = finding;
  const help = rule.help?.(args);
  const fixes = wantsFixes ? fixesOf(model, diagnostic) : [];
  return {
    rule: rule.id,
    severity,
    message: visible(rule.message(args)),
    range: rangeOf(document, span),
    pointer: pointerTo(nodeOf(document.root, finding.at)),
    fingerprint: fingerprint(document, finding),
    ...(help === undefined ? {} : { help: visible(help) }),
    docs: docsOf(rule.id),
    ...(rule.concerns === undefined ? {} : { concerns: rule.concerns }),
    ...(finding.related.length === 0
      ? {}
      : {
          related: finding.related.map(({ message, at }) => ({
            message,
            range: rangeOf(document, spanOf(document, at)),
          })),
        }),
    ...(fixes.length === 0 ? {} : { fixes: fixes.map((fix) => renderFix(document, fix)) }),
  };
}

/** Two names that differ by a character nobody sees would look the same. */
function visible(text: string): string {
  return text.replace(
    /[\u00a0\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The fixes of a diagnostic, computed now. */
export function fixesOf(model: Model, { finding }: Diagnostic): readonly Fix[] {
  return finding.rule.fixes?.(finding, { document: model.document, model }) ?? [];
}

/** Where a span stands in lines and columns: both count from 1, columns in UTF-16 units. */
export function rangeOf(document: Document, { start, end }: Span): Range {
  return { start: document.position(start), end: document.position(end) };
}

function renderFix(document: Document, { title, safe, edits }: Fix): RenderedFix {
  return {
    title,
    safe,
    edits: edits.map((edit) => ({ range: rangeOf(document, edit), newText: edit.newText })),
  };
}
