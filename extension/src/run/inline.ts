import type { RanStep } from "@configc/language-server";
import {
  type ExtensionContext,
  MarkdownString,
  Range,
  type TextDocument,
  TextEditorRevealType,
  ThemeColor,
  type Uri,
  window,
  workspace,
} from "vscode";

const LONGEST = 100;
const LONGEST_HOVER = 4_000;
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
  readonly #last = new Map<string, { readonly steps: readonly RanStep[]; readonly ended: boolean }>();

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

  /** @param ended false while the run goes on, and the line that it has come to isn't looked for */
  show(document: TextDocument, steps: readonly RanStep[], ended: boolean): void {
    this.#last.set(document.uri.toString(), { steps, ended });
    this.#draw();
    const last = ended ? steps.at(-1)?.range?.start.line : undefined;
    const editor = window.visibleTextEditors.find((each) => each.document === document);
    // The panel may have come up over it.
    if (last !== undefined) editor?.revealRange(new Range(last, 0, last, 0), InCenterIfOutsideViewport);
  }

  clear(uri: Uri): void {
    if (this.#last.delete(uri.toString())) this.#draw();
  }

  #draw(): void {
    for (const editor of window.visibleTextEditors) {
      const { steps = [], ended = true } = this.#last.get(editor.document.uri.toString()) ?? {};
      const placed = steps.filter((step, index) => step.range !== undefined && !isEcho(steps, index));
      // A poll runs its commands again and again: a line has room for the last time.
      const lasts = [...new Map(placed.map((step) => [step.node, step])).values()];
      const drawn = (failed: boolean) =>
        lasts.filter(({ error }) => (error !== undefined) === failed).map((step) => decoration(step, ended));
      editor.setDecorations(this.#given, drawn(false));
      editor.setDecorations(this.#failed, drawn(true));
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

function decoration(step: RanStep, ended: boolean) {
  const { line = 0 } = step.range?.start ?? {};
  const value = "error" in step ? step.error : step.output;
  const hover = new MarkdownString();
  const text = JSON.stringify(value, undefined, 2) ?? "";
  hover.appendCodeblock(text.slice(0, LONGEST_HOVER), "json");
  if (text.length > LONGEST_HOVER || cutOf(step) !== undefined)
    hover.appendMarkdown(
      `\n\nThe beginning${sizeText(step, " of ")}; the panel “configc Run” has all of it.`,
    );
  return {
    range: new Range(line, Number.MAX_SAFE_INTEGER, line, Number.MAX_SAFE_INTEGER),
    hoverMessage: hover,
    renderOptions: { after: { contentText: textOf(step, ended) } },
  };
}

function textOf(step: RanStep, ended: boolean): string {
  const took = `${step.milliseconds} ms`;
  if (step.error !== undefined) {
    const { kind, message } = step.error as { readonly kind?: string; readonly message?: string };
    return `✗ ${short(`${kind}: ${message}`)}  ${took}`;
  }
  if (step.output === undefined) return ended ? "⋯ cancelled" : "⋯ running";
  const [status] = step.exchanges.flatMap(({ response }) => response?.status ?? []).slice(-1);
  const details = [sizeText(step, ""), status === undefined ? "" : `${status}`, took];
  return `→ ${short(JSON.stringify(step.output))}  ${details.filter((each) => each !== "").join(", ")}`;
}

/** How much a list has, of which a line shows the beginning. */
function sizeText(step: RanStep, before: string): string {
  const { output } = step;
  const length = cutOf(step) ?? (Array.isArray(output) ? output.length : undefined);
  if (length === undefined || JSON.stringify(output).length <= LONGEST) return "";
  const noun = Array.isArray(output) ? "items" : typeof output === "string" ? "characters" : "members";
  return `${before}${length.toLocaleString("en")} ${noun}`;
}

/** Of the whole output, where only its beginning is here. */
function cutOf({ cuts = [] }: RanStep): number | undefined {
  return cuts.find(({ pointer }) => pointer === "/output")?.length;
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
