import { docsOf, render, type Severity } from "@configc/compiler";
import {
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  DocumentDiagnosticReportKind,
} from "vscode-languageserver";
import type { Feature, OpenConfig } from "../feature.ts";
import { locate, toRange } from "../range.ts";

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

const tags = { unnecessary: DiagnosticTag.Unnecessary, deprecated: DiagnosticTag.Deprecated } as const;

/** Pushed once per version (also when empty) unless the client announces pull; pull is always answered. */
export const diagnostics: Feature = {
  capabilities: {
    diagnosticProvider: { identifier: "configc", interFileDependencies: false, workspaceDiagnostics: true },
  },
  register(server) {
    const { connection } = server;
    server.onChange((open) => {
      if (server.pullsDiagnostics) return;
      const { uri, version } = open.document;
      void connection.sendDiagnostics({ uri, version, diagnostics: told(open, server.docsBase) });
    });
    server.onClose((uri) => {
      if (!server.pullsDiagnostics) void connection.sendDiagnostics({ uri, diagnostics: [] });
    });
    connection.languages.diagnostics.on(async ({ textDocument }) => {
      await server.settled;
      const open = server.part(textDocument.uri);
      const items = open === undefined ? [] : told(open, server.docsBase);
      return { kind: DocumentDiagnosticReportKind.Full, items };
    });
  },
};

/** Whoever has just opened an empty document is about to write it: it is quiet until something stands there (E214). */
function told(open: OpenConfig, docsBase: string | undefined): Diagnostic[] {
  return diagnosticsOf(open, docsBase).filter(({ code }) => code !== EMPTY);
}

const EMPTY = "syntax/empty-document";

/** The diagnostics of a document, with code, related places and tags. */
export function diagnosticsOf(open: OpenConfig, docsBase: string | undefined): Diagnostic[] {
  const { document, compilation, view } = open;
  const { model, diagnostics: all } = compilation;
  const here = view === undefined ? all : all.filter(({ span }) => view.contains(span));
  return here.map((found) => {
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
              location: locate(open, { start: place.range.start.offset, end: place.range.end.offset }),
            })),
          }),
    };
  });
}
