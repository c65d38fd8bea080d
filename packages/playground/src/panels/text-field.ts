import { setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { h } from "../dom.ts";
import { shadowIn } from "../editor/shadow.ts";
import { theme } from "../editor/theme.ts";

type Mark = Parameters<typeof setDiagnostics>[1][number];

/** An editor of one of several texts. */
export class TextField {
  readonly element: HTMLElement;
  private readonly view: EditorView;

  /** @param name what it is called for who doesn't see it */
  constructor(name: string, extensions: Extension, changed: () => void) {
    this.element = h("div", { className: `field field-${name.toLowerCase().split(" ")[0]}` });
    const root = shadowIn(this.element);
    const all: Extension = [
      extensions,
      theme,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": name }),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged) changed();
      }),
    ];
    this.view = new EditorView({ parent: root, root, state: EditorState.create({ extensions: all }) });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(insert: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert } });
  }

  /** Underlines what problems are about; offsets may be behind its end by now. */
  mark(problems: readonly Mark[]): void {
    const { length } = this.view.state.doc;
    const marks = problems.map((mark) => ({
      ...mark,
      from: Math.min(mark.from, length),
      to: Math.min(mark.to, length),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /** Selects a part, as far as it is still there. */
  select(start: number, end: number): void {
    const { length } = this.view.state.doc;
    this.view.dispatch({ selection: { anchor: Math.min(start, length), head: Math.min(end, length) } });
    this.view.focus();
  }
}
