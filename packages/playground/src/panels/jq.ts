import { json } from "@codemirror/lang-json";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { basicSetup, minimalSetup } from "codemirror";
import { debounced, h } from "../dom.ts";
import { keepJq, keptJq } from "../draft.ts";
import { jsonColours } from "../editor/colours.ts";
import { shadowIn } from "../editor/shadow.ts";
import { theme } from "../editor/theme.ts";
import { tellFailure } from "../toast.ts";
import type { ToolsClient } from "../tools/client.ts";
import type { JqProblem, JqReport, JqWork } from "../tools/protocol.ts";
import { jsonText } from "./json.ts";
import type { Panel } from "./tabs.ts";

const WAIT = 250;

/** What is there at first: a program with most of what people begin with. */
const first: JqWork = {
  program: ".orders\n| map(select(.total > 20) | {id, name: .customer.name, total})\n| sort_by(.total)",
  input: `${JSON.stringify(
    {
      orders: [
        { id: 1, customer: { name: "Ada" }, total: 42.5 },
        { id: 2, customer: { name: "Grace" }, total: 12 },
        { id: 3, customer: { name: "Edsger" }, total: 23.9 },
      ],
    },
    undefined,
    2,
  )}\n`,
  type: "",
};

export interface JqPanel extends Panel {
  /** What is written, for a link. */
  work(): JqWork;
  /** Takes what a link brought; without it, what was written before. */
  use(work?: JqWork): void;
  format(): Promise<void>;
}

/**
 * jq alone: a program, its inputs and their type, and beside them what the program gives, at each key.
 *
 * @param alone takes the config's editor away while the panel is seen
 */
export function jqPanel(tools: ToolsClient, alone: (isAlone: boolean) => void): JqPanel {
  const changed = debounced(WAIT, () => void refresh().catch(tellFailure));
  const program = field("Program", [basicSetup, completing()], changed);
  const input = field("Input", [minimalSetup, json(), jsonColours], changed);
  const type = field("Type of an input", [minimalSetup], changed);
  const problems = h("ul", { className: "findings" });
  const result = h("div", { className: "result" });
  const types = h("div", { className: "shown-types" });
  const element = h(
    "div",
    { className: "panel jq" },
    h(
      "div",
      { className: "written" },
      h("h3", {}, "Program"),
      program.element,
      problems,
      h("h3", {}, "Input"),
      input.element,
      h(
        "details",
        {},
        h("summary", { className: "of-input" }, "Type of an input, in TypeScript or as a JSON Schema"),
        type.element,
      ),
    ),
    h(
      "div",
      { className: "outcome", attributes: { "aria-live": "polite" } },
      h("h3", {}, "Output"),
      result,
      types,
    ),
  );
  let asked = 0;

  const work = (): JqWork => ({ program: program.text(), input: input.text(), type: type.text() });

  async function refresh(): Promise<void> {
    const question = ++asked;
    const now = work();
    keepJq(now);
    // A run that goes on while something else is written is of no use any more; its budget ends it.
    const report = await tools.jq(now);
    if (question === asked) show(report);
  }

  function show({ problems: found, outputs, left, input: taken, output }: JqReport): void {
    for (const [name, { view }] of Object.entries({ program, input, type })) {
      const { length } = view.state.doc;
      const marks = found
        .filter(({ in: place }) => place === name || (name === "program" && place === "run"))
        .map(({ severity, message, start, end }) => ({
          severity,
          message,
          from: Math.min(start, length),
          to: Math.min(end, length),
        }));
      view.dispatch(setDiagnostics(view.state, marks));
    }
    problems.replaceChildren(...found.map(row));
    result.replaceChildren(
      ...(outputs.length === 0
        ? [h("p", { className: "nothing" }, "There is no output.")]
        : outputs.map(jsonText)),
      ...(left === 0
        ? []
        : [h("p", { className: "nothing" }, "There are more outputs, which aren't shown.")]),
    );
    types.replaceChildren(
      h("span", { className: "label" }, "takes"),
      h("pre", { className: "type" }, taken),
      h("span", { className: "label" }, "gives"),
      h("pre", { className: "type" }, output),
    );
  }

  function row({ in: place, severity, message, start, end }: JqProblem): HTMLElement {
    const where = { program: program.view, run: program.view, input: input.view, type: type.view }[place];
    const jump = (): void => {
      const { length } = where.state.doc;
      where.dispatch({ selection: { anchor: Math.min(start, length), head: Math.min(end, length) } });
      where.focus();
    };
    const said = place === "program" ? message : `${places[place]}: ${message}`;
    return h(
      "li",
      { className: `problem ${severity}` },
      h(
        "button",
        { className: "place", type: "button", onclick: jump },
        h("span", { className: "dot", attributes: { role: "img", "aria-label": severity } }),
        h("span", { className: "message" }, said),
      ),
    );
  }

  /** Completion from the worker: the library asks for it through the language's data. */
  function completing(): Extension {
    const autocomplete = async ({ pos, explicit, state }: Asking) => {
      const before = state.sliceDoc(Math.max(0, pos - 1), pos);
      if (!explicit && !/[\w.$]/.test(before)) return null;
      const { from, choices } = await tools.jqChoices(work(), pos);
      const options = choices.map(({ label, kind, detail, info }) => ({
        label,
        type: kind,
        ...(detail === undefined ? {} : { detail }),
        ...(info === undefined ? {} : { info }),
      }));
      return options.length === 0 ? null : { from, options, validFor: /^\w*$/ };
    };
    return EditorState.languageData.of(() => [{ autocomplete }]);
  }

  program.set(first.program);
  input.set(first.input);
  return {
    id: "jq",
    title: "jq",
    element,
    work,
    changed() {
      alone(true);
      void refresh().catch(tellFailure);
    },
    left: () => alone(false),
    use(given) {
      const { program: text, input: json, type: written } = given ?? keptJq() ?? first;
      program.set(text);
      input.set(json);
      type.set(written);
      const details = element.querySelector("details");
      if (details !== null) details.open = written.trim() !== "";
    },
    async format() {
      program.set(await tools.jqFormat(program.text()));
      await refresh();
    },
  };
}

const places = { run: "This run failed", input: "The input", type: "The type of an input" } as const;

/** What the library asks for completions with. */
interface Asking {
  readonly pos: number;
  readonly explicit: boolean;
  readonly state: EditorState;
}

/** An editor of one of the texts. */
function field(name: string, extensions: Extension, changed: () => void) {
  const element = h("div", { className: `field field-${name.toLowerCase().split(" ")[0]}` });
  const root = shadowIn(element);
  const all: Extension = [
    extensions,
    theme,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": name }),
    EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged) changed();
    }),
  ];
  const view = new EditorView({ parent: root, root, state: EditorState.create({ extensions: all }) });
  return {
    element,
    view,
    text: () => view.state.doc.toString(),
    set: (text: string) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
  };
}
