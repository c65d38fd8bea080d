import { type Compilation, type Edit, type Diagnostic as Finding, fixesOf, fixText } from "@configc/compiler";
import { missingMembers, refactoringsIn, rewritesIn, suppressEdit } from "@configc/compiler/internal";
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic,
  type WorkspaceEdit,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { OpenConfig, Server } from "../feature.ts";
import { templateEdit, templatesFor } from "../features/templates.ts";
import { changesOf, toRange } from "../range.ts";

const refactorKinds = {
  extract: CodeActionKind.RefactorExtract,
  inline: CodeActionKind.RefactorInline,
  move: `${CodeActionKind.Refactor}.move`,
  rewrite: CodeActionKind.RefactorRewrite,
} as const;

/** How many there are is only known when they are made: fixing one may show another. */
const FIX_ALL = "Apply all safe fixes";

/** Kinds of actions that there are. */
export const actionKinds: readonly string[] = [
  CodeActionKind.QuickFix,
  ...Object.values(refactorKinds),
  CodeActionKind.SourceFixAll,
];

/**
 * Fixes of the findings in a range, silencing them with a reason, missing members, other spellings, and all safe fixes of the
 * document at once: each with its edit.
 *
 * @param later whether edits are asked for later: then all safe fixes are offered where there are any, without trying them
 */
export function actionsFor(server: Server, params: CodeActionParams, later: boolean): CodeAction[] {
  const config = server.part(params.textDocument.uri);
  if (config === undefined) return [];
  const { document, compilation, view } = config;
  // Clients that ask for all kinds say so in as many ways: without the member, by null, by an empty list.
  const only = params.context.only?.length ? params.context.only : undefined;
  const wanted = (kind: string) =>
    only === undefined || only.some((each) => kind === each || kind.startsWith(`${each}.`));
  const from = document.offsetAt(params.range.start);
  const to = document.offsetAt(params.range.end);
  const touched = compilation.diagnostics.filter(({ span }) => span.start <= to && from <= span.end);
  const fixes = wanted(CodeActionKind.QuickFix)
    ? touched.flatMap((found) => quickFixes(config, found, params))
    : [];
  // All others are about what stands around a program.
  if (view !== undefined) return fixes;
  return [
    ...fixes,
    ...(wanted(CodeActionKind.QuickFix)
      ? touched.flatMap((found) => silence(document, compilation, found, params) ?? [])
      : []),
    ...(wanted(CodeActionKind.QuickFix) ? beginnings(server, config, touched) : []),
    ...(wanted(CodeActionKind.QuickFix) ? completions(document, compilation, [from, to], params) : []),
    ...(wanted(CodeActionKind.RefactorRewrite) ? rewrites(document, compilation, [from, to]) : []),
    ...refactorings(document, compilation, [from, to]).filter(({ kind }) => wanted(kind!)),
    // It checks the document several times: only for who asks for it.
    ...(only !== undefined && wanted(CodeActionKind.SourceFixAll)
      ? fixAll(document, compilation, later)
      : []),
  ];
}

/** A safe fix is preferred. In a program of its own there are those that change nothing else. */
function quickFixes(open: OpenConfig, found: Finding, { context }: CodeActionParams): CodeAction[] {
  const { document, compilation, view } = open;
  return fixesOf(compilation.model, found)
    .filter(({ edits }) => view === undefined || edits.every((edit) => view.contains(edit)))
    .map(
      (fix, index): CodeAction => ({
        title: fix.title,
        kind: CodeActionKind.QuickFix,
        isPreferred: fix.safe && index === 0,
        diagnostics: known(document, found, context.diagnostics),
        edit: { changes: changesOf(open, fix.edits) },
      }),
    );
}

/** What an empty document can begin with; that it is empty, an editor isn't told. */
function beginnings(server: Server, config: OpenConfig, touched: readonly Finding[]): CodeAction[] {
  if (!touched.some(({ finding }) => finding.rule.id === "syntax/empty-document")) return [];
  const { document } = config;
  return templatesFor(server, config).map((template) => ({
    title: `Begin with the template \`${template.name}\`: ${template.purpose.charAt(0).toLowerCase()}${template.purpose.slice(1)}`,
    kind: CodeActionKind.QuickFix,
    edit: { changes: { [document.uri]: [templateEdit(config, template)] } },
  }));
}

