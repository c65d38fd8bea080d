import { json } from "@codemirror/lang-json";
import { basicSetup, minimalSetup } from "codemirror";
import { debounced, h } from "../dom.ts";
import { keepJq, keptJq } from "../draft.ts";
import { jsonColours } from "../editor/colours.ts";
import { tellFailure } from "../toast.ts";
import type { ToolsClient } from "../tools/client.ts";
import type { JqReport, JqWork } from "../tools/protocol.ts";
import { jqCompletion } from "./jq-completion.ts";
import { type JqFields, markProblems, outputsShown, problemRow, typesShown } from "./jq-report.ts";
import type { Panel } from "./tabs.ts";
import { TextField } from "./text-field.ts";

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

interface JqPanel extends Panel {
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
  const completion = jqCompletion((offset) => tools.jqChoices(work(), offset));
  const program = new TextField("Program", [basicSetup, completion], changed);
  const input = new TextField("Input", [minimalSetup, json(), jsonColours], changed);
  const type = new TextField("Type of an input", [minimalSetup], changed);
  const fields: JqFields = { program, input, type };
  const problems = h("ul", { className: "findings" });
  const result = h("div", { className: "result" });
  const types = h("div", { className: "shown-types" });
  const typed = h(
    "details",
    {},
    h("summary", { className: "of-input" }, "Type of an input, in TypeScript or as a JSON Schema"),
    type.element,
  );
  const written = [
    h("h3", {}, "Program"),
    program.element,
    problems,
    h("h3", {}, "Input"),
    input.element,
    typed,
  ];
  const outcome = [h("h3", {}, "Output"), result, types];
  let asked = 0;

  const work = (): JqWork => ({ program: program.text, input: input.text, type: type.text });

  async function refresh(): Promise<void> {
    const question = ++asked;
    const now = work();
    keepJq(now);
    // A run that goes on while something else is written is of no use any more; its budget ends it.
    const report = await tools.jq(now);
    if (question === asked) show(report);
  }

  function show(report: JqReport): void {
    markProblems(fields, report.problems);
    problems.replaceChildren(...report.problems.map((problem) => problemRow(problem, fields)));
    result.replaceChildren(...outputsShown(report));
    types.replaceChildren(...typesShown(report));
  }

  program.text = first.program;
  input.text = first.input;
  return {
    id: "jq",
    title: "jq",
    element: h(
      "div",
      { className: "panel jq" },
      h("div", { className: "written" }, ...written),
      h("div", { className: "outcome", attributes: { "aria-live": "polite" } }, ...outcome),
    ),
    work,
    changed() {
      alone(true);
      void refresh().catch(tellFailure);
    },
    left: () => alone(false),
    use(given) {
      const taken = given ?? keptJq() ?? first;
      program.text = taken.program;
      input.text = taken.input;
      type.text = taken.type;
      typed.open = taken.type.trim() !== "";
    },
    async format() {
      program.text = await tools.jqFormat(program.text);
      await refresh();
    },
  };
}
