import { json } from "@codemirror/lang-json";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { minimalSetup } from "codemirror";
import { count, h } from "../dom.ts";
import { jsonColours } from "../editor/colours.ts";
import type { Editor } from "../editor/editor.ts";
import { shadowIn } from "../editor/shadow.ts";
import { theme } from "../editor/theme.ts";
import type { Example, RecordedCase } from "../examples.ts";
import type { ToolsClient } from "../tools/client.ts";
import type { RunReport } from "../tools/protocol.ts";
import { jsonText } from "./json.ts";
import type { Panel } from "./tabs.ts";
import { traceTree } from "./trace.ts";

/** Value of the choice that runs what the cursor is in. */
const HERE = "here";

export interface RunPanel extends Panel {
  /** Takes the cases of an example; a shared link may bring one of its own. */
  use(example: Example | undefined, test?: string): void;
  /** What a link has to carry, where the case isn't the example's own. */
  shared(): { readonly test?: string };
}

/** Runs a case on recorded answers. What it takes and is answered can be edited. */
export function runPanel(editor: Editor, tools: ToolsClient, runner: ToolsClient): RunPanel {
  let cases: readonly RecordedCase[] = [];
  let given = "";
  const choice = h("select", { id: "case", onchange: () => void choose() });
  const start = h("button", { type: "button", className: "primary", onclick: () => void run() }, "Run");
  const stop = h("button", { type: "button", hidden: true, onclick: () => runner.stop() }, "Stop");
  const result = h("div", { className: "result" });
  const holder = h("div", { className: "case" });
  const root = shadowIn(holder);
  const test = new EditorView({ parent: root, root, state: stateOf("") });
  const details = h(
    "details",
    { className: "given" },
    h("summary", {}, "Input and recorded answers"),
    holder,
  );
  const element = h(
    "div",
    { className: "panel run" },
    h(
      "div",
      { className: "bar" },
      h("label", { className: "chooser" }, h("span", { className: "unseen" }, "Case"), choice),
      start,
      stop,
    ),
    details,
    result,
  );

  function take(text: string): void {
    given = text;
    test.setState(stateOf(text));
    result.replaceChildren(
      h("p", { className: "nothing" }, "It runs in your browser, on recorded answers. Nothing is sent."),
    );
  }

  async function choose(): Promise<void> {
    const found = cases[Number(choice.value)];
    if (choice.value !== HERE || found !== undefined) {
      if (found !== undefined) {
        const { name: _, ...rest } = found;
        take(laidOut(rest));
      }
      return;
    }
    const [command] = await tools.types(editor.source(), editor.cursor());
    take(laidOut({ run: command?.pointer ?? "", context: {}, http: [] }));
  }

  async function run(): Promise<void> {
    if (choice.value === HERE && test.state.doc.toString() === given) await choose();
    start.disabled = true;
    stop.hidden = false;
    try {
      show(await runner.run(editor.source(), test.state.doc.toString()));
    } catch (error) {
      result.replaceChildren(problem(error instanceof Error ? error.message : `${error}`));
    } finally {
      start.disabled = false;
      stop.hidden = true;
    }
  }

  /** Writes an answer into the case, for a person to fill in. */
  function answer(request: NonNullable<RunReport["unanswered"]>): void {
    // It has just been run, so it can be read.
    const content = JSON.parse(test.state.doc.toString()) as { http?: unknown[] };
    const http = [...(content.http ?? []), { request, response: { status: 200, body: {} } }];
    test.setState(stateOf(laidOut({ ...content, http })));
    details.open = true;
    const at = test.state.doc.toString().lastIndexOf("{}");
    test.dispatch({ selection: { anchor: at + 1 }, scrollIntoView: true });
    test.focus();
  }

  function show({ output, failure, expected, unanswered, unused, events }: RunReport): void {
    const requests = events.filter(({ kind }) => kind === "request").length;
    const verdict =
      expected === undefined
        ? undefined
        : h(
            "span",
            { className: expected ? "verdict good" : "verdict" },
            expected ? "as expected" : "not as expected",
          );
    result.replaceChildren(
      h(
        "p",
        { className: "summary", attributes: { role: "status" } },
        h("strong", {}, failure === undefined ? "Output" : failure.kind),
        h("span", {}, count(requests, "request")),
        ...(unused === 0 ? [] : [h("span", {}, `${count(unused, "recorded answer")} not asked for`)]),
        verdict,
      ),
      failure === undefined ? jsonText(output ?? "null") : problem(failure.message, failure.span),
      unanswered === undefined
        ? ""
        : h(
            "button",
            { type: "button", className: "small answer", onclick: () => answer(unanswered) },
            "Write its answer",
          ),
      h("h3", {}, "Steps"),
      traceTree(events, (pointer) => void jumpTo(pointer)),
    );
  }

  function problem(message: string, span?: { readonly start: number; readonly end: number }): HTMLElement {
    return h(
      "div",
      { className: "failure", attributes: { role: "alert" } },
      h("pre", {}, message),
      span === undefined
        ? undefined
        : h(
            "button",
            { type: "button", className: "small", onclick: () => editor.jump(span.start, span.end) },
            "Go to its place",
          ),
    );
  }

  async function jumpTo(pointer: string): Promise<void> {
    const span = await tools.place(editor.source(), pointer);
    if (span !== undefined) editor.jump(span.start, span.end);
  }

  return {
    id: "run",
    title: "Run",
    element,
    use(example, shared) {
      cases = example?.cases ?? [];
      choice.replaceChildren(
        ...cases.map(({ name }, index) => h("option", { value: `${index}` }, name)),
        h("option", { value: HERE }, "The command at the cursor"),
      );
      choice.value = shared !== undefined || cases.length === 0 ? HERE : "0";
      if (shared === undefined) void choose();
      else {
        take(shared);
        // Not the text that stands for the cursor's command: it shall not be replaced by that.
        given = "";
      }
    },
    shared() {
      const text = test.state.doc.toString();
      const own = choice.value === HERE || text !== given;
      return own && text !== "" ? { test: text } : {};
    },
  };
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