/** Members that are missing, all of an object at once. */
function completions(
  document: TextDocument,
  { model }: Compilation,
  [from, to]: readonly [number, number],
  { context }: CodeActionParams,
): CodeAction[] {
  return missingMembers(model)
    .filter(({ span }) => span.start <= to && from <= span.end)
    .map(({ names, span, edit }) => ({
      title: names.length === 1 ? `Add \`${names[0]}\`` : `Add the ${names.length} missing members`,
      kind: CodeActionKind.QuickFix,
      diagnostics: context.diagnostics.filter(
        ({ code, range }) =>
          (code === "structure/missing-member" || code === "structure/member-group") &&
          document.offsetAt(range.start) === span.start,
      ),
      edit: workspaceEdit(document, [edit]),
    }));
}

function rewrites(
  document: TextDocument,
  { model }: Compilation,
  [from, to]: readonly [number, number],
): CodeAction[] {
  return rewritesIn(model, from, to).map(({ title, edits }) => ({
    title,
    kind: CodeActionKind.RefactorRewrite,
    edit: workspaceEdit(document, edits),
  }));
}

function refactorings(
  document: TextDocument,
  { model }: Compilation,
  [start, end]: readonly [number, number],
): CodeAction[] {
  return refactoringsIn(model, { start, end }).map(({ title, kind, edits }) => ({
    title,
    kind: refactorKinds[kind],
    edit: workspaceEdit(document, edits),
  }));
}

/** An error stays one for the platform, so it can't be silenced from here. */
function silence(
  document: TextDocument,
  { model }: Compilation,
  found: Finding,
  { context }: CodeActionParams,
): CodeAction | undefined {
  const { severity, finding, span } = found;
  if (severity === "error") return undefined;
  const { id } = finding.rule;
  // What is wrong with a silencing isn't silenced by another one.
  if (id.startsWith("suppression/")) return undefined;
  const edit = suppressEdit(model, span.start, id, "REASON");
  if (edit === undefined) return undefined;
  return {
    title: `Silence \`${id}\` here, with a reason`,
    kind: CodeActionKind.QuickFix,
    diagnostics: known(document, found, context.diagnostics),
    edit: workspaceEdit(document, [edit]),
  };
}

function fixAll(document: TextDocument, compilation: Compilation, later: boolean): CodeAction[] {
  const { model, diagnostics } = compilation;
  if (later) {
    const isFixable = diagnostics.some((found) => fixesOf(model, found).some(({ safe }) => safe));
    return isFixable ? [{ title: FIX_ALL, kind: CodeActionKind.SourceFixAll }] : [];
  }
  const text = document.getText();
  const fixed = fixText(document.uri, text, model.settings);
  if (fixed.fixed === 0) return [];
  return [
    {
      title: FIX_ALL,
      kind: CodeActionKind.SourceFixAll,
      edit: workspaceEdit(document, [difference(text, fixed.text)]),
    },
  ];
}

/** One edit from the first character that differs to the last. */
function difference(before: string, after: string): Edit {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let [end, newEnd] = [before.length, after.length];
  while (end > start && newEnd > start && before[end - 1] === after[newEnd - 1]) {
    end--;
    newEnd--;
  }
  return { start, end, newText: after.slice(start, newEnd) };
}

function known(
  document: TextDocument,
  { finding, span }: Finding,
  diagnostics: readonly Diagnostic[],
): Diagnostic[] {
  return diagnostics.filter(
    ({ code, range }) => code === finding.rule.id && document.offsetAt(range.start) === span.start,
  );
}

function workspaceEdit(document: TextDocument, edits: readonly Edit[]): WorkspaceEdit {
  const changes = edits.map((edit) => ({ range: toRange(document, edit), newText: edit.newText }));
  return { changes: { [document.uri]: changes } };
}
