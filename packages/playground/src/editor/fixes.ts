import { type LSPClient, LSPPlugin } from "@codemirror/lsp-client";
import type { ChangeSpec, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { CodeAction, Diagnostic } from "./protocol.ts";

/** A change that mends a problem, in the document that it was asked for. */
export interface Fix {
  readonly title: string;
  /** Safe, and the first choice. */
  readonly preferred: boolean;
  readonly doc: Text;
  readonly changes: readonly ChangeSpec[];
}

/** The fixes of one diagnostic among all code actions of a document. */
export function fixesOf(plugin: LSPPlugin, item: Diagnostic, actions: readonly CodeAction[]): Fix[] {
  const own = actions.filter(({ diagnostics = [] }) => diagnostics.some((each) => isSame(each, item)));
  return own.map((action) => fixOf(plugin, action));
}

function fixOf(plugin: LSPPlugin, { title, isPreferred = false, edit }: CodeAction): Fix {
  const edits = edit?.changes?.[plugin.uri] ?? [];
  return {
    title,
    preferred: isPreferred,
    doc: plugin.view.state.doc,
    changes: edits.map(({ range, newText }) => ({
      from: plugin.fromPosition(range.start),
      to: plugin.fromPosition(range.end),
      insert: newText,
    })),
  };
}

function isSame(one: Diagnostic, other: Diagnostic): boolean {
  return (
    one.code === other.code &&
    one.range.start.line === other.range.start.line &&
    one.range.start.character === other.range.start.character
  );
}

/** Applies a fix, unless the document has changed since it was made. */
export function applyFix(view: EditorView, { doc, changes }: Fix): void {
  if (view.state.doc !== doc) return;
  view.dispatch({ changes: [...changes], userEvent: "input.fix", scrollIntoView: true });
}

/**
 * Applies all safe fixes.
 *
 * @returns whether there were any
 */
export async function fixAll(client: LSPClient, view: EditorView): Promise<boolean> {
  const plugin = LSPPlugin.get(view);
  if (plugin === null) return false;
  client.sync();
  const { doc } = view.state;
  const actions = await client.request<unknown, readonly CodeAction[] | null>("textDocument/codeAction", {
    textDocument: { uri: plugin.uri },
    range: { start: plugin.toPosition(0), end: plugin.toPosition(doc.length) },
    context: { diagnostics: [], only: ["source.fixAll"] },
  });
  const [action] = actions ?? [];
  if (action === undefined || view.state.doc !== doc) return false;
  applyFix(view, fixOf(plugin, action));
  return true;
}
