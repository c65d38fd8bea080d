import { json } from "@codemirror/lang-json";
import { lintGutter } from "@codemirror/lint";
import { formatDocument } from "@codemirror/lsp-client";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { basicSetup } from "codemirror";
import { SAMPLES, type SamplesParams } from "../server/protocol.ts";
import type { Source } from "../tools/protocol.ts";
import { startLanguageServer } from "./client.ts";
import { colours } from "./colours.ts";
import { fixAll } from "./fixes.ts";
import { type Problem, problemsOf } from "./problems.ts";
import { shadowIn } from "./shadow.ts";
import { theme } from "./theme.ts";

/** What the rest of the page needs of the editor. */
export interface Editor {
  readonly view: EditorView;
  /** The document as it stands. */
  source(): Source;
  /** Offset of the cursor. */
  cursor(): number;
  /** Takes another document; its ending decides whether comments are allowed. */
  load(document: Source): void;
  /** Selects a place and shows it. */
  jump(from: number, to?: number): void;
  /** Applies all safe fixes; false if there are none. */
  fixAll(): Promise<boolean>;
  format(): void;
}

interface EditorEvents {
  /** Another document, or another text of it. */
  readonly changed: () => void;
  readonly moved: () => void;
  /** A place is about to be shown: the editor has to be in sight. */
  readonly jumped: () => void;
  readonly problems: (problems: readonly Problem[]) => void;
}

/** An editor of configs in an element of the page, with our language server behind it. */
export function createEditor(parent: HTMLElement, events: EditorEvents): Editor {
  const client = startLanguageServer();
  let loaded: Source = { name: "", text: "", exchanges: [] };
  const extensions: Extension = [
    basicSetup,
    json(),
    theme,
    colours(client),
    lintGutter(),
    problemsOf(client, events.problems),
    EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({ "aria-label": "Config" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) events.changed();
      if (update.docChanged || update.selectionSet) events.moved();
    }),
  ];
  const root = shadowIn(parent);
  const view = new EditorView({ parent: root, root });
  return {
    view,
    source: () => ({ ...loaded, text: view.state.doc.toString() }),
    cursor: () => view.state.selection.main.head,
    load(document) {
      // The old document is closed before the new one is opened: both may have one name.
      view.setState(EditorState.create());
      loaded = document;
      const { name, text, exchanges } = document;
      const samples: SamplesParams = { name: "a recorded answer", exchanges };
      client.notification(SAMPLES, samples);
      const plugin = client.plugin(`file:///${encodeURIComponent(name)}`, "appconfig");
      view.setState(EditorState.create({ doc: text, extensions: [extensions, plugin] }));
      events.changed();
      events.moved();
    },
    jump(from, to = from) {
      events.jumped();
      // The document may have become shorter. The cursor goes to the beginning, which the panels then tell of.
      const [head, anchor] = [from, to].map((offset) => Math.min(offset, view.state.doc.length));
      if (head === undefined || anchor === undefined) return;
      view.dispatch({
        selection: { anchor, head },
        effects: EditorView.scrollIntoView(head, { y: "center" }),
      });
      view.focus();
    },
    fixAll: () => fixAll(client, view),
    format: () => void formatDocument(view),
  };
}
