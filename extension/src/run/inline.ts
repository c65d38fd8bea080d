import type { RanStep } from "@configc/language-server";
import {
  type ExtensionContext,
  MarkdownString,
  Range,
  TextEditorRevealType,
  ThemeColor,
  type Uri,
  window,
  workspace,
} from "vscode";
import type { Finished } from "./run.ts";

const LONGEST = 100;
const { InCenterIfOutsideViewport } = TextEditorRevealType;

const after = (color: string) =>
  window.createTextEditorDecorationType({
    after: { color: new ThemeColor(color), margin: "0 0 0 2em", fontStyle: "italic" },
    isWholeLine: true,
  });

/** What each step of the last run gave, behind its line; gone as soon as the document changes. */
export class InlineResults {
  readonly #given = after("editorCodeLens.foreground");
  readonly #failed = after("editorError.foreground");
  readonly #last = new Map<string, readonly RanStep[]>();

  constructor(context: ExtensionContext) {
    context.subscriptions.push(
      this.#given,
      this.#failed,
      window.onDidChangeVisibleTextEditors(() => this.#draw()),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.clear(document.uri);
      }),
    );
  }

  show({ document, result }: Finished): void {
    this.#last.set(document.uri.toString(), result.steps);
    this.#draw();
    const last = result.steps.at(-1)?.range?.start.line;
    const editor = window.visibleTextEditors.find((each) => each.document === document);
    // The panel may have come up over it.
    if (last !== undefined) editor?.revealRange(new Range(last, 0, last, 0), InCenterIfOutsideViewport);
  }

  clear(uri: Uri): void {
    if (this.#last.delete(uri.toString())) this.#draw();
  }

  #draw(): void {
    for (const editor of window.visibleTextEditors) {
      const steps = this.#last.get(editor.document.uri.toString()) ?? [];
      const placed = steps.filter((step, index) => step.range !== undefined && !isEcho(steps, index));
      editor.setDecorations(this.#given, placed.filter(({ error }) => error === undefined).map(decoration));
      editor.setDecorations(this.#failed, placed.filter(({ error }) => error !== undefined).map(decoration));
    }
  }
}

/** A pipe fails because a step in it does, and that step says why. */
function isEcho(steps: readonly RanStep[], index: number): boolean {
  const step = steps[index];
  return (
    step?.error !== undefined &&
    steps.slice(index + 1).some(({ error, depth }) => error !== undefined && depth > step.depth)
  );
}

function decoration(step: RanStep) {
  const { line = 0 } = step.range?.start ?? {};
  const value = "error" in step ? step.error : step.output;
  const hover = new MarkdownString();
  hover.appendCodeblock((JSON.stringify(value, undefined, 2) ?? "").slice(0, 4_000), "json");
  return {
    range: new Range(line, Number.MAX_SAFE_INTEGER, line, Number.MAX_SAFE_INTEGER),
    hoverMessage: hover,
    renderOptions: { after: { contentText: textOf(step) } },
  };
}

function textOf(step: RanStep): string {
  const took = `${step.milliseconds} ms`;
  if (step.error !== undefined) {
    const { kind, message } = step.error as { readonly kind?: string; readonly message?: string };
    return `✗ ${short(`${kind}: ${message}`)}  ${took}`;
  }
  if (step.output === undefined) return "⋯ cancelled";
  const [status] = step.exchanges.flatMap(({ response }) => response?.status ?? []).slice(-1);
  return `→ ${short(JSON.stringify(step.output))}  ${status === undefined ? "" : `${status}, `}${took}`;
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
