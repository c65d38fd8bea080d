import { type Diagnostic as Mark, setDiagnostics } from "@codemirror/lint";
import { type LSPClient, LSPPlugin } from "@codemirror/lsp-client";
import type { Extension } from "@codemirror/state";
import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { h, prose } from "../dom.ts";
import { tellFailure } from "../toast.ts";
import { applyFix, type Fix, fixesOf } from "./fixes.ts";
import type { CodeAction, Diagnostic } from "./protocol.ts";

export type Severity = "error" | "warning" | "info" | "hint";

/** A finding of the language server, in the present document. */
export interface Problem {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** What to do. */
  readonly help: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
  readonly fixes: readonly Fix[];
}

const severities: readonly Severity[] = ["error", "warning", "info", "hint"];
const WAIT = 150;

/**
 * Asks for diagnostics when the document rests, marks them and tells them: at once, and again when their fixes are known. The
 * client library announces that it pulls diagnostics, and leaves doing so to its users.
 */
export function problemsOf(client: LSPClient, tell: (problems: readonly Problem[]) => void): Extension {
  return ViewPlugin.fromClass(
    class {
      private timer: ReturnType<typeof setTimeout> | undefined;
      private readonly view: EditorView;

      constructor(view: EditorView) {
        this.view = view;
        this.schedule(0);
      }

      update({ docChanged }: ViewUpdate): void {
        if (docChanged) this.schedule(WAIT);
      }

      destroy(): void {
        clearTimeout(this.timer);
      }

      private schedule(wait: number): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.ask().catch(tellFailure), wait);
      }

      private async ask(): Promise<void> {
        const plugin = LSPPlugin.get(this.view);
        if (plugin === null) return;
        client.sync();
        const { doc } = this.view.state;
        const textDocument = { uri: plugin.uri };
        const { items } = await client.request<unknown, { items: readonly Diagnostic[] }>(
          "textDocument/diagnostic",
          { textDocument },
        );
        // Another state may have taken the place of this one: then the next answer counts.
        if (this.view.state.doc !== doc || LSPPlugin.get(this.view) !== plugin) return;
        this.show(items.map((item) => problemOf(plugin, item, [])));
        if (items.length === 0) return;
        const range = { start: plugin.toPosition(0), end: plugin.toPosition(doc.length) };
        const actions = await client.request<unknown, readonly CodeAction[] | null>(
          "textDocument/codeAction",
          { textDocument, range, context: { diagnostics: items } },
        );
        if (this.view.state.doc !== doc || LSPPlugin.get(this.view) !== plugin) return;
        this.show(items.map((item) => problemOf(plugin, item, fixesOf(plugin, item, actions ?? []))));
      }

      private show(problems: readonly Problem[]): void {
        this.view.dispatch(setDiagnostics(this.view.state, problems.map(markOf)));
        tell(problems);
      }
    },
  );
}

function problemOf(plugin: LSPPlugin, item: Diagnostic, fixes: readonly Fix[]): Problem {
  const { range, severity = 1, code = "", message } = item;
  const [first = "", ...rest] = message.split("\n");
  return {
    rule: `${code}`,
    severity: severities[severity - 1] ?? "error",
    message: first,
    help: rest.length === 0 ? undefined : rest.join("\n"),
    from: plugin.fromPosition(range.start),
    to: plugin.fromPosition(range.end),
    line: range.start.line + 1,
    column: range.start.character + 1,
    fixes,
  };
}

function markOf({ from, to, severity, message, help, rule, fixes }: Problem): Mark {
  return {
    from,
    to,
    severity,
    message: `${severity}: ${message}`,
    source: rule,
    renderMessage: () =>
      h(
        "div",
        { className: "finding" },
        h("div", {}, ...prose(message)),
        help === undefined ? undefined : h("div", { className: "help" }, ...prose(help)),
      ),
    actions: fixes.map((fix) => ({ name: fix.title, apply: (view) => applyFix(view, fix) })),
  };
}
