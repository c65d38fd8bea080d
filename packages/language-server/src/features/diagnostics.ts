import { type Compilation, docsOf, render, type Severity } from "@configc/compiler";
import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { toRange } from "../range.ts";

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

const tags = { unnecessary: DiagnosticTag.Unnecessary, deprecated: DiagnosticTag.Deprecated } as const;

/** Where rule pages are read; the editor opens it from the code of a diagnostic. */
export interface DiagnosticLinks {
  /** Base of the pages; without it diagnostics carry no link. */
  readonly docsBase?: string;
}

/** The diagnostics of a document, with code, related places and tags. */
export function diagnosticsOf(
  document: TextDocument,
  { model, diagnostics }: Compilation,
  { docsBase }: DiagnosticLinks,
): Diagnostic[] {
  return diagnostics.map((found) => {
    const { rule, message, help, related } = render(model, found, { fixes: false });
    const tag = found.finding.rule.tag;
    return {
      range: toRange(document, found.span),
      severity: severities[found.severity],
      source: "configc",
      code: rule,
      ...(docsBase === undefined ? {} : { codeDescription: { href: new URL(docsOf(rule), docsBase).href } }),
      message: help === undefined ? message : `${message}\n${help}`,
      ...(tag === undefined ? {} : { tags: [tags[tag]] }),
      ...(related === undefined
        ? {}
        : {
            relatedInformation: related.map((place) => ({
              message: place.message,
              location: {
                uri: document.uri,
                range: toRange(document, { start: place.range.start.offset, end: place.range.end.offset }),
              },
            })),
          }),
    };
  });
}
