import { json } from "@codemirror/lang-json";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { minimalSetup } from "codemirror";
import { h } from "../dom.ts";
import { jsonColours } from "../editor/colours.ts";
import { shadowIn } from "../editor/shadow.ts";
import { theme } from "../editor/theme.ts";

/** The case that is run, with its input and its recorded answers, for a person to edit. */
export class CaseEditor {
  readonly element: HTMLDetailsElement;
  private readonly view: EditorView;
  /** The text that stands for an example's case, or for the command at the cursor. */
  private given = "";

  constructor() {
    const holder = h("div", { className: "case" });
    const root = shadowIn(holder);
    this.view = new EditorView({ parent: root, root, state: stateOf("") });
    this.element = h(
      "details",
      { className: "given" },
      h("summary", {}, "Input and recorded answers"),
      holder,
    );
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Whether nobody has changed it. */
  get isAsGiven(): boolean {
    return this.text === this.given;
  }

  give(content: unknown): void {
    this.given = laidOut(content);
    this.view.setState(stateOf(this.given));
  }

  /** Takes a text that somebody wrote: nothing else is put in its place. */
  take(text: string): void {
    this.given = "";
    this.view.setState(stateOf(text));
  }

  /** Writes an answer into the case, for a person to fill in. It has just been run, so it can be read. */
  addAnswer(request: unknown): void {
    const content = JSON.parse(this.text) as { http?: unknown[] };
    const http = [...(content.http ?? []), { request, response: { status: 200, body: {} } }];
    this.view.setState(stateOf(laidOut({ ...content, http })));
    this.element.open = true;
    const at = this.text.lastIndexOf("{}");
    this.view.dispatch({ selection: { anchor: at + 1 }, scrollIntoView: true });
    this.view.focus();
  }
}

function stateOf(doc: string): EditorState {
  const label = EditorView.contentAttributes.of({ "aria-label": "Case" });
  return EditorState.create({
    doc,
    extensions: [minimalSetup, json(), jsonColours, theme, label, EditorView.lineWrapping],
  });
}

function laidOut(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
