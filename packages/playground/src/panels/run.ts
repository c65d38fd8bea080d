import { h } from "../dom.ts";
import type { Editor } from "../editor/editor.ts";
import type { Example, RecordedCase } from "../examples.ts";
import type { ToolsClient } from "../tools/client.ts";
import { CaseEditor } from "./case-editor.ts";
import { failureBox, type RunActions, runReport } from "./run-report.ts";
import { StartStop } from "./start-stop.ts";
import type { Panel } from "./tabs.ts";

/** Value of the choice that runs what the cursor is in. */
const HERE = "here";

interface RunPanel extends Panel {
  /** Takes the cases of an example; a shared link may bring one of its own. */
  use(example: Example | undefined, test?: string): void;
  /** What a link has to carry, where the case isn't the example's own. */
  shared(): { readonly test?: string };
}

/** Runs a case on recorded answers. What it takes and is answered can be edited. */
export function runPanel(editor: Editor, tools: ToolsClient, runner: ToolsClient): RunPanel {
  let cases: readonly RecordedCase[] = [];
  const choice = h("select", { id: "case", onchange: () => void choose() });
  const buttons = new StartStop(
    "Run",
    () => void run(),
    () => runner.stop(),
  );
  const test = new CaseEditor();
  const result = h("div", { className: "result" });
  const actions: RunActions = {
    answer: (request) => test.addAnswer(request),
    jump: (start, end) => editor.jump(start, end),
    jumpTo: (pointer) => void jumpTo(pointer),
  };

  async function choose(): Promise<void> {
    if (choice.value === HERE) {
      const [command] = await tools.types(editor.source(), editor.cursor());
      test.give({ run: command?.pointer ?? "", context: {}, http: [] });
    } else {
      const found = cases[Number(choice.value)];
      if (found === undefined) return;
      const { name: _, ...rest } = found;
      test.give(rest);
    }
    clear();
  }

  function clear(): void {
    const told = "It runs in your browser, on recorded answers. Nothing is sent.";
    result.replaceChildren(h("p", { className: "nothing" }, told));
  }

  async function run(): Promise<void> {
    if (choice.value === HERE && test.isAsGiven) await choose();
    await buttons.during(async () => {
      try {
        result.replaceChildren(...runReport(await runner.run(editor.source(), test.text), actions));
      } catch (error) {
        const message = error instanceof Error ? error.message : `${error}`;
        result.replaceChildren(failureBox(message, undefined, actions));
      }
    });
  }

  async function jumpTo(pointer: string): Promise<void> {
    const span = await tools.place(editor.source(), pointer);
    if (span !== undefined) editor.jump(span.start, span.end);
  }

  return {
    id: "run",
    title: "Run",
    element: h("div", { className: "panel run" }, bar(choice, buttons), test.element, result),
    use(example, shared) {
      cases = example?.cases ?? [];
      choice.replaceChildren(
        ...cases.map(({ name }, index) => h("option", { value: `${index}` }, name)),
        h("option", { value: HERE }, "The command at the cursor"),
      );
      choice.value = shared !== undefined || cases.length === 0 ? HERE : "0";
      if (shared === undefined) void choose();
      else {
        test.take(shared);
        clear();
      }
    },
    shared: () => ((choice.value === HERE || !test.isAsGiven) && test.text !== "" ? { test: test.text } : {}),
  };
}

function bar(choice: HTMLSelectElement, { start, stop }: StartStop): HTMLElement {
  return h(
    "div",
    { className: "bar" },
    h("label", { className: "chooser" }, h("span", { className: "unseen" }, "Case"), choice),
    start,
    stop,
  );
}
